import { mean, median } from '@gradsim/base';
import { isWrong, shareOf } from '@gradsim/baselines';
import type { Estimate } from '@gradsim/optim';
import type { Column, Trial } from './table.ts';
import { figure, percent } from './table.ts';

/** Result of a trial of a table, as stored by the study. */
export interface Found {
  readonly row: string;
  /** Error of each unknown: relative, or in rad for an angle. */
  readonly errors: Readonly<Record<string, number>>;
  /** Fraction of each unknown's values that the film determines; 0 or 1 for an unknown of a single value. */
  readonly determined: Readonly<Record<string, number>>;
  /**
   * For each unknown, true if the result says that it is not known to 1 %: its standard error is larger, or the result
   * is not trusted.
   */
  readonly named: Readonly<Record<string, boolean>>;
  readonly trusted: boolean;
  readonly findings: readonly string[];
  /** Estimates, standard errors and true values; a parameter's name begins with its unknown's, if it has several. */
  readonly parameters: Estimate['parameters'];
  /** Processor time of the estimation, s. */
  readonly seconds: number;
}

/** A line of a table: one unknown of one row. */
export interface Row {
  readonly table: string;
  readonly row: string;
  readonly unknown: string;
  /** Number of instances, including failed ones. */
  readonly n: number;
  /** Number of instances whose estimation failed; their errors count as infinite. */
  readonly failed: number;
  /** Fraction of the unknown's values that a film with noise of one grey level determines to 1 %. */
  readonly determined: number;
  /** Median, mean, quartiles and maximum of the error over the instances counted; null if there are none. */
  readonly median: number | null;
  readonly mean: number | null;
  readonly quartiles: readonly [number, number] | null;
  readonly worst: number | null;
  /** Mean error published in the paper; null if it has none. */
  readonly published: number | null;
  /** Fraction of the instances counted whose error is below `published`. */
  readonly belowPublished: number | null;
  /** Fraction of the instances counted whose estimate is trusted. */
  readonly trusted: number | null;
  /**
   * Fraction not trusted among the instances in which a value of the unknown is more than four standard errors from the
   * truth; null if there are none.
   */
  readonly flaggedOfWrong: number | null;
  /**
   * Fraction of the instances with an undetermined unknown whose result says so: it is not trusted, or its standard
   * error is above 1 %. Null if all are determined.
   */
  readonly named: number | null;
  /** Median processor time of an estimation, s. */
  readonly seconds: number;
}

/** Names of a row, its published error, and which instances count. */
export interface RowOptions extends Pick<Row, 'table' | 'row' | 'unknown' | 'published'> {
  /** True to leave out errors of instances whose film does not determine the unknown. */
  readonly onlyDetermined: boolean;
}

/** Computes a row from its trials. */
export function rowOf(
  trials: readonly Trial<{ readonly row: string }, Found>[],
  { table, row, unknown, published, onlyDetermined }: RowOptions,
): Row {
  const own = trials.filter(({ settings }) => settings.row === row);
  const found = own.flatMap((trial) => trial.found ?? []);
  const failed = own.length - found.length;
  const counted = found.filter(({ determined }) => !onlyDetermined || determined[unknown] === 1);
  const errors = [
    ...counted.map(({ errors }) => errors[unknown]),
    ...Array<number>(failed).fill(Number.POSITIVE_INFINITY),
  ].sort((a, b) => a - b);
  const isEmpty = errors.length === 0;
  const undetermined = found.filter(({ determined }) => determined[unknown] < 1);
  return {
    table,
    row,
    unknown,
    n: own.length,
    failed,
    determined: found.length === 0 ? 0 : mean(found.map(({ determined }) => determined[unknown])),
    median: isEmpty ? null : median(errors),
    mean: isEmpty ? null : mean(errors),
    quartiles: isEmpty ? null : [quantile(errors, 0.25), quantile(errors, 0.75)],
    worst: errors.at(-1) ?? null,
    published,
    belowPublished: published === null ? null : shareOf(errors.map((error) => error < published)),
    trusted: shareOf([...counted.map(({ trusted }) => trusted), ...Array<boolean>(failed).fill(false)]),
    flaggedOfWrong: shareOf(found.filter((each) => hasWrong(each, unknown)).map(({ trusted }) => !trusted)),
    named: shareOf(undetermined.map(({ named }) => named[unknown])),
    seconds: found.length === 0 ? 0 : median(found.map(({ seconds }) => seconds)),
  };
}

/** True if a value of an unknown is wrong; see {@link isWrong}. */
function hasWrong({ errors, parameters }: Found, unknown: string): boolean {
  const isAlone = Object.keys(errors).length === 1;
  return Object.entries(parameters).some(([name, { estimate, truth, standardError }]) => {
    const isOwn = isAlone || name.split(' ')[0] === unknown;
    return isOwn && isWrong(estimate, truth!, standardError);
  });
}

export const ROW_COLUMNS: readonly Column<Row>[] = [
  { head: 'row', cell: ({ row }) => row },
  { head: 'unknown', cell: ({ unknown }) => unknown },
  { head: 'n', cell: ({ n }) => String(n) },
  { head: 'determined', cell: ({ determined }) => percent(determined) },
  { head: 'median', cell: (row) => figure(row.median) },
  { head: 'mean', cell: (row) => figure(row.mean) },
  { head: 'worst', cell: ({ worst }) => figure(worst) },
  { head: 'paper', cell: ({ published }) => figure(published) },
  { head: 'below it', cell: ({ belowPublished }) => percent(belowPublished) },
  { head: 'trusted', cell: ({ trusted }) => percent(trusted) },
  { head: 'flagged of wrong', cell: ({ flaggedOfWrong }) => percent(flaggedOfWrong) },
  { head: 'seconds', cell: ({ seconds }) => seconds.toFixed(1) },
];

/** Quantile of a sorted list, by linear interpolation between its values. */
export function quantile(sorted: readonly number[], part: number): number {
  const at = part * (sorted.length - 1);
  const below = Math.floor(at);
  const rest = at - below;
  return rest === 0 ? sorted[below] : (1 - rest) * sorted[below] + rest * sorted[below + 1];
}
