/** Writes a number with two significant digits. */
export const short = (value: number): string => String(Number(value.toPrecision(2)));

/** Writes a number with as many digits as distinguish it from another, at least 4. */
export function toldFrom(value: number, other: number): string {
  const digits = Math.ceil(-Math.log10(Math.abs(value - other) / Math.abs(value))) + 1;
  return String(Number(value.toPrecision(Math.min(12, Math.max(4, Number.isFinite(digits) ? digits : 4)))));
}
