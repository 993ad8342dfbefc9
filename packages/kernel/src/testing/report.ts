import { GradsimError } from '@gradsim/base';
/** One comparison of a check. */
export interface Finding {
  /** Display name of the comparison. */
  readonly comparison: string;
  readonly error: number;
  readonly tolerance: number;
  readonly kind?: 'transpose' | 'differences';
  /** Details that help to find the cause: the numbers compared, the step. */
  readonly detail?: string;
}

export const passes = ({ error, tolerance }: Finding): boolean => error <= tolerance;

/** Maximum number of passed findings for which a report lists each one. */
const MAX_LISTED = 40;

/** Throws with the findings, the failed ones first, if one of them exceeds its tolerance. */
export function refuseFailures(title: string, findings: readonly Finding[], hint?: string): void {
  const failed = findings.filter((f) => !passes(f));
  if (failed.length === 0) return;
  const line = (f: Finding): string =>
    `  ${passes(f) ? 'ok    ' : 'FAILED'} ${f.comparison}: error ${f.error.toExponential(2)}, allowed ${f.tolerance.toExponential(0)}${f.detail ? ` (${f.detail})` : ''}`;
  const passed = findings.filter(passes);
  throw new GradsimError(
    'kernel/comparison-failed',
    [
      `${title}: ${failed.length} of ${findings.length} comparisons failed.`,
      ...failed.map(line),
      ...(passed.length <= MAX_LISTED ? passed.map(line) : []),
      ...(hint ? [hint] : []),
    ].join('\n'),
  );
}

/** Returns |a - b| relative to the largest of |a|, |b| and `floor`; 0 if all are 0, infinite if one is not finite. */
export function relativeDifference(a: number, b: number, floor = 0): number {
  const difference = Math.abs(a - b);
  if (difference === 0) return 0;
  const error = difference / Math.max(Math.abs(a), Math.abs(b), floor);
  return Number.isFinite(error) ? error : Number.POSITIVE_INFINITY;
}

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
};

/**
 * Returns the size of a sum of products without cancellation: the root mean square over random signs of its terms. An
 * error relative to the sum itself has no bound when weights are random.
 */
export const dotSize = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] * b[k]) ** 2;
  return Math.sqrt(sum);
};
export const length = (a: ArrayLike<number>): number => Math.sqrt(dot(a, a));
