/**
 * Up to `maxCount` indices of 0 to `count` - 1, evenly spaced, including the first and the last.
 *
 * ```ts
 * evenIndices(9, 3); // [0, 4, 8]
 * ```
 */
export function evenIndices(count: number, maxCount: number): number[] {
  if (count <= maxCount) return [...Array(count).keys()];
  if (maxCount === 1) return [0];
  return Array.from({ length: maxCount }, (_, k) => Math.round((k * (count - 1)) / (maxCount - 1)));
}
