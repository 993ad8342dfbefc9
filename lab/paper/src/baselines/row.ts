import { sum } from '@gradsim/base';
import { type MeasuredEstimate, type MeasuredRow, measuredRow } from '@gradsim/baselines';
import type { Trial } from '../table.ts';
import type { ObjectFound } from './methods.ts';
import { METHODS } from './methods.ts';
import type { Settings, TrainingFound } from './study.ts';

/**
 * Table rows of all methods for one unknown, over the objects whose film determines it.
 *
 * @param published the paper's mean relative errors, by row.
 */
export function baselineRows(
  trials: readonly Trial<Settings, ObjectFound | TrainingFound>[],
  { table, unknown, published }: { table: string; unknown: string; published: Readonly<Record<string, number>> },
): MeasuredRow[] {
  const training = trials.flatMap(({ found }) => (found && 'means' in found ? [found] : []));
  const objects = trials.flatMap(({ found }) =>
    found && 'methods' in found && found.determined[unknown] ? [found] : [],
  );
  const rowOf = (row: string, of: (object: ObjectFound) => MeasuredEstimate): MeasuredRow =>
    measuredRow(
      objects.map((object) => ({ truth: object.truth, measured: of(object) })),
      { table, row, unknown, published: published[row] ?? null },
    );
  const guess = (value: number): MeasuredEstimate => ({
    values: { [unknown]: value },
    sureness: null,
    simulations: null,
    seconds: 0,
  });
  const average =
    sum(training.map(({ objects, means }) => objects * means[unknown])) / sum(training.map(({ objects }) => objects));
  return [
    rowOf('Average', () => guess(average)),
    rowOf('Random', ({ random }) => guess(random[unknown])),
    ...METHODS.map((method) => rowOf(method, ({ methods }) => methods[method])),
  ];
}
