import type { Task } from './lifetimes.ts';
import { lifetimesOf } from './lifetimes.ts';
import type { Arena, Block } from './places.ts';

/** Words of what kernels alone use: as they are laid out, and as they would be if each had words of its own. */
export interface Overlay {
  readonly words: number;
  readonly wordsApart: number;
}

/**
 * Gives all open blocks of an arena their words: the same ones where they are not in use at one time. The largest come
 * first; each goes where it fills a gap best between those that it meets, or else behind them. Programs of very many
 * blocks are laid in parts that share no words with each other, so that the time goes by the number of blocks.
 * @param isApart whether each has words of its own.
 */
export function layBlocks(arena: Arena, programs: readonly (readonly Task[])[], isApart = false): Overlay {
  const { blocks, lasting, meet } = lifetimesOf(programs);
  const total = { words: 0, wordsApart: 0 };
  for (const block of arena.open) total.wordsApart += block.words;
  for (const buffer of ['f32', 'u32'] as const) {
    for (const hand of partitions(blocks.filter((block) => block.buffer === buffer))) {
      const { words, offsets } = packed(hand, isApart ? () => true : meet);
      const base = arena.take(buffer, words);
      total.words += words;
      for (const [block, offset] of offsets) arena.lay(block, base + offset);
    }
  }
  for (const block of lasting) {
    total.words += block.words;
    arena.lay(block, arena.take(block.buffer, block.words));
  }
  // What is left nothing uses.
  for (const block of arena.open) arena.lay(block, 0);
  return total;
}

/** The most blocks that are laid together: each is compared with those before it. */
const MOST_TOGETHER = 1024;

/** Blocks in as many hands as that takes, largest first, each with blocks of all sizes and of all times. */
function partitions(blocks: readonly Block[]): Block[][] {
  const count = Math.ceil(blocks.length / MOST_TOGETHER);
  const hands = Array.from({ length: count }, (): Block[] => []);
  [...blocks].sort((a, b) => b.words - a.words).forEach((block, k) => hands[k % count].push(block));
  return hands;
}

interface Laid {
  readonly block: Block;
  readonly from: number;
  readonly to: number;
}

/** @param blocks largest first. */
function packed(
  blocks: readonly Block[],
  meet: (a: Block, b: Block) => boolean,
): { words: number; offsets: Map<Block, number> } {
  const laid: Laid[] = [];
  for (const block of blocks) {
    let [end, best, least] = [0, -1, Number.POSITIVE_INFINITY];
    for (const other of laid) {
      if (!meet(block, other.block)) continue;
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
