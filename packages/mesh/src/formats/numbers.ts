/**
 * Pattern of a decimal number in text formats; JavaScript's own parsing accepts more, such as 0x10 or an empty string.
 */
const DECIMAL_PATTERN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Parses a word of a text file; NaN if it is not a decimal number, or overflows. */
export function parseDecimal(word: string): number {
  const value = DECIMAL_PATTERN.test(word) ? Number(word) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}
