import { expect, it } from 'vitest';
import { alignColumns } from '../../src/terminal/align-columns.ts';

it('aligns columns', () => {
  expect(
    alignColumns([
      ['name', 'x'],
      ['a', '10'],
      ['long name', ''],
    ]),
  ).toEqual(['name         x', '──────────────', 'a           10', 'long name']);
});

it('keeps lines within 100 characters by going on below in the first column', () => {
  const name =
    'Jzz of third - Jxx of third + 0.7 m cx of fourth + Jyy of fourth + 0.123 m of fourth + 0.203 m of fifth';
  const lines = alignColumns([
    ['parameter', 'estimate', 'standard error', 'unit', 'scatter', 'as given'],
    [name, '0.67952', '0.0011', 'kg m²', '0.0009, 0.0012', '0.7012'],
    ['armature', '0.2', '0.01', 'kg m²', '0.01', '0'],
  ]);
  expect(Math.max(...lines.map(({ length }) => length))).toBe(100);
  expect(lines[2]).toMatch(/^Jzz of third .* 0\.67952 +0\.0011 +kg m² +0\.0009, 0\.0012 +0\.7012$/);
  expect(lines[3]).toMatch(/^ {2}\S/);
  const first = [lines[2].split('   ')[0], ...lines.slice(3, -1).map((line) => line.trim())].join(' ');
  expect(first.replace(/ +/g, ' ')).toBe(name);
  expect(lines.at(-1)).toMatch(/^armature/);
});
