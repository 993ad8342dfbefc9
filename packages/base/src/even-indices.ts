/**
 * Up to `most` indices of 0 to `count` - 1, evenly spaced, including the first and the last.
 *
 * ```ts
 * evenIndices(9, 3); // [0, 4, 8]
 * ```
 */
export function evenIndices(count: number, most: number): number[] {
  if (count <= most) return [...Array(count).keys()];
  if (most === 1) return [0];
  return Array.from({ length: most }, (_, k) => Math.round((k * (count - 1)) / (most - 1)));
}
