/**
 * WebGPU handle types as the caller's program knows them: those of the DOM library, from TypeScript 6 on, or of
 * `@webgpu/types`. A program with neither still compiles and can pass on handles that it got elsewhere.
 */
type HandleType<Name extends string, Otherwise> =
  typeof globalThis extends Record<Name, { prototype: infer Handle }> ? Handle : Otherwise;

/** A GPUDevice. */
export type GpuDevice = HandleType<'GPUDevice', { readonly queue: object; readonly limits: object }>;
/** A GPUAdapter. */
export type GpuAdapter = HandleType<'GPUAdapter', { readonly limits: object; requestDevice(): Promise<object> }>;
/** A GPUAdapterInfo. */
export type GpuAdapterInfo = HandleType<'GPUAdapterInfo', object>;

/** Options for choosing an adapter. */
export interface AdapterOptions {
  readonly powerPreference?: 'low-power' | 'high-performance';
  /** False to refuse an adapter that computes on the CPU; default true, since WebGPU is only used when asked for by name. */
  readonly allowSoftware?: boolean;
}

/** Options of `webgpuDevice`. */
export interface WebgpuOptions extends AdapterOptions {
  /** Existing GPUDevice of the caller's, which the caller has to destroy. */
  readonly device?: GpuDevice;
  /** GPUAdapter from which the device is made. */
  readonly adapter?: GpuAdapter;
}
