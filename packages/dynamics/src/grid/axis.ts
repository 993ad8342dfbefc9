import type { Bool, F32, U32 } from '@gradsim/core';
import { floor, min, select, u32 } from '@gradsim/core';

/**
 * What is beyond the outermost nodes of an axis: the other side (`wrap`), the outermost node again (`clamp`), or
 * nothing, which reads as 0 and drops what is added (`zero`). With `none`, only positions that the grid `holds` have
 * stencils, whose nodes then need no bounds of their own, which is the fastest.
 */
export type EdgeRule = 'wrap' | 'clamp' | 'zero' | 'none';

/** Nodes along one axis of a grid. */
export interface GridAxis {
  readonly size: number;
  readonly edge: EdgeRule;
  /** Coordinate of the first node, m. */
  readonly origin: number;
}

/** Axes of a grid, the last one fastest. */
export interface GridAxes {
  readonly domain: string;
  readonly axes: readonly GridAxis[];
  /** Distance between nodes, m. */
  readonly spacing: number;
}

/** A node's number along an axis, `at + ahead`; `isThere` where it may lie beyond an edge of zeros. */
export interface NodePlace {
  readonly index: U32;
  /** Default 0. Nodes of one stencil differ by this alone where they can: the compiler puts constants into addresses. */
  readonly ahead?: number;
  readonly isThere?: Bool;
}

/** Place of the node that is `nodes` nodes after node `k` of an axis. */
export function shiftedPlace(k: U32, nodes: number, { size, edge }: GridAxis): NodePlace {
  if (nodes === 0) return { index: k };
  const last = size - 1;
  if (edge === 'wrap') {
    const sum = k.add(((nodes % size) + size) % size);
    // The bound, which changes nothing, shows that the index is in range.
    return { index: min(select(sum.lt(size), sum, sum.sub(size)), u32(last)) };
  }
  // With 7 nodes, 2 before node 1: at least 2, minus 2.
  const at = nodes > 0 ? min(k.add(nodes), u32(last)) : select(k.lt(-nodes), 0, k.sub(-nodes));
  if (edge !== 'zero') return { index: nodes > 0 ? at : min(at, u32(last)) };
  return {
    index: nodes > 0 ? at : min(at, u32(last)),
    isThere: nodes > 0 ? k.lt(Math.max(0, size - nodes)) : k.ge(-nodes),
  };
}

/** Places of `count` nodes of an axis, from the whole number `first` on. */
export function placesAlongAxis(first: F32, count: number, { size, edge }: GridAxis): NodePlace[] {
  const last = size - 1;
  if (edge === 'wrap') {
    // Divided, not multiplied by 1 / size: for a multiple of the size the quotient is exact.
    const round = first.sub(floor(first.div(size)).mul(size));
    const places: NodePlace[] = [{ index: min(round.toU32(), u32(last)) }];
    while (places.length < count) {
      const { index } = places[places.length - 1];
      places.push({ index: min(select(index.eq(last), 0, index.add(1)), u32(last)) });
    }
    return places;
  }
  if (edge === 'none') {
    const at = min(first.toU32(), u32(Math.max(0, size - count)));
    return Array.from({ length: count }, (_, ahead) => ({ index: at, ahead }));
  }
  return Array.from({ length: count }, (_, k) => {
    const node = first.add(k);
    // The conversion to u32 takes what is below 0 to 0.
    const at = min(node.toU32(), u32(last));
    return edge === 'clamp' ? { index: at } : { index: at, isThere: node.ge(0).and(node.le(last)) };
  });
}
