/** A date and time (ISO 8601, with a blank or a T between), or a time of day: groups are days, hours, minutes, seconds. */
const TIME_PATTERN =
  /^(?:(\d{4})[-/](\d{2})[-/](\d{2})[T ])?(\d{1,2}):(\d{2}):(\d{2}(?:[.,]\d+)?)(Z|[+-]\d{2}:?\d{2})?$/i;

/** True for a date with a time, and for a time of day. */
export const looksLikeTime = (cell: string): boolean => cell.includes(':') && TIME_PATTERN.test(cell);

/** Seconds from 1970 to a date and time, whole ones and the rest apart, so that nanoseconds stay; undefined for other texts. */
export function secondsOfText(cell: string): { readonly whole: number; readonly rest: number } | undefined {
  const [, year, month, day, hours, minutes, seconds, zone] = TIME_PATTERN.exec(cell) ?? [];
  if (hours === undefined) return undefined;
  const [own, rest = '0'] = seconds.replace(',', '.').split('.');
  const days = year === undefined ? 0 : Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000;
  const east = zone === undefined || zone.toUpperCase() === 'Z' ? 0 : zoneOffset(zone);
  return { whole: days + Number(hours) * 3600 + Number(minutes) * 60 + Number(own) - east, rest: Number(`0.${rest}`) };
}

const zoneOffset = (zone: string): number => {
  const digits = zone.slice(1).replace(':', '');
  return (zone[0] === '-' ? -60 : 60) * (60 * Number(digits.slice(0, 2)) + Number(digits.slice(2)));
};
