import type { BoundKernel } from './bound-kernel.ts';

/** Memory and programs of an executor: one f32 arena, one u32 arena, and lists of kernels. */
export interface ExecutorSpec {
  /** Sizes of the arenas, in words. Both start as zeros. */
  readonly f32Words: number;
  readonly u32Words: number;
  /** Register names, at least one, whose values change from run to run; the kernels are bound with the same list. */
  readonly registers: readonly string[];
  readonly programs: readonly Program[];
}

/** Kernels that run one after another, each seeing what those before it wrote. */
export interface Program {
  readonly name: string;
  readonly kernels: readonly BoundKernel[];
}
