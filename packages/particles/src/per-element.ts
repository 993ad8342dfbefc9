/** One value for all elements, or one for each. */
export type OneOrEach = number | ArrayLike<number>;

/**
 * Expands an option to a value for each of `count` elements, as `scene.addMany` takes it; for functions that add many
 * similar elements.
 *
 * ```ts
 * scene.addMany(Spring, 3, { ends, stiffness: perElement(50, 3), restLength: perElement([1, 2, 1], 3) });
 * ```
 * @param value one for all elements, or one for each; undefined leaves the column at its default.
 */
export function perElement(value: OneOrEach, count: number): ArrayLike<number>;
export function perElement(value: OneOrEach | undefined, count: number): ArrayLike<number> | undefined;
export function perElement(value: OneOrEach | undefined, count: number): ArrayLike<number> | undefined {
  return typeof value === 'number' ? new Float64Array(count).fill(value) : value;
}
