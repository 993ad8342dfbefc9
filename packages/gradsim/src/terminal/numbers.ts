import { asymmetricEnds } from '@gradsim/base';

/** Magnitude below which the value of an undetermined parameter is printed as 0, in any unit. */
const MIN_PRINTED = 1e-20;

/** Formats a number to `digits` significant digits; very small and large ones with a power of ten. */
export function formatNumber(value: number, digits = 5): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 1e6) return String(Number(value.toPrecision(digits)));
  return value.toExponential(digits - 1).replace(/\.?0*e\+?/, 'e');
}

/**
 * Formats an estimate to the digits that its standard error makes significant, and two more: 4 to 9 in total. An
 * undetermined estimate, with an infinite standard error, is formatted to two digits, in brackets, as 0 if it is
 * vanishingly small.
 */
export function formatEstimate(value: number, standardError: number | null): string {
  if (standardError === Number.POSITIVE_INFINITY)
    return Math.abs(value) < MIN_PRINTED ? '(0)' : `(${formatNumber(value, 2)})`;
  if (!standardError || !Number.isFinite(standardError)) return formatNumber(value, 6);
  const digits = Math.ceil(Math.log10(Math.abs(value) / standardError)) + 2;
  return formatNumber(value, Math.min(9, Math.max(4, Number.isFinite(digits) ? digits : 4)));
}

/**
 * Formats a standard error; `none` replaces a missing one.
 * @param interval 95 % interval, printed as a bound if only one of its ends is finite.
 * @param estimate its estimate: if the interval reaches much further to one side of it, both ends are printed instead.
 */
export function formatStandardError(
  standardError: number | null,
  none: string,
  interval?: readonly [number, number] | null,
  estimate = Number.NaN,
): string {
  if (standardError === null) return none;
  const ends = asymmetricEnds(estimate, interval);
  if (ends) return `95 %: ${ends.map((end) => formatNumber(end, 2)).join(' to ')}`;
  if (Number.isFinite(standardError)) return formatNumber(standardError, 2);
  const [low, high] = interval ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (Number.isFinite(low)) return `above ${formatNumber(low, 2)}`;
  return Number.isFinite(high) ? `below ${formatNumber(high, 2)}` : 'not determined';
}

/**
 * Formats the error of an estimate: in percent of the truth, or absolute if the truth is 0. Empty if the truth is
 * unknown.
 */
export function formatError(estimate: number, truth: number | undefined): string {
  if (truth === undefined) return '';
  const difference = estimate - truth;
  const sign = difference < 0 ? '-' : '+';
  if (truth === 0) return `${sign}${formatNumber(Math.abs(difference), 3)}`;
  return `${sign}${formatNumber(Math.abs((100 * difference) / truth), 3)} %`;
}

/** Unit with raised digits, as in m/s². */
export const formatUnit = (unit: string): string => unit.replaceAll('^2', '²').replaceAll('^3', '³');

/** Formats a duration given in seconds. */
export function formatSeconds(seconds: number): string {
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
