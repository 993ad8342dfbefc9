import { type MeasuredRow, measuredRow } from '@gradsim/baselines';
import { MEASURED_COLUMNS } from '../measured-columns.ts';
import { defineTable } from '../table.ts';
import { WRONG_MODEL_NAMES, WRONG_MODELS } from './rows.ts';
import type { Found, Settings } from './study.ts';

/** Left part of Table 4, over the objects whose film determines the mass. */
export const table4 = defineTable<Settings, Found, MeasuredRow>({
  name: 'table-4',
  study: new URL('../../src/wrong-models/study.ts', import.meta.url),
  count: 90,
  quickCount: 3,
  rowsOf: (trials) =>
    WRONG_MODEL_NAMES.map((row) => {
      const own = trials.filter(({ settings }) => settings.row === row).flatMap(({ found }) => found ?? []);
      const { published } = WRONG_MODELS[row];
      return measuredRow(
        own.filter(({ determined }) => determined),
        { table: 'table-4', row, unknown: 'mass', published },
      );
    }),
  columns: MEASURED_COLUMNS,
});
