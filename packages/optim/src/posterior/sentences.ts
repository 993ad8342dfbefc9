/** Maximum number of names that a note lists. */
export const MAX_NAMED = 6;

/** Joins names for a note: the first few, and how many others there are. */
export const listed = (names: readonly string[]): string =>
  names.length > MAX_NAMED
    ? `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length === MAX_NAMED + 1 ? 'one other' : `${names.length - MAX_NAMED} others`}`
    : names.join(', ');

/** Formats a number with two significant digits. */
export const twoDigits = (value: number): string => String(Number(value.toPrecision(2)));

/** Formats a number with enough significant digits to distinguish it from another one, 4 to 12. */
export function formatDistinctFrom(value: number, other: number): string {
  const digits = Math.ceil(-Math.log10(Math.abs(value - other) / Math.abs(value))) + 1;
  return String(Number(value.toPrecision(Math.min(12, Math.max(4, Number.isFinite(digits) ? digits : 4)))));
}
