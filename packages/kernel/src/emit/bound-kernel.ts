import type { KernelForm } from '../form/kernel-form.ts';
import type { Block, Node, RootBlock } from '../form/nodes.ts';
import type { BlockEndUse } from './usage.ts';

/**
 * A range of words, from inclusive, to exclusive, that a kernel reads or writes. Two ranges conflict only if their
 * regions are equal and their words overlap.
 */
export interface AccessRange {
  readonly region: string | symbol;
  readonly from: number;
  readonly to: number;
  /** Number of words that one dispatch accesses in the range. */
  readonly words: number;
}

/** An accessed range of an arena. `isOwn`: every invocation accesses only words of its own element and world. */
export interface Access extends AccessRange {
  readonly arena: 'f32' | 'u32';
  readonly isOwn: boolean;
}

export interface Store {
  readonly buffer: 'f32' | 'u32';
  readonly label: string;
  readonly component: number;
  /** Index of the base, in the kernel's `bases`, that the fixed part of the address (`offset`, words) counts from. */
  readonly base: number;
  readonly offset: number;
  readonly address: Node;
  readonly value: Node;
  /** Block at whose end the value is stored: the root, a side of a branch, or a loop body (every iteration). */
  readonly block: Block;
  /**
   * True if the value is added to the word, after the stores before it. No other invocation reads or writes that word.
   */
  readonly adds: boolean;
  /** True if it records an error: any invocation may write it, to words used by records only. */
  readonly isRecord?: boolean;
}

/** Groups items by the block that they stand in. */
export function byBlock<T extends { readonly block: Block }>(all: readonly T[]): ReadonlyMap<Block, readonly T[]> {
  const blocks = new Map<Block, T[]>();
  for (const one of all) {
    const known = blocks.get(one.block);
    if (known) known.push(one);
    else blocks.set(one.block, [one]);
  }
  return blocks;
}

/** Returns the nodes that stores use, with their blocks. */
export const endsOf = (stores: readonly Store[]): BlockEndUse[] =>
  stores.flatMap(({ address, value, block }) => [address, value].map((node) => ({ node, block })));

/** Words that a kernel reads and writes, which decide what may run at the same time. */
export interface Footprint {
  /** Key, equal for kernels that have the same element and world at the same invocation. */
  readonly grouping: string;
  readonly reads: readonly Access[];
  readonly writes: readonly Access[];
}

/** Code of a bound kernel. */
export interface KernelCode {
  readonly root: RootBlock;
  readonly stores: readonly Store[];
}

/** Everything that the code of a bound kernel follows from. */
export interface CodeSource {
  readonly form: KernelForm;
  /** Text that, for one form, is equal only where the code is; undefined if that is not known. */
  readonly placing?: string;
  /** Returns the code, which the first call writes. */
  readonly code: () => KernelCode;
}

/** A kernel bound to memory: code of a function of the invocation number, for any device. */
export interface BoundKernel extends Footprint, KernelCode {
  readonly name: string;
  /** Number of invocations: elements times worlds. */
  readonly invocations: number;
  /** Register names, in the order of a register row; their values change from run to run. */
  readonly registers: readonly string[];
  /** Source of the code, one object for kernels with the same code, which differ only in their `bases`. */
  readonly source: CodeSource;
  /**
   * Word addresses in the arenas from which offsets of loads and stores count; the memory of two bases does not
   * overlap.
   */
  readonly bases: readonly number[];
  /** True if threads may partition its invocations: none writes words that another reads or writes. */
  readonly isPartitionable: boolean;
}
