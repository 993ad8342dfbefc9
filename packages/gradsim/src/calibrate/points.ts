import type { Point2, Point3 } from '@gradsim/cameras';
import { GradsimError } from '@gradsim/core';
import { textOfFile } from '../run/text-of-file.ts';

const COLUMNS = ['px', 'py', 'x', 'y', 'z'] as const;

/**
 * Known points from a CSV with the columns px, py (pixels from the left and the upper edge) and x, y, z (m, y upwards).
 * @throws for an invalid file, naming line, column and value.
 */
export function knownPoints(file: string): { points: Point3[]; seen: Point2[] } {
  const lines = textOfFile(file, 'file of points')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, k) => ({ cells: line.split(/[,;\t]/).map((cell) => cell.trim()), at: k + 1 }))
    .filter(({ cells }) => cells.some((cell) => cell !== '') && !cells[0].startsWith('#'));
  const names = lines[0]?.cells.map((name) => name.toLowerCase()) ?? [];
  const missing = COLUMNS.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new GradsimError('gradsim/column-missing', `${file} has no column ${missing.join(', ')}.`, {
      hint: `Its first line must name ${COLUMNS.join(',')}.`,
    });
  const points: Point3[] = [];
  const seen: Point2[] = [];
  for (const { cells, at } of lines.slice(1)) {
    const [px, py, x, y, z] = COLUMNS.map((name) => {
      const cell = cells[names.indexOf(name)] ?? '';
      const value = Number(cell);
      if (cell === '' || !Number.isFinite(value))
        throw new GradsimError('gradsim/not-a-number', `${file}, line ${at}: ${name} is "${cell}".`, {
          hint: 'It must be a number.',
        });
      return value;
    });
    points.push([x, y, z]);
    // Lenses count pixels from the middle of the first.
    seen.push([px - 0.5, py - 0.5]);
  }
  return { points, seen };
}
