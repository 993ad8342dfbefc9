import type { MeasuredRow } from '@gradsim/baselines';
import { MEASURED_COLUMNS } from '../measured-columns.ts';
import type { ObjectUnknown } from '../objects/study.ts';
import type { Found, Row } from '../row.ts';
import { ROW_COLUMNS, rowOf } from '../row.ts';
import { type AnyTable, defineTable } from '../table.ts';
import type { ObjectFound } from './methods.ts';
import { baselineRows } from './row.ts';
import type { Settings, TrainingFound } from './study.ts';

/** Mean relative errors published in the paper, by row. */
type Published = Readonly<Record<string, number>>;

const baselineTable = (
  table: string,
  module: string,
  counts: Pick<AnyTable, 'count' | 'quickCount'>,
  published: Readonly<Partial<Record<ObjectUnknown, Published>>>,
): AnyTable =>
  defineTable<Settings, ObjectFound | TrainingFound, MeasuredRow>({
    name: `${table}-baselines`,
    study: new URL(`../../src/baselines/${module}.ts`, import.meta.url),
    ...counts,
    rowsOf: (trials) =>
      Object.entries(published).flatMap(([unknown, of]) => baselineRows(trials, { table, unknown, published: of })),
    columns: MEASURED_COLUMNS,
  });

/** Comparison methods of Table 1. The paper's REINFORCE used another simulator, PyBullet. */
export const baselines1 = baselineTable(
  'table-1',
  'mass',
  { count: 200, quickCount: 2 },
  {
    mass: { Average: 0.1031, Random: 0.1344, REINFORCE: 0.3668, DiffPhysics: 5.17e-9, gradsim: 9.01e-5 },
  },
);

/** Comparison methods of Table 2. */
export const baselines2 = baselineTable(
  'table-2',
  'contact',
  { count: 25, quickCount: 1 },
  {
    mass: { Average: 1.771, Random: 10.001, DiffPhysics: 1.7e-8, gradsim: 2.87e-4 },
    ke: { Average: 2.341, Random: 2.545, DiffPhysics: 0.002, gradsim: 2.6e-3 },
    kd: { Average: 3.715, Random: 4.18, DiffPhysics: 0.036, gradsim: 0.4 },
    kf: { Average: 4.116, Random: 5.024, DiffPhysics: 1e-3, gradsim: 1.7e-3 },
    mu: { Average: 0.446, Random: 0.556, DiffPhysics: 0.0107, gradsim: 7.3e-3 },
  },
);

/** DiffPhysics rows of Table 3. */
export const baselines3 = defineTable<{ readonly instance: number; readonly row: string }, Found, Row>({
  name: 'table-3-baselines',
  study: new URL('../../src/baselines/soft-states.ts', import.meta.url),
  count: 100,
  quickCount: 1,
  rowsOf: (trials) =>
    [
      { row: 'soft block', unknown: 'mass', published: 0.032 },
      { row: 'ball', unknown: 'mu', published: 0.0025 },
      { row: 'ball', unknown: 'lambda', published: 0.0024 },
      { row: 'beam', unknown: 'mu', published: 0.0025 },
      { row: 'beam', unknown: 'lambda', published: 0.0024 },
      { row: 'cloth', unknown: 'velocity', published: 0.127 },
    ].map((line) => {
      const row = rowOf(trials, { table: 'table-3', onlyDetermined: false, ...line });
      return { ...row, row: `DiffPhysics: ${row.row}` };
    }),
  columns: ROW_COLUMNS,
});
