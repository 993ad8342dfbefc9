/** Maximum number of boxes in a leaf of the tree. */
const MAX_LEAF_BOXES = 8;

interface BoxTreeNode {
  readonly first: number;
  readonly end: number;
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly halves?: readonly [BoxTreeNode, BoxTreeNode];
}

/**
 * Calls `visit` with each pair of boxes that touch or overlap, the lower index first; by a tree that halves the boxes along the
 * longest side of what they span.
 *
 * @param boxes six numbers each: minimum x, y, z, maximum x, y, z.
 */
export function touchingBoxes(boxes: Float64Array, visit: (one: number, other: number) => void): void {
  const order = Uint32Array.from({ length: boxes.length / 6 }, (_, k) => k);
  const build = (first: number, end: number): BoxTreeNode => {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const box of order.subarray(first, end))
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis], boxes[6 * box + axis]);
        high[axis] = Math.max(high[axis], boxes[6 * box + 3 + axis]);
      }
    if (end - first <= MAX_LEAF_BOXES) return { first, end, low, high };
    const sides = high.map((h, axis) => h - low[axis]);
    const axis = sides.indexOf(Math.max(...sides));
    const middle = (box: number): number => boxes[6 * box + axis] + boxes[6 * box + 3 + axis];
    order.subarray(first, end).sort((a, b) => middle(a) - middle(b));
    const half = (first + end) >> 1;
    return { first, end, low, high, halves: [build(first, half), build(half, end)] };
  };
  const meet = (a: number, b: number): boolean => {
    for (let axis = 0; axis < 3; axis++)
      if (boxes[a + axis] > boxes[b + 3 + axis] || boxes[b + axis] > boxes[a + 3 + axis]) return false;
    return true;
  };
  const among = (a: BoxTreeNode, b: BoxTreeNode): void => {
    for (let i = a.first; i < a.end; i++)
      for (let j = a === b ? i + 1 : b.first; j < b.end; j++)
        if (meet(6 * order[i], 6 * order[j])) visit(Math.min(order[i], order[j]), Math.max(order[i], order[j]));
  };
  const between = (a: BoxTreeNode, b: BoxTreeNode): void => {
    for (let axis = 0; axis < 3; axis++) if (a.low[axis] > b.high[axis] || b.low[axis] > a.high[axis]) return;
    // The larger one is divided, so that both become small together.
    const dividesFirst = a.halves && (!b.halves || a.end - a.first >= b.end - b.first);
    if (!a.halves && !b.halves) among(a, b);
    else if (a === b) {
      const [left, right] = a.halves!;
      between(left, left);
      between(left, right);
      between(right, right);
    } else if (dividesFirst) for (const half of a.halves!) between(half, b);
    else for (const half of b.halves!) between(a, half);
  };
  if (order.length === 0) return;
  const root = build(0, order.length);
  between(root, root);
}
