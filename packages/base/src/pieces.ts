/**
 * Connected components of `count` elements, where the elements of each group are connected: for each element, the
 * lowest number in its component.
 *
 * ```ts
 * connectedPieces(5, [[0, 3], [4, 3]]); // [0, 1, 2, 0, 0]
 * ```
 */
export function connectedPieces(count: number, groups: Iterable<readonly number[]>): Uint32Array {
  const parent = Uint32Array.from({ length: count }, (_, k) => k);
  const root = (k: number): number => {
    let at = k;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  for (const [a, ...others] of groups)
    for (const other of others) {
      const [x, y] = [root(a), root(other)];
      parent[Math.max(x, y)] = Math.min(x, y);
    }
  return parent.map((_, k) => root(k));
}
