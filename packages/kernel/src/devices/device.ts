import type { ExecutorSpec } from '../emit/executor-spec.ts';
import type { Precision } from '../form/types.ts';

/**
 * A compiled model on a device. Everything but `read` only records or runs and gives nothing back, in order;
 * `read` waits for what was recorded before it.
 */
export interface Executor {
  /**
   * Runs a program once for each row of `registers` (as many numbers a row as the executor has registers), rows one after another.
   * `only` limits it to one kernel of the program, by position.
   */
  run(program: number, registers: Uint32Array, only?: number): void;
  /**
   * Like `run` for one row and one kernel, on a device that only records: `taken` is told how long it took before the
   * next read is done. Missing where the device cannot tell.
   */
  runTimed?(program: number, registers: Uint32Array, kernel: number, taken: (milliseconds: number) => void): void;
  /** Copies words within an arena; the ranges do not overlap. */
  copy(arena: 'f32' | 'u32', to: number, from: number, words: number): void;
  /** Sets words of an arena to zero. */
  clear(arena: 'f32' | 'u32', from: number, words: number): void;
  writeF32(at: number, values: ArrayLike<number>): void;
  writeU32(at: number, values: Uint32Array): void;
  /** A copy of words of the f32 arena. */
  readF32(from: number, words: number): Promise<Float32Array | Float64Array>;
  readU32(from: number, words: number): Promise<Uint32Array>;
  /**
   * Words of an arena as they are now, on a device where that needs no waiting: both of them, or neither. They are those
   * of the device itself, to be copied before anything runs.
   */
  peekF32?(from: number, words: number): Float32Array | Float64Array;
  peekU32?(from: number, words: number): Uint32Array;
  /** The memory of an arena itself, for code of the same device: a `GPUBuffer`, once all that was recorded is handed over. */
  lend?(arena: 'f32' | 'u32'): object;
  /** Frees what the executor holds; more calls do nothing. */
  dispose(): void;
}

export interface Device {
  /** What kind of device this is, in one word for results and messages: `cpu`, `webgpu`, `f64`, or one of your own. */
  readonly kind: string;
  /** For people: the adapter's or the engine's name. */
  readonly description: string;
  /** Once the description is final, where that takes a while: a page finds out how many threads it may have. */
  readonly ready?: Promise<void>;
  readonly precision: Precision;
  /**
   * How it best adds at indices that only the run knows: one invocation a world goes over all additions in order (the
   * default), or, where one invocation is slow, they are sorted by where they go, and each element gathers its own.
   */
  readonly scatters?: 'inOrder' | 'sorted';
  /** Whether `run` only records, so that the time it takes is not that of the work. */
  readonly isDeferred?: boolean;
  /**
   * Whether it wants operations that have a lowering written in others, because it has no instructions for them. In
   * double precision those remain of which a lowering would be no more than single (sines, powers).
   */
  readonly lowers?: boolean;
  /** Whether it is gone for good, as a GPU may be. */
  readonly isLost?: boolean;
  createExecutor(spec: ExecutorSpec): Promise<Executor>;
  /** Frees the device; executors made by it end with it. More calls do nothing. */
  dispose(): void;
}
