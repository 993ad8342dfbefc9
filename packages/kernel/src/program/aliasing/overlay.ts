import type { Arena, Block } from '../memory/places.ts';
import type { Task } from './lifetimes.ts';
import { lifetimesOf } from './lifetimes.ts';

/** Total words of the blocks that only kernels use: with buffer aliasing (`words`), and without (`wordsApart`). */
export interface Overlay {
  readonly words: number;
  readonly wordsApart: number;
}

/**
 * Assigns offsets to all blocks of an arena that have none; blocks whose lifetimes do not overlap may share memory
 * (buffer aliasing). Best fit, largest first: each block goes into the smallest sufficient gap between the blocks whose
 * lifetimes overlap its own, or behind them. If there are very many blocks, they are placed in groups that share no
 * memory; the more blocks, the smaller the groups, so that the time is linear in the number of blocks.
 * @param isApart disables aliasing: every block has memory of its own.
 */
export function layBlocks(arena: Arena, programs: readonly (readonly Task[])[], isApart = false): Overlay {
  const { blocks, exclusive, overlaps } = lifetimesOf(programs);
  const total = { words: 0, wordsApart: 0 };
  for (const block of arena.open) total.wordsApart += block.words;
  for (const buffer of ['f32', 'u32'] as const) {
    for (const group of grouped(blocks.filter((block) => block.buffer === buffer))) {
      const { words, offsets } = packed(group, isApart ? () => true : overlaps);
      const base = arena.allocate(buffer, words);
      total.words += words;
      for (const [block, offset] of offsets) arena.setOffset(block, base + offset);
    }
  }
  for (const block of exclusive) {
    total.words += block.words;
    arena.setOffset(block, arena.allocate(block.buffer, block.words));
  }
  // No job uses the remaining blocks.
  for (const block of arena.open) arena.setOffset(block, 0);
  return total;
}

/**
 * Maximum number of blocks in a group (each is compared with all before it), and approximate maximum of the total
 * number of comparisons.
 */
const [MAX_GROUP, MAX_COMPARISONS] = [1024, 2 ** 21];

/** Minimum number of blocks in a group, if there are several groups. */
const MIN_GROUP = 64;

/**
 * Splits blocks into groups, each sorted with the largest first. Blocks are distributed by size, one to each group in
 * turn.
 */
function grouped(blocks: readonly Block[]): Block[][] {
  const together = Math.min(MAX_GROUP, Math.max(MIN_GROUP, MAX_COMPARISONS / blocks.length));
  const count = Math.ceil(blocks.length / together);
  const groups = Array.from({ length: count }, (): Block[] => []);
  [...blocks].sort((a, b) => b.words - a.words).forEach((block, k) => groups[k % count].push(block));
  return groups;
}

interface PlacedBlock {
  readonly block: Block;
  readonly from: number;
  readonly to: number;
}

/**
 * Places the blocks of a group; returns their offsets and the total words.
 * @param blocks sorted, largest first.
 */
function packed(
  blocks: readonly Block[],
  overlaps: (a: Block, b: Block) => boolean,
): { words: number; offsets: Map<Block, number> } {
  const laid: PlacedBlock[] = [];
  for (const block of blocks) {
    let [end, best, least] = [0, -1, Number.POSITIVE_INFINITY];
    for (const other of laid) {
      if (!overlaps(block, other.block)) continue;
      const gap = other.from - end;
      if (gap >= block.words && gap < least) [best, least] = [end, gap];
      end = Math.max(end, other.to);
    }
    const from = best < 0 ? end : best;
    const at = laid.findIndex((other) => other.from > from);
    laid.splice(at < 0 ? laid.length : at, 0, { block, from, to: from + block.words });
  }
  const words = laid.reduce((most, { to }) => Math.max(most, to), 0);
  return { words, offsets: new Map(laid.map(({ block, from }) => [block, from])) };
}
