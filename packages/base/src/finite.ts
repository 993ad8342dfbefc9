/** Number for JSON, which has no infinity and no NaN: null in their place. */
export const nullIfInfinite = (value: number): number | null => (Number.isFinite(value) ? value : null);
