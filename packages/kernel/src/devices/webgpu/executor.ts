import { defect, GradsimError } from '@gradsim/base';
import type { BoundKernel } from '../../emit/bound-kernel.ts';
import type { ExecutorSpec } from '../../emit/executor-spec.ts';
import { registerWords, workgroups } from '../../emit/wgsl/shader.ts';
import type { Executor } from '../device.ts';
import { WebgpuClock } from './clock.ts';
import type { Pipelines } from './pipelines.ts';
import { BUFFER_USAGE, CLEAR_WORDS, COPY_WORDS, ROW_BYTES, ROW_WORDS } from './pipelines.ts';
import type { CompiledProgram, Step } from './programs.ts';
import { compileProgram, singleStep } from './programs.ts';
import { StagingPool } from './staging.ts';

/** State of a WebGPU device that its executors share. */
export interface WebgpuContext {
  readonly device: GPUDevice;
  readonly description: string;
  readonly pipelines: Pipelines;
  /** Reason why the device is gone; undefined while it works. */
  lossReason?: string;
}

/** Maximum rows recorded before a submit: bounds memory, and how long the GPU is busy with one submit. */
const MAX_ROWS = 2048;
/** Maximum dispatches recorded before a submit, for the same reasons as `MAX_ROWS`. */
const MAX_DISPATCHES = 2048;

/** Runs programs on a GPU: records into one compute pass, and submits it when it is full or a result is wanted. */
export class WebgpuExecutor implements Executor {
  readonly #context: WebgpuContext;
  readonly #programs: readonly CompiledProgram[];
  readonly #copy: GPUComputePipeline;
  readonly #clear: GPUComputePipeline;
  readonly #floats: GPUBuffer;
  readonly #words: GPUBuffer;
  readonly #registers: GPUBuffer;
  readonly #registerCount: number;
  /**
   * Offset in words, within a register row, of the row range (first row, count) for a program that loops over rows
   * itself.
   */
  readonly #spanAt: number;
  readonly #bindGroup: GPUBindGroup;
  /**
   * Bind group with the u32 arena at the binding of the f32 arena, for shaders that copy or clear words of the u32
   * arena.
   */
  readonly #wordsFirst: GPUBindGroup;
  readonly #staging: StagingPool;
  /** Timer of single dispatches, created when a time is first requested. */
  #clock: WebgpuClock | null = null;
  readonly #singles = new Map<BoundKernel, Step>();
  readonly runTimed?: NonNullable<Executor['runTimed']>;
  readonly #onDispose: (executor: WebgpuExecutor) => void;

  /** Register rows that the recorded dispatches refer to; written to the GPU at submit. */
  readonly #rows = new Uint32Array(MAX_ROWS * ROW_WORDS);
  #rowCount = 0;
  #dispatches = 0;
  #encoder: GPUCommandEncoder | null = null;
  #pass: GPUComputePassEncoder | null = null;
  /** Pipeline currently set in the pass. */
  #pipeline: GPUComputePipeline | null = null;

  /** Programs run since the last result arrived, named in the error if something goes wrong. */
  readonly #running = new Set<CompiledProgram>();
  #checks: Promise<void>[] = [];
  #failure: Error | null = null;
  #isDisposed = false;

  /** @throws when the arenas do not fit, or a shader does not compile. */
  static async create(
    context: WebgpuContext,
    spec: ExecutorSpec,
    onDispose: (executor: WebgpuExecutor) => void,
  ): Promise<WebgpuExecutor> {
    checkSizes(context, spec);
    const programs = await Promise.all(spec.programs.map((program) => compileProgram(context.pipelines, program)));
    const copy = await context.pipelines.get('copy', COPY_WORDS);
    const clear = await context.pipelines.get('clear', CLEAR_WORDS);
    context.device.pushErrorScope('out-of-memory');
    context.device.pushErrorScope('validation');
    const executor = new WebgpuExecutor(context, spec, programs, copy, clear, onDispose);
    const refusals = await Promise.all([context.device.popErrorScope(), context.device.popErrorScope()]);
    const refusal = refusals.find((error) => error !== null);
    if (refusal) {
      executor.dispose();
      throw new GradsimError(
        'kernel/out-of-memory',
        `${describeArenas(context, spec)} could not be made: ${refusal.message}. ${SMALLER_RUN_HINT}`,
      );
    }
    return executor;
  }

