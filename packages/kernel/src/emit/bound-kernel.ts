import type { Block, Node, RootBlock } from '../form/nodes.ts';
import type { End } from './usage.ts';

/** Words that a kernel reads or writes. Two reaches can meet where their regions are the same and their words overlap. */
export interface Reach {
  readonly region: string | symbol;
  readonly from: number;
  readonly to: number;
  /** Number of them that one dispatch reaches. */
  readonly words: number;
}

/** A reach, of which arena, and whether every invocation keeps to the words of its own element and world. */
export interface Access extends Reach {
  readonly arena: 'f32' | 'u32';
  readonly isOwn: boolean;
}

export interface Store {
  readonly buffer: 'f32' | 'u32';
  readonly label: string;
  readonly component: number;
  /** Fixed part of where it goes, from a base of the kernel on. */
  readonly base: number;
  readonly offset: number;
  readonly address: Node;
  readonly value: Node;
  /** Block at whose end it is stored: the root, a side of a branch, or the body of a loop, in every round. */
  readonly block: Block;
  /** Whether it adds to a word, after the stores before it. No other invocation reads or writes there. */
  readonly adds: boolean;
  /** Whether it records that something went wrong: any invocation may do so, in words that only records have. */
  readonly isRecord?: boolean;
}

/** Things that stand in blocks, by block. */
export function byBlock<T extends { readonly block: Block }>(all: readonly T[]): ReadonlyMap<Block, readonly T[]> {
  const blocks = new Map<Block, T[]>();
  for (const one of all) {
    const known = blocks.get(one.block);
    if (known) known.push(one);
    else blocks.set(one.block, [one]);
  }
  return blocks;
}

/** Nodes that stores use, with their blocks. */
export const endsOf = (stores: readonly Store[]): End[] =>
  stores.flatMap(({ address, value, block }) => [address, value].map((node) => ({ node, block })));

/** Reads and writes of a kernel, which decide what may run beside it. */
export interface Footprint {
  /** Kernels of one grouping have the same element and world at the same invocation. */
  readonly grouping: string;
  readonly reads: readonly Access[];
  readonly writes: readonly Access[];
}

/** A kernel with its place in memory: one function of the invocation number, ready for any device. */
export interface BoundKernel extends Footprint {
  readonly name: string;
  /** Number of invocations: elements times worlds. */
  readonly invocations: number;
  /** Names of the numbers that change from run to run, in the order of a row of them. */
  readonly registers: readonly string[];
  /** Kernels that have these two in common differ in their bases alone. */
  readonly root: RootBlock;
  readonly stores: readonly Store[];
  /** Words of an arena from which on offsets of loads and stores count; memory of two bases does not overlap. */
  readonly bases: readonly number[];
  /** Whether threads may share its invocations out: none writes to words that another reads or writes. */
  readonly isPartable: boolean;
}
