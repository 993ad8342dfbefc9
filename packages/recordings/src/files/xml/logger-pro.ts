import { tableOf } from '@gradsim/base/tables';
import type { XmlElement } from '@gradsim/base/xml';
import { damagedFile, MOST_ROWS, tooLarge } from '../faults.ts';
import type { FileToOpen, RecordedFile, RecordedPart } from '../recorded.ts';
import { childOf, descendantsNamed, numberOf, rootOf } from './document.ts';

const FORMAT = "Logger Pro's file";

/** Opens a file of Logger Pro, `.cmbl`: each of its data sets is a table. */
export async function openLoggerPro({ name, bytes }: FileToOpen): Promise<RecordedFile> {
  const sets = descendantsNamed(rootOf(bytes, name, FORMAT), 'DataSet');
  const parts = sets.map((set, k) => partOf(name, set, k)).filter((part) => part !== undefined);
  if (parts.length === 0) throw damagedFile(name, FORMAT, 'it has no data set with columns');
  return { format: 'logger-pro', title: 'A file of Logger Pro', partName: 'data set', parts, remarks: [] };
}

function partOf(name: string, set: XmlElement, k: number): RecordedPart | undefined {
  const columns = descendantsNamed(set, 'DataColumn').flatMap((column) => {
    const text = (key: string): string => childOf(column, key)?.text ?? '';
    const cells = text('ColumnCells');
    if (cells === '') return [];
    const unit = text('ColumnUnits');
    const title = text('DataObjectName') || text('DataObjectShortName') || 'column';
    // A cell that was struck out or not measured has a mark in place of a number.
    return [{ title: unit === '' ? title : `${title} [${unit}]`, cells: cells.split('\n').map(numberOf) }];
  });
  if (columns.length === 0) return undefined;
  const count = Math.max(...columns.map(({ cells }) => cells.length));
  const own = childOf(set, 'DataSetName')?.text || `set ${k + 1}`;
  if (count > MOST_ROWS) throw tooLarge(name, `${count} rows in ${own}`);
  const rows = Array.from({ length: count }, (_, r) => columns.map(({ cells }) => cells[r]));
  return {
    name: own,
    description: `${count} rows: ${columns.map(({ title }) => title).join(', ')}`,
    rowContent: 'columns',
    table: async () =>
      tableOf(
        columns.map(({ title }) => title),
        rows,
        { name: `${name} ${own}` },
      ),
  };
}
