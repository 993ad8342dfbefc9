import { mean, median } from '@gradsim/base';
import type { MeasuredEstimate } from './measured.ts';

/** A table row of one unknown, for one method or one wrong model. */
export interface MeasuredRow {
  readonly table: string;
  readonly row: string;
  readonly unknown: string;
  /** Number of instances counted. */
  readonly n: number;
  /** Mean relative error, the paper's measure; null if no instance is counted. */
  readonly measured: number | null;
  readonly median: number | null;
  readonly worst: number | null;
  /** Mean relative error published in the paper; null if it has none. */
  readonly published: number | null;
  /** Fraction of the estimates that are trusted; null for methods without a verdict. */
  readonly trusted: number | null;
  /** Fraction not trusted among the estimates more than four standard errors from the truth; null if there are none. */
  readonly flaggedOfWrong: number | null;
  /** Fraction of the trusted estimates that are within two standard errors of the truth; null if none is trusted. */
  readonly withinTwo: number | null;
  /** Median number of simulations of a search; null if they are not counted. */
  readonly simulations: number | null;
  /** Median processor time of an estimate, s. */
  readonly seconds: number | null;
}

/** Distance from the truth above which an estimate is wrong, in standard errors. */
const WRONG_FACTOR = 4;
/** Relative error up to which an estimate is right whatever its standard error: half an ulp of single precision. */
const EQUALITY_TOLERANCE = 2 ** -24;
/** Distance from the truth within which about 95 % of good estimates lie, in standard errors. */
const RIGHT_FACTOR = 2;

/** True if an estimate differs from the truth by far more than its standard error says. */
export function isWrong(estimate: number, truth: number, standardError: number | null | undefined): boolean {
  const off = Math.abs(estimate - truth);
  // Without a standard error an estimate claims to know nothing.
  return off > WRONG_FACTOR * (standardError ?? Number.POSITIVE_INFINITY) && off > EQUALITY_TOLERANCE * Math.abs(truth);
}

/** An instance of a row: the true values by unknown, and the estimate. */
export interface Instance {
  readonly truth: Readonly<Record<string, number>>;
  readonly measured: MeasuredEstimate;
}

/** Computes a row from its instances. */
export function measuredRow(
  instances: readonly Instance[],
  { table, row, unknown, published }: Pick<MeasuredRow, 'table' | 'row' | 'unknown' | 'published'>,
): MeasuredRow {
  const each = instances.map(({ truth, measured: { values, sureness } }) => {
    const off = Math.abs(values[unknown] - truth[unknown]);
    const standardError = sureness?.standardErrors[unknown];
    return {
      error: off / truth[unknown],
      trusted: sureness?.trusted ?? null,
      isWrong: isWrong(values[unknown], truth[unknown], standardError),
      isWithin: off <= RIGHT_FACTOR * (standardError ?? Number.POSITIVE_INFINITY),
    };
  });
  const errors = each.map(({ error }) => error);
  const measures = instances.map(({ measured }) => measured);
  const over = (values: readonly number[], of: (values: readonly number[]) => number): number | null =>
    values.length === 0 ? null : of(values);
  return {
    table,
    row,
    unknown,
    n: instances.length,
    measured: over(errors, mean),
    median: over(errors, median),
    worst: over(errors, (values) => Math.max(...values)),
    published,
    trusted: shareOf(each.flatMap(({ trusted }) => trusted ?? [])),
    flaggedOfWrong: shareOf(each.filter(({ isWrong }) => isWrong).map(({ trusted }) => trusted === false)),
    withinTwo: shareOf(each.filter(({ trusted }) => trusted).map(({ isWithin }) => isWithin)),
    simulations: over(
      measures.flatMap(({ simulations }) => simulations ?? []),
      median,
    ),
    seconds: over(
      measures.map(({ seconds }) => seconds),
      median,
    ),
  };
}

/** Fraction of true values; null for an empty list. */
export const shareOf = (holds: readonly boolean[]): number | null =>
  holds.length === 0 ? null : mean(holds.map(Number));
