import type { MeasuredRow } from '@gradsim/baselines';
import type { Column } from './table.ts';
import { figure, percent } from './table.ts';

/** Columns of tables whose rows include the verdict on estimates. */
export const MEASURED_COLUMNS: readonly Column<MeasuredRow>[] = [
  { head: 'row', cell: ({ row }) => row },
  { head: 'unknown', cell: ({ unknown }) => unknown },
  { head: 'n', cell: ({ n }) => String(n) },
  { head: 'measured', cell: ({ measured }) => figure(measured) },
  { head: 'median', cell: (row) => figure(row.median) },
  { head: 'worst', cell: ({ worst }) => figure(worst) },
  { head: 'paper', cell: ({ published }) => figure(published) },
  { head: 'trusted', cell: ({ trusted }) => percent(trusted) },
  { head: 'flagged of wrong', cell: ({ flaggedOfWrong }) => percent(flaggedOfWrong) },
  { head: 'within two', cell: ({ withinTwo }) => percent(withinTwo) },
  { head: 'simulations', cell: ({ simulations }) => (simulations === null ? '-' : String(Math.round(simulations))) },
  { head: 'seconds', cell: ({ seconds }) => (seconds === null ? '-' : seconds.toFixed(1)) },
];
