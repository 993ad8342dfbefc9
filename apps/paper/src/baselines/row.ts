import { mean, median, sum } from '@gradsim/numeric';
import { shareOf } from '../row.ts';
import type { Column, Trial } from '../table.ts';
import { figure, percent } from '../table.ts';
import type { MethodFound, ObjectFound } from './methods.ts';
import { METHODS } from './methods.ts';
import type { Settings, TrainingFound } from './study.ts';

/** A line of a table: one unknown by one method. */
export interface BaselineRow {
  readonly table: string;
  readonly row: string;
  readonly unknown: string;
  /** Objects that are counted: those whose film determines the unknown. */
  readonly n: number;
  /** Mean relative error, as the paper's; null where no object is counted. */
  readonly measured: number | null;
  readonly median: number | null;
  readonly worst: number | null;
  /** The paper's; null where it has none. */
  readonly published: number | null;
  /** Share of the estimates that are trusted; null of methods without a verdict. */
  readonly trusted: number | null;
  /** Share of those more than four standard errors off that are not trusted; null where there are none. */
  readonly flaggedOfWrong: number | null;
  /** Median of the simulations of a search; null where they are not counted. */
  readonly simulations: number | null;
  /** Median of the processor time of an estimate. */
  readonly seconds: number | null;
}

/** Standard errors from the truth above which an estimate is wrong. */
const WRONG = 4;

/** An estimate with what it says of itself; standard errors that are infinite are null. */
interface Guess extends Omit<MethodFound, 'values' | 'sureness'> {
  readonly error: number;
  readonly trusted: boolean | null;
  readonly isWrong: boolean;
}

/** Rows of all methods for one unknown. @param published the paper's mean errors, by row. */
export function baselineRows(
  trials: readonly Trial<Settings, ObjectFound | TrainingFound>[],
  { table, unknown, published }: { table: string; unknown: string; published: Readonly<Record<string, number>> },
): BaselineRow[] {
  const training = trials.flatMap(({ found }) => (found && 'means' in found ? [found] : []));
  const objects = trials.flatMap(({ found }) =>
    found && 'methods' in found && found.determined[unknown] ? [found] : [],
  );
  const average =
    sum(training.map(({ objects, means }) => objects * means[unknown])) / sum(training.map((t) => t.objects));
  const simple = (row: string, guess: (object: ObjectFound) => number): BaselineRow =>
    rowOf(
      row,
      objects.map((object) =>
        guessOf(object, { values: { [unknown]: guess(object) }, sureness: null, simulations: null, seconds: 0 }),
      ),
    );
  const guessOf = ({ truth }: ObjectFound, { values, sureness, simulations, seconds }: MethodFound): Guess => {
    const off = Math.abs(values[unknown] - truth[unknown]);
    const standardError = sureness?.standardErrors[unknown] ?? Number.POSITIVE_INFINITY;
    return {
      error: off / truth[unknown],
      trusted: sureness?.trusted ?? null,
      isWrong: off > WRONG * standardError,
      simulations,
      seconds,
    };
  };
  const rowOf = (row: string, guesses: readonly Guess[]): BaselineRow => {
    const errors = guesses.map(({ error }) => error);
    const over = <T>(values: readonly T[], of: (values: readonly T[]) => number): number | null =>
      values.length === 0 ? null : of(values);
    return {
      table,
      row,
      unknown,
      n: guesses.length,
      measured: over(errors, mean),
      median: over(errors, median),
      worst: over(errors, (values) => Math.max(...values)),
      published: published[row] ?? null,
      trusted: shareOf(guesses.flatMap(({ trusted }) => trusted ?? [])),
      flaggedOfWrong: shareOf(guesses.filter(({ isWrong }) => isWrong).map(({ trusted }) => trusted === false)),
      simulations: over(
        guesses.flatMap(({ simulations }) => simulations ?? []),
        median,
      ),
      seconds: over(
        guesses.map(({ seconds }) => seconds),
        median,
      ),
    };
  };
  return [
    simple('Average', () => average),
    simple('Random', ({ random }) => random[unknown]),
    ...METHODS.map((method) =>
      rowOf(
        method,
        objects.map((object) => guessOf(object, object.methods[method])),
      ),
    ),
  ];
}

export const BASELINE_COLUMNS: readonly Column<BaselineRow>[] = [
  { head: 'row', cell: ({ row }) => row },
  { head: 'unknown', cell: ({ unknown }) => unknown },
  { head: 'n', cell: ({ n }) => String(n) },
  { head: 'measured', cell: ({ measured }) => figure(measured) },
  { head: 'median', cell: (row) => figure(row.median) },
  { head: 'worst', cell: ({ worst }) => figure(worst) },
  { head: 'paper', cell: ({ published }) => figure(published) },
  { head: 'trusted', cell: ({ trusted }) => percent(trusted) },
  { head: 'flagged of wrong', cell: ({ flaggedOfWrong }) => percent(flaggedOfWrong) },
  { head: 'simulations', cell: ({ simulations }) => (simulations === null ? '-' : String(Math.round(simulations))) },
  { head: 'seconds', cell: ({ seconds }) => (seconds === null ? '-' : seconds.toFixed(1)) },
];
