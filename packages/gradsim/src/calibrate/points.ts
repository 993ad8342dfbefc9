import { lengthUnitOf, numberIn, readTable } from '@gradsim/base/tables';
import type { Point2, Point3 } from '@gradsim/cameras';
import { GradsimError } from '@gradsim/core';
import { bytesOfFile } from '../files/file-content.ts';

const COLUMNS = ['px', 'py', 'x', 'y', 'z'] as const;

/** Known points and where they are seen, and what was decided about their table. */
export interface KnownPoints {
  readonly points: Point3[];
  readonly pixels: Point2[];
  readonly read: string;
}

/**
 * Known points from a table with the columns px, py (pixels from the left and the upper edge) and x, y, z (m, unless the
 * headings name another unit; y upwards).
 * @throws for an invalid file, naming line, column and value.
 */
export function knownPoints(file: string): KnownPoints {
  const table = readTable(bytesOfFile(file, 'file of points'), { name: file });
  const headings = COLUMNS.map((name) => table.headings.find((heading) => heading.name === name)!);
  const missing = COLUMNS.filter((_, k) => !headings[k]);
  if (missing.length > 0)
    throw new GradsimError('gradsim/column-missing', `${file} has no column ${missing.join(', ')}.`, {
      hint: `Its first line must name ${COLUMNS.join(',')}.`,
    });
  const { factor, name } = lengthUnitOf(table, headings.slice(2));
  const points: Point3[] = [];
  const pixels: Point2[] = [];
  for (const row of table.rows) {
    const [px, py, x, y, z] = headings.map((heading) => {
      const value = numberIn(table, row, heading);
      if (!Number.isNaN(value)) return value;
      throw new GradsimError('gradsim/not-a-number', `${file}, line ${row.line}: ${heading.title} is empty.`, {
        hint: 'It must be a number.',
      });
    });
    points.push([x * factor, y * factor, z * factor]);
    // Lenses count pixels from the middle of the first.
    pixels.push([px - 0.5, py - 0.5]);
  }
  return { points, pixels, read: `x y z in ${name}${table.decimalComma ? '; decimal commas' : ''}` };
}