  private constructor(
    context: WebgpuContext,
    spec: ExecutorSpec,
    programs: readonly CompiledProgram[],
    copy: GPUComputePipeline,
    clear: GPUComputePipeline,
    onDispose: (executor: WebgpuExecutor) => void,
  ) {
    const { device } = context;
    this.#context = context;
    this.#programs = programs;
    this.#registerCount = spec.registers.length;
    this.#spanAt = registerWords(spec);
    this.#copy = copy;
    this.#clear = clear;
    this.#onDispose = onDispose;
    // Vertex and index usage allow drawing from the buffers that `lend` returns.
    const arena = (label: string, words: number): GPUBuffer =>
      device.createBuffer({
        label,
        size: Math.max(words, 4) * 4,
        usage: BUFFER_USAGE.storage | BUFFER_USAGE.vertex | BUFFER_USAGE.copySource | BUFFER_USAGE.copyTarget,
      });
    this.#floats = arena('gradsim f32 arena', spec.f32Words);
    this.#words = arena('gradsim u32 arena', spec.u32Words);
    this.#registers = device.createBuffer({
      label: 'gradsim registers',
      size: this.#rows.byteLength,
      usage: BUFFER_USAGE.uniform | BUFFER_USAGE.storage | BUFFER_USAGE.copyTarget,
    });
    const bindGroup = (first: GPUBuffer, second: GPUBuffer): GPUBindGroup =>
      device.createBindGroup({
        layout: context.pipelines.bindGroupLayout,
        entries: [
          { binding: 0, resource: { buffer: first } },
          { binding: 1, resource: { buffer: second } },
          { binding: 2, resource: { buffer: this.#registers, size: ROW_BYTES } },
          { binding: 3, resource: { buffer: this.#registers } },
        ],
      });
    this.#bindGroup = bindGroup(this.#floats, this.#words);
    this.#wordsFirst = bindGroup(this.#words, this.#floats);
    this.#staging = new StagingPool(device);
    if (device.features.has('timestamp-query')) this.runTimed = (...one) => this.#runTimed(...one);
  }

  run(program: number, registers: Uint32Array, only?: number): void {
    this.#refuseIfGone();
    const compiled = this.#programs[program];
    this.#running.add(compiled);
    if (only === undefined && compiled.loop) {
      this.#runLoop(compiled.loop, registers);
      return;
    }
    const steps = only === undefined ? compiled.steps : [this.#singleKernelPipeline(program, only)];
    for (let from = 0; from < registers.length; from += this.#registerCount) {
      const row = this.#addRow(registers.subarray(from, from + this.#registerCount));
      for (const step of steps) this.#dispatch(step, row);
    }
  }

  #runTimed(program: number, registers: Uint32Array, kernel: number, taken: (milliseconds: number) => void): void {
    this.#refuseIfGone();
    this.#running.add(this.#programs[program]);
    this.#clock ??= new WebgpuClock(this.#context.device);
    if (this.#clock.isFull) this.#submit();
    const step = this.#singleKernelPipeline(program, kernel);
    if (step.groups[0] === 0) return;
    const row = this.#addRow(registers);
    this.#pass?.end();
    this.#encoder ??= this.#context.device.createCommandEncoder();
    this.#pass = this.#encoder.beginComputePass(this.#clock.timedPass(taken));
    this.#pipeline = null;
    this.#dispatch(step, row);
    this.#pass.end();
    this.#pass = null;
  }

  /** Returns a single kernel of a program as a pipeline, compiled when it is first needed. */
  #singleKernelPipeline(program: number, kernel: number): Step {
    const { kernels } = this.#programs[program];
    let step = this.#singles.get(kernels[kernel]);
    if (!step) {
      step = singleStep(this.#context.pipelines, kernels[kernel]);
      this.#singles.set(kernels[kernel], step);
    }
    return step;
  }

  /** Runs a program's loop shader over all rows of `registers`, in as few dispatches as the row buffer allows. */
  #runLoop(loop: Step, registers: Uint32Array): void {
    const rows = registers.length / this.#registerCount;
    for (let done = 0; done < rows; ) {
      const row = this.#addRow([]);
      const first = row / ROW_BYTES;
      const count = Math.min(rows - done, MAX_ROWS - first);
      for (let k = 0; k < count; k++) {
        const from = (done + k) * this.#registerCount;
        this.#rows.set(registers.subarray(from, from + this.#registerCount), (first + k) * ROW_WORDS);
      }
      this.#rows.set([first, count], first * ROW_WORDS + this.#spanAt);
      this.#rowCount = first + count;
      this.#dispatch(loop, row);
      done += count;
    }
  }

  copy(arena: 'f32' | 'u32', to: number, from: number, words: number): void {
    this.#refuseIfGone();
    const { buffer, bindGroup } = this.#arena(arena);
    checkRange('copy to', to, words, buffer);
    checkRange('copy from', from, words, buffer);
    const row = this.#addRow([to, from, words]);
    this.#dispatch({ pipeline: this.#copy, groups: workgroups(words) }, row, bindGroup);
  }

  clear(arena: 'f32' | 'u32', from: number, words: number): void {
    this.#refuseIfGone();
    const { buffer, bindGroup } = this.#arena(arena);
    checkRange('clear', from, words, buffer);
    const row = this.#addRow([from, 0, words]);
    this.#dispatch({ pipeline: this.#clear, groups: workgroups(words) }, row, bindGroup);
  }

  #arena(arena: 'f32' | 'u32'): { buffer: GPUBuffer; bindGroup: GPUBindGroup } {
    return arena === 'f32'
      ? { buffer: this.#floats, bindGroup: this.#bindGroup }
      : { buffer: this.#words, bindGroup: this.#wordsFirst };
  }

  writeF32(at: number, values: ArrayLike<number>): void {
    this.#write(this.#floats, at, Float32Array.from(values));
  }

  writeU32(at: number, values: Uint32Array): void {
    this.#write(this.#words, at, Uint32Array.from(values));
  }

  lend(arena: 'f32' | 'u32'): GPUBuffer {
    this.#refuseIfGone();
    this.#submit();
    return this.#arena(arena).buffer;
  }

  async readF32(from: number, words: number): Promise<Float32Array> {
    return new Float32Array(await this.#read(this.#floats, from, words));
  }

  async readU32(from: number, words: number): Promise<Uint32Array> {
    return new Uint32Array(await this.#read(this.#words, from, words));
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#pass?.end();
    this.#pass = null;
    this.#encoder = null;
    for (const buffer of [this.#floats, this.#words, this.#registers]) buffer.destroy();
    this.#staging.dispose();
    this.#clock?.dispose();
    this.#onDispose(this);
  }

  /** Appends a register row; returns its byte offset. */
  #addRow(registers: ArrayLike<number>): number {
    if (this.#rowCount >= MAX_ROWS || this.#dispatches >= MAX_DISPATCHES) this.#submit();
    this.#rows.set(registers, this.#rowCount * ROW_WORDS);
    return ROW_BYTES * this.#rowCount++;
  }

  #dispatch({ pipeline, groups }: Step, row: number, bindGroup = this.#bindGroup): void {
    if (groups[0] === 0) return;
    if (!this.#pass) {
      this.#encoder ??= this.#context.device.createCommandEncoder();
      this.#pass = this.#encoder.beginComputePass();
      this.#pipeline = null;
    }
    if (pipeline !== this.#pipeline) this.#pass.setPipeline(pipeline);
    this.#pipeline = pipeline;
    this.#pass.setBindGroup(0, bindGroup, [row]);
    this.#pass.dispatchWorkgroups(groups[0], groups[1]);
    this.#dispatches++;
  }

  /** Submits what is recorded. The queue runs submits and buffer writes in the order of the calls. */
  #submit(): void {
    this.#pass?.end();
    this.#pass = null;
    const encoder = this.#encoder;
    this.#encoder = null;
    const rows = this.#rowCount;
    this.#rowCount = 0;
    this.#dispatches = 0;
    if (!encoder) return;
    const { device } = this.#context;
    const names = this.#names();
    const fetch = this.#clock?.fetch(encoder);
    device.pushErrorScope('out-of-memory');
    device.pushErrorScope('validation');
    device.queue.writeBuffer(this.#registers, 0, this.#rows, 0, rows * ROW_WORDS);
    device.queue.submit([encoder.finish()]);
    fetch?.();
    for (const check of [device.popErrorScope(), device.popErrorScope()]) {
      this.#checks.push(
        check.then(
          (error) => {
            if (error)
              this.#failure ??= new GradsimError(
                'kernel/gpu-refusal',
                `The GPU "${this.#context.description}" refused work of ${names}: ${error.message}`,
              );
          },
          // The device is lost; reading reports that.
          () => {},
        ),
      );
    }
  }

  #write(buffer: GPUBuffer, at: number, values: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): void {
    this.#refuseIfGone();
    checkRange('write', at, values.length, buffer);
    this.#submit();
    if (values.length > 0) this.#context.device.queue.writeBuffer(buffer, at * 4, values);
  }

  async #read(buffer: GPUBuffer, from: number, words: number): Promise<ArrayBuffer> {
    this.#refuseIfGone();
    checkRange('read', from, words, buffer);
    if (words === 0) return new ArrayBuffer(0);
    this.#pass?.end();
    this.#pass = null;
    this.#encoder ??= this.#context.device.createCommandEncoder();
    const staging = this.#staging.acquire(words * 4);
    this.#encoder.copyBufferToBuffer(buffer, from * 4, staging, 0, words * 4);
    this.#submit();
    const checks = this.#checks;
    this.#checks = [];
    const ran = [...this.#running];
    let bytes: ArrayBuffer;
    try {
      bytes = await this.#staging.read(staging, words * 4);
    } catch (error) {
      await Promise.race([this.#context.device.lost, new Promise((resolve) => setTimeout(resolve, 200))]);
      this.#refuseIfGone();
      throw new GradsimError(
        'kernel/gpu-lost',
        `The GPU "${this.#context.description}" gave no result of ${this.#names()}: ${(error as Error).message}`,
        { cause: error },
      );
    }
    await Promise.all(checks);
    await this.#clock?.settle();
    this.#refuseIfGone();
    for (const program of ran) this.#running.delete(program);
    return bytes;
  }

  #names(): string {
    const names = [...this.#running].map(
      ({ name, kernels }) =>
        `${name} (${kernels
          .slice(0, 8)
          .map((kernel) => kernel.name)
          .join(', ')}${kernels.length > 8 ? ', ...' : ''})`,
    );
    return names.length > 0 ? names.join(', ') : 'no program';
  }

  #refuseIfGone(): void {
    if (this.#isDisposed)
      throw new GradsimError('kernel/disposed', 'This executor was disposed.', { hint: 'Create another one.' });
    if (this.#context.lossReason !== undefined) {
      throw new GradsimError(
        'kernel/gpu-lost',
        `The GPU "${this.#context.description}" was lost while running ${this.#names()}: ${this.#context.lossReason} Make a new device and compile again; fewer worlds or elements make each run shorter.`,
      );
    }
    if (this.#failure) throw this.#failure;
  }
}

const SMALLER_RUN_HINT = 'Use fewer worlds or elements, a smaller memory budget for checkpoints, or the device "cpu".';

const describeArenas = ({ description }: WebgpuContext, { f32Words, u32Words }: ExecutorSpec): string =>
  `Arenas of ${f32Words * 4} bytes (f32) and ${u32Words * 4} bytes (u32) on the GPU "${description}"`;

function checkSizes(context: WebgpuContext, spec: ExecutorSpec): void {
  // The row range is stored behind the registers.
  const mostRegisters = ROW_WORDS - 4;
  if (spec.registers.length > mostRegisters)
    throw new GradsimError(
      'kernel/too-large',
      `The device webgpu takes at most ${mostRegisters} registers, got ${spec.registers.length}.`,
    );
  const { maxBufferSize, maxStorageBufferBindingSize } = context.device.limits;
  const most = Math.min(maxBufferSize, maxStorageBufferBindingSize);
  const needed = Math.max(spec.f32Words, spec.u32Words) * 4;
  if (needed > most) {
    throw new GradsimError(
      'kernel/too-large',
      `${describeArenas(context, spec)} do not fit: it holds at most ${most} bytes in one buffer. ${SMALLER_RUN_HINT}`,
    );
  }
}

function checkRange(action: string, from: number, words: number, buffer: GPUBuffer): void {
  const held = buffer.size / 4;
  if (Number.isInteger(from) && Number.isInteger(words) && from >= 0 && words >= 0 && from + words <= held) return;
  throw defect(`Cannot ${action} ${words} words at word ${from}: ${buffer.label} holds ${held} words`);
}
