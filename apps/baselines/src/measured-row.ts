import { mean, median } from '@gradsim/numeric';
import type { Measured } from './measured.ts';

/** A line of a table: one unknown by one method, or under one mistake of the model. */
export interface MeasuredRow {
  readonly table: string;
  readonly row: string;
  readonly unknown: string;
  /** Instances that are counted. */
  readonly n: number;
  /** Mean relative error, as the paper's; null where no instance is counted. */
  readonly measured: number | null;
  readonly median: number | null;
  readonly worst: number | null;
  /** The paper's; null where it has none. */
  readonly published: number | null;
  /** Share of the estimates that are trusted; null of methods without a verdict. */
  readonly trusted: number | null;
  /** Share of those more than four standard errors off that are not trusted; null where there are none. */
  readonly flaggedOfWrong: number | null;
  /** Share of those trusted that are within two standard errors of the truth; null where there are none. */
  readonly withinTwo: number | null;
  /** Median of the simulations of a search; null where they are not counted. */
  readonly simulations: number | null;
  /** Median of the processor time of an estimate. */
  readonly seconds: number | null;
}

/** Standard errors from the truth above which an estimate is wrong. */
const WRONG = 4;
/** Standard errors within which 95 % of estimates are. */
const RIGHT = 2;

/** An instance of a row: its truth by unknown, and its estimate. */
export interface Instance {
  readonly truth: Readonly<Record<string, number>>;
  readonly measured: Measured;
}

/** Puts instances of a row together. */
export function measuredRow(
  instances: readonly Instance[],
  { table, row, unknown, published }: Pick<MeasuredRow, 'table' | 'row' | 'unknown' | 'published'>,
): MeasuredRow {
  const each = instances.map(({ truth, measured: { values, sureness } }) => {
    const off = Math.abs(values[unknown] - truth[unknown]);
    return {
      error: off / truth[unknown],
      trusted: sureness?.trusted ?? null,
      // Off by so many standard errors; 0 where the estimate says that it knows nothing.
      sigmas: off / (sureness?.standardErrors[unknown] ?? Number.POSITIVE_INFINITY),
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
    flaggedOfWrong: shareOf(each.filter(({ sigmas }) => sigmas > WRONG).map(({ trusted }) => trusted === false)),
    withinTwo: shareOf(each.filter(({ trusted }) => trusted).map(({ sigmas }) => sigmas <= RIGHT)),
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

/** The share of those that hold; null where there are none. */
const shareOf = (holds: readonly boolean[]): number | null => (holds.length === 0 ? null : mean(holds.map(Number)));
