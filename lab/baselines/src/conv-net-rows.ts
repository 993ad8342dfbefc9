import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Instance, type MeasuredRow, measuredRow } from './measured-row.ts';

/** Mean relative errors that the paper gives for its ConvLSTM. */
const PUBLISHED = [
  { table: 'table-1', unknown: 'mass', published: 0.0094 },
  { table: 'table-2', unknown: 'mass', published: 0.029 },
  { table: 'table-2', unknown: 'ke', published: 0.14 },
  { table: 'table-2', unknown: 'kd', published: 0.14 },
  { table: 'table-2', unknown: 'kf', published: 0.17 },
  { table: 'table-2', unknown: 'mu', published: 0.096 },
] as const;

/** File in the network's folder that holds its rows, a line of JSON each. */
export const CONV_NET_ROWS = 'rows.jsonl';

/** Computes the network's rows of Tables 1 and 2 from its predictions. */
export const convNetRows = (instances: readonly Instance[]): MeasuredRow[] =>
  PUBLISHED.map((line) => measuredRow(instances, { ...line, row: 'ConvNet' }));

/**
 * Reads the network's rows of a table from the folder that `npm run -s conv-net` wrote; rows with n = 0 if it has not run
 * there.
 *
 * ```ts
 * const [mass] = readConvNetRows('out/conv-net', 'table-1');
 * ```
 */
export function readConvNetRows(folder: string, table: string): MeasuredRow[] {
  const file = join(folder, CONV_NET_ROWS);
  const rows = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as MeasuredRow)
    : convNetRows([]);
  return rows.filter((row) => row.table === table);
}
