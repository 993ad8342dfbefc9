import type { Port } from '../form/port.ts';
import type { Precision } from '../form/types.ts';
import type { Reach } from './bound-kernel.ts';
import type { Guards } from './guards.ts';

/**
 * Address of a value in words: `base + offset + register * registerStride + component, element and world times their
 * strides`.
 */
export interface Binding {
  readonly buffer: 'f32' | 'u32';
  /** Which of `bases` it counts from; the first by default. */
  readonly base?: number;
  readonly offset: number;
  /** One of the registers that the kernel is bound with. */
  readonly register?: string;
  readonly registerStride?: number;
  readonly componentStride: number;
  readonly elementStride: number;
  readonly worldStride: number;
}

export interface BindOptions {
  readonly elements: number;
  /** Number of invocations of a world that elements are partitioned among; without it, each element has one. */
  readonly partitions?: number;
  readonly worlds: number;
  /** Whether neighbouring invocations are worlds of one element, or elements of one world. */
  readonly worldsInner: boolean;
  readonly dt: number;
  /** Precision of the device; f32 by default. */
  readonly precision?: Precision;
  /** Names of registers. Kernels that ask for `substep` or `frame` find them in those of that name. */
  readonly registers: readonly string[];
  /** The register that holds the number of the round, for a kernel in a loop of kernels. */
  readonly round?: string;
  readonly binding: (port: Port) => Binding;
  /** Words at which the memory of ports begins; by default there is one, the start of the arena. */
  readonly bases?: readonly number[];
  /** Whether an output adds to what is there (true) or replaces it. */
  readonly accumulates: (port: Port) => boolean;
  /**
   * What a port's words reach over: all of them or, where it is not null, so many for each of the own elements. Without
   * it, anything.
   */
  readonly reach?: (port: Port, ofOwn: number | null) => Reach;
  /** Bounds of loads at indices; without it, all are taken to be in range. */
  readonly guards?: Guards;
  /** Whether operations are written in others where a device may have no instruction for them. */
  readonly lowers?: boolean;
}

/** Number of invocations of a kernel. */
export const invocationsOf = ({
  elements,
  partitions,
  worlds,
}: Pick<BindOptions, 'elements' | 'partitions' | 'worlds'>): number => (partitions ?? elements) * worlds;
