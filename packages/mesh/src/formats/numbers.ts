/** As text formats write a number; JavaScript would take more for one, such as 0x10 or nothing at all. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number that a word of a text file is; NaN when it is none, or too large to be finite. */
export function decimal(word: string): number {
  const value = DECIMAL.test(word) ? Number(word) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}
