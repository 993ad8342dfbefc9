import { mean, median } from '@gradsim/numeric';
import type { Column, Trial } from './table.ts';
import { figure, percent } from './table.ts';

/** Result of a trial of a table, as a study keeps it. */
export interface Found {
  readonly row: string;
  /** Error of each unknown: relative, or of angles in rad. */
  readonly errors: Readonly<Record<string, number>>;
  /** Part of each unknown's values that is determined; an unknown of one value is or is not. */
  readonly determined: Readonly<Record<string, number>>;
  /** True if the result says of an unknown that it is known to no 1 %: by its standard error, or as it is not trusted. */
  readonly named: Readonly<Record<string, boolean>>;
  readonly trusted: boolean;
  readonly findings: readonly string[];
  /** Processor time of the estimation, s. */
  readonly seconds: number;
}

/** A line of a table: one unknown of one row. */
export interface Row {
  readonly table: string;
  readonly row: string;
  readonly unknown: string;
  /** Number of instances. */
  readonly n: number;
  /** Instances of which the estimation failed; their errors count as infinite. */
  readonly failed: number;
  /** Share of the unknown's values that a film of one grey level's noise determines to 1 %. */
  readonly determined: number;
  /** Over instances that are counted; null where none is. */
  readonly median: number | null;
  readonly mean: number | null;
  readonly quartiles: readonly [number, number] | null;
  readonly worst: number | null;
  /** The paper's mean error; null where it has none. */
  readonly published: number | null;
  /** Share of the instances counted whose error is below that. */
  readonly belowPublished: number | null;
  /** Share of the instances counted whose estimate is trusted. */
  readonly trusted: number | null;
  /**
   * Share of the instances not determined whose result says so: not trusted, or with a standard error above 1 %. Null where all are
   * determined.
   */
  readonly named: number | null;
  /** Median of the processor time of an estimation. */
  readonly seconds: number;
}

/** Names of a row, and which of its errors count. */
export interface RowOptions extends Pick<Row, 'table' | 'row' | 'unknown' | 'published'> {
  /** True if instances of which the unknown is not determined are left out of the errors. */
  readonly onlyDetermined: boolean;
}

/** Puts the trials of a row together. */
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
    named: shareOf(undetermined.map(({ named }) => named[unknown])),
    seconds: found.length === 0 ? 0 : median(found.map(({ seconds }) => seconds)),
  };
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
  { head: 'seconds', cell: ({ seconds }) => seconds.toFixed(1) },
];

/** The share of those that hold; null where there are none. */
export const shareOf = (holds: readonly boolean[]): number | null =>
  holds.length === 0 ? null : holds.filter(Boolean).length / holds.length;

/** Quantile of a sorted list, by linear interpolation between its values. */
function quantile(sorted: readonly number[], part: number): number {
  const at = part * (sorted.length - 1);
  const below = Math.floor(at);
  const rest = at - below;
  return rest === 0 ? sorted[below] : (1 - rest) * sorted[below] + rest * sorted[below + 1];
}
