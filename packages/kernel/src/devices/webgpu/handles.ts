/**
 * Handles of WebGPU in the types that the caller's program has for them: those of the DOM library, from TypeScript 6 on,
 * or of `@webgpu/types`. A program with neither can still be compiled, and hand on what it got from elsewhere.
 */
type Known<Name extends string, Otherwise> =
  typeof globalThis extends Record<Name, { prototype: infer Handle }> ? Handle : Otherwise;

/** A GPUDevice. */
export type GpuDevice = Known<'GPUDevice', { readonly queue: object; readonly limits: object }>;
/** A GPUAdapter. */
export type GpuAdapter = Known<'GPUAdapter', { readonly limits: object; requestDevice(): Promise<object> }>;
/** A GPUAdapterInfo. */
export type GpuAdapterInfo = Known<'GPUAdapterInfo', object>;

/** Which adapter is looked for. */
export interface AdapterOptions {
  readonly powerPreference?: 'low-power' | 'high-performance';
  /** Whether an adapter that computes on the CPU will do. */
  readonly allowSoftware?: boolean;
}
