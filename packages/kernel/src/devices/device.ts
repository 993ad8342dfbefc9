import type { ExecutorSpec } from '../emit/executor-spec.ts';
import type { Precision } from '../form/types.ts';

/**
 * A compiled model on a device. Its methods run or record work, in the order of the calls; `readF32` and `readU32`
 * resolve once all work before them is done.
 */
export interface Executor {
  /**
   * Runs a program once for each row of `registers` (as many numbers a row as the executor has registers), one row
   * after another. `only` limits it to the kernel at that position in the program.
   */
  run(program: number, registers: Uint32Array, onlyKernel?: number): void;
  /**
   * Runs one kernel for one row of registers, on a device that only records, and calls `taken` with its duration in ms
   * before the next read completes. Missing where the device cannot measure.
   */
  runTimed?(program: number, registers: Uint32Array, kernel: number, taken: (milliseconds: number) => void): void;
  /** Copies words within an arena; the ranges do not overlap. */
  copy(arena: 'f32' | 'u32', to: number, from: number, words: number): void;
  /** Sets words of an arena to zero. */
  clear(arena: 'f32' | 'u32', from: number, words: number): void;
  writeF32(at: number, values: ArrayLike<number>): void;
  writeU32(at: number, values: Uint32Array): void;
  /** Returns a copy of words of the f32 arena. */
  readF32(from: number, words: number): Promise<Float32Array | Float64Array>;
  readU32(from: number, words: number): Promise<Uint32Array>;
  /**
   * Returns words of an arena as they are now, without waiting. A device implements both methods or neither. The arrays
   * are views of device memory: copy them before anything runs.
   */
  peekF32?(from: number, words: number): Float32Array | Float64Array;
  peekU32?(from: number, words: number): Uint32Array;
  /**
   * Returns the memory of an arena itself, for other code on the same device: a `GPUBuffer`, once all recorded work is
   * submitted.
   */
  lend?(arena: 'f32' | 'u32'): object;
  /** Frees what the executor holds; further calls do nothing. */
  dispose(): void;
}

export interface Device {
  /**
   * Kind of device, in one word for results and messages: `cpu`, `webgpu`, `f64`, `auto` for a GPU that leaves small models
   * to the CPU, or a custom one.
   */
  readonly kind: string;
  /** Name of the adapter or engine, for people. */
  readonly description: string;
  /**
   * Resolves once the description is final, if that takes a while: a page first finds out how many threads it may have.
   */
  readonly ready?: Promise<void>;
  readonly precision: Precision;
  /**
   * Fastest way to add at indices known only at run time. `inOrder` (the default): one invocation per world makes all
   * additions in order. `sorted`, where one invocation is slow: additions are sorted by target, and each element sums
   * those to itself.
   */
  readonly scatters?: 'inOrder' | 'sorted';
  /**
   * Maximum number of words that private copies of one field may take, on a device where hundreds of invocations are to
   * share additions in loops of unknown length, each with a copy. Without it a few do, whose copies lie in a CPU's cache.
   */
  readonly accumulatorWords?: number;
  /** True if `run` only records, so that its duration is not that of the work. */
  readonly isDeferred?: boolean;
  /**
   * True if operations that have a lowering should be lowered, because the device has no instructions for them. In
   * double precision, operations whose lowering has single accuracy (sines, powers) are kept.
   */
  readonly lowers?: boolean;
  /** True once the device is gone for good, as a GPU may be. */
  readonly isLost?: boolean;
  /**
   * Returns the fastest device for a model, by the mean number of elements of its dispatches, over all worlds and with
   * their tangents. Missing where it is the device itself.
   */
  forElements?(mean: number): Device;
  createExecutor(spec: ExecutorSpec): Promise<Executor>;
  /** Frees the device and the executors made by it. Further calls do nothing. */
  dispose(): void;
}
