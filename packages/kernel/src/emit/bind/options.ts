import type { Port } from '../../form/port.ts';
import type { Precision } from '../../form/types.ts';
import type { AccessRange } from '../bound-kernel.ts';
import type { Guards } from './guards.ts';

/** Substeps whose durations and times are in a table, which `stepTable` returns: code does not depend on them. */
export interface TabledSteps {
  /** True if all substeps are of one duration, else those of a frame are. */
  readonly isEven: boolean;
  /** Index, in the bases of the kernel, of the table. */
  readonly base: number;
}

/**
 * Values of an index field that kernels need not load: the first element throughout, or for each element the one of its
 * own number. Loads at them are then the same for all invocations, or lie side by side.
 */
export type PlainIndices = 'first' | 'own';

/**
 * Layout of a port's values. Word address of a value: `base + offset + register * registerStride + component *
 * componentStride + element * elementStride + world * worldStride`.
 */
export interface Binding {
  readonly buffer: 'f32' | 'u32';
  /** Index, in `bases`, of the base that the offset counts from; 0 by default. */
  readonly base?: number;
  readonly offset: number;
  /** Name of the register that selects a copy; one of those that the kernel is bound with. */
  readonly register?: string;
  readonly registerStride?: number;
  readonly componentStride: number;
  readonly elementStride: number;
  readonly worldStride: number;
  readonly indices?: PlainIndices;
}

export interface BindOptions {
  readonly elements: number;
  /** Number of invocations per world among which elements are partitioned; without it, each element has one. */
  readonly partitions?: number;
  readonly worlds: number;
  /** True if neighbouring invocations are the worlds of one element; false if they are the elements of one world. */
  readonly worldsInner: boolean;
  /** Table of the substeps; or the duration of every substep, s, if they are not counted by frames. */
  readonly steps: number | TabledSteps;
  /** Precision of the device; f32 by default. */
  readonly precision?: Precision;
  /** Register names. Kernels that use `substep` or `frame` find them in the registers of that name. */
  readonly registers: readonly string[];
  /** Register that holds the iteration number, for a kernel in a loop of kernels. */
  readonly round?: string;
  readonly binding: (port: Port) => Binding;
  /** Word addresses at which the memory of ports begins; by default a single one, 0, the start of the arena. */
  readonly bases?: readonly number[];
  /** Returns whether an output adds to the word in memory (true) or replaces it. */
  readonly accumulates: (port: Port) => boolean;
  /**
   * Returns the words that a port accesses: all of its place or, if `ofOwn` is a number, that many words of each own
   * element. Without this function, every port counts as accessing any word.
   */
  readonly accessedRange?: (port: Port, ofOwn: number | null) => AccessRange;
  /** Bounds checks of loads at indices; without them, all indices are taken to be in range. */
  readonly guards?: Guards;
  /** True to lower operations for which a device may have no instruction. */
  readonly lowers?: boolean;
}

/** Returns the number of invocations of a kernel. */
export const invocationsOf = ({
  elements,
  partitions,
  worlds,
}: Pick<BindOptions, 'elements' | 'partitions' | 'worlds'>): number => (partitions ?? elements) * worlds;
