import type { Found, Row } from '../row.ts';
import { ROW_COLUMNS, rowOf } from '../row.ts';
import { type AnyTable, defineTable } from '../table.ts';
import type { ObjectUnknown } from './study.ts';

/** Defines a table of held-out objects. @param published the paper's mean relative errors, by unknown. */
const objectTable = (
  name: string,
  module: string,
  quickCount: number,
  published: Readonly<Partial<Record<ObjectUnknown, number>>>,
): AnyTable =>
  defineTable<{ readonly instance: number; readonly row: string }, Found, Row>({
    name,
    study: new URL(`../../src/objects/${module}.ts`, import.meta.url),
    count: 200,
    quickCount,
    rowsOf: (trials) =>
      Object.entries(published).map(([unknown, mean]) =>
        rowOf(trials, { table: name, row: 'objects', unknown, published: mean, onlyDetermined: true }),
      ),
    columns: ROW_COLUMNS,
  });

export const table1 = objectTable('table-1', 'mass', 20, { mass: 9.01e-5 });

export const table2 = objectTable('table-2', 'contact', 7, {
  mass: 2.87e-4,
  ke: 2.6e-3,
  kd: 0.4,
  kf: 1.7e-3,
  mu: 7.3e-3,
});
