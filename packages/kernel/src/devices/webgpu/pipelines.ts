import { GradsimError } from '@gradsim/base';
import { WORKGROUP_SIZE } from '../../emit/wgsl/shader.ts';

/** Flags of `GPUBufferUsage`, by the WebGPU specification; Node has no global object for them. */
export const BUFFER_USAGE = {
  mapRead: 0x1,
  copySource: 0x4,
  copyTarget: 0x8,
  vertex: 0x20,
  uniform: 0x40,
  storage: 0x80,
  queryResolve: 0x200,
} as const;
/** `GPUMapMode.READ` of WebGPU. */
export const MAP_READ = 0x1;
/** `GPUShaderStage.COMPUTE` of WebGPU. */
const COMPUTE_STAGE = 0x4;

/**
 * Stride of register rows in bytes: the dynamic-offset alignment that every WebGPU device accepts. A row holds the
 * registers and, for loop shaders, the row range.
 */
export const ROW_BYTES = 256;
/** Stride of register rows in words of 4 bytes. */
export const ROW_WORDS = ROW_BYTES / 4;

/** Number of pipelines kept for programs to come: each takes a driver some hundred kilobytes. */
const MAX_KEPT = 1024;

/** Shader cache of one GPU device, of those last asked for. All shaders have the bindings of `wgslSource`. */
export class Pipelines {
  readonly bindGroupLayout: GPUBindGroupLayout;
  readonly #device: GPUDevice;
  readonly #layout: GPUPipelineLayout;
  readonly #known = new Map<string, Promise<GPUComputePipeline>>();

  constructor(device: GPUDevice) {
    this.#device = device;
    const entry = (binding: number, buffer: GPUBufferBindingLayout): GPUBindGroupLayoutEntry => ({
      binding,
      visibility: COMPUTE_STAGE,
      buffer,
    });
    this.bindGroupLayout = device.createBindGroupLayout({
      label: 'gradsim arenas and registers',
      entries: [
        entry(0, { type: 'storage' }),
        entry(1, { type: 'storage' }),
        entry(2, { type: 'uniform', hasDynamicOffset: true, minBindingSize: ROW_BYTES }),
        entry(3, { type: 'read-only-storage' }),
      ],
    });
    this.#layout = device.createPipelineLayout({ bindGroupLayouts: [this.bindGroupLayout] });
  }

  /**
   * Returns the pipeline of a shader.
   *
   * @throws with the kernel's name and the driver's message, if it refuses the shader.
   */
  get(kernel: string, source: string): Promise<GPUComputePipeline> {
    const pipeline = this.#known.get(source) ?? this.#compile(kernel, source);
    // The last one asked for comes last.
    this.#known.delete(source);
    this.#known.set(source, pipeline);
    if (this.#known.size > MAX_KEPT) this.#known.delete(this.#known.keys().next().value!);
    return pipeline;
  }

  /** Compiles synchronously, for shaders that run rarely; a failure shows in the device's error scopes only. */
  createSync(label: string, code: string): GPUComputePipeline {
    const module = this.#device.createShaderModule({ label, code });
    return this.#device.createComputePipeline({
      label,
      layout: this.#layout,
      compute: { module, entryPoint: 'main' },
    });
  }

  async #compile(kernel: string, code: string): Promise<GPUComputePipeline> {
    this.#device.pushErrorScope('validation');
    const module = this.#device.createShaderModule({ label: kernel, code });
    const [refusal, { messages }] = await Promise.all([this.#device.popErrorScope(), module.getCompilationInfo()]);
    const errors = messages.filter((message) => message.type === 'error');
    if (refusal || errors.length > 0) {
      const lines = code.split('\n');
      const details = errors.map(
        ({ lineNum, message }) => `line ${lineNum}: ${message}\n    ${lines[lineNum - 1]?.trim() ?? ''}`,
      );
      throw new GradsimError(
        'kernel/shader-refused',
        `its WGSL was refused.\n${details.join('\n') || refusal?.message}`,
        { kernel },
      );
    }
    try {
      return await this.#device.createComputePipelineAsync({
        label: kernel,
        layout: this.#layout,
        compute: { module, entryPoint: 'main' },
      });
    } catch (error) {
      throw new GradsimError(
        'kernel/shader-refused',
        `the GPU driver could not compile it: ${(error as Error).message}`,
        { kernel, cause: error },
      );
    }
  }
}

const rangeShader = (line: string): string => `struct Range { to: u32, origin: u32, count: u32 }
@group(0) @binding(0) var<storage, read_write> bits: array<u32>;
@group(0) @binding(2) var<uniform> range: Range;

@compute @workgroup_size(${WORKGROUP_SIZE})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let k = id.y * groups.x * ${WORKGROUP_SIZE}u + id.x;
  if (k >= range.count) { return; }
  ${line}
}
`;

/**
 * Shader that copies words within the arena at binding 0; WebGPU's own copy cannot copy within one buffer. Words are
 * copied as integers, so that all bits are preserved. Registers: (to, from, count).
 */
export const COPY_WORDS = rangeShader('bits[range.to + k] = bits[range.origin + k];');
/** Shader that sets words of the arena at binding 0 to zero. Registers: (to, unused, count). */
export const CLEAR_WORDS = rangeShader('bits[range.to + k] = 0u;');
