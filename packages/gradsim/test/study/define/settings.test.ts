import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOf, grid, latinHypercube, seeds } from 'gradsim/study';
import { expect, it, onTestFinished } from 'vitest';

const all = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
};

it('grid() returns every combination of settings once, the last setting varying fastest', () => {
  expect([...grid({ drag: [0.1, 0.2], seed: seeds(2, 5) })]).toEqual([
    { drag: 0.1, seed: 5 },
    { drag: 0.1, seed: 6 },
    { drag: 0.2, seed: 5 },
    { drag: 0.2, seed: 6 },
  ]);
  expect([...grid({ drag: [], seed: [1] })]).toEqual([]);
});

it('latinHypercube() of n trials has one value in each n-th of every range, or of its logarithm if requested', () => {
  const draws = latinHypercube({ mass: { range: [0.1, 10], log: true }, mu: { range: [-1, 1] } }, 50, 3);
  const parts = (shares: number[]): number[] => shares.map((share) => Math.floor(50 * share)).sort((a, b) => a - b);
  expect(parts(draws.map(({ mu }) => (mu + 1) / 2))).toEqual(seeds(50, 0));
  expect(parts(draws.map(({ mass }) => Math.log(mass / 0.1) / Math.log(100)))).toEqual(seeds(50, 0));
  expect(latinHypercube({ mu: { range: [0, 1] } }, 5, 3)).toEqual(latinHypercube({ mu: { range: [0, 1] } }, 5, 3));
});

it('latinHypercube() refuses a range of length 0, and a logarithmic range from 0', () => {
  expect(() => latinHypercube({ mu: { range: [1, 1] } }, 2)).toThrowCode({
    code: 'study/range-not-rising',
    field: 'mu',
    values: [1],
  });
  expect(() => latinHypercube({ mu: { range: [0, 1], log: true } }, 2)).toThrowCode({
    code: 'study/log-range-not-positive',
    field: 'mu',
    values: [0],
  });
});

it('filesOf() lists the files with given endings by name, with hashes of their contents, and refuses a folder without any', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-study-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['b.MP4', 'a.mp4', 'notes.txt']) writeFileSync(join(folder, name), name);
  const found = await all(filesOf(folder, ['.mp4']));
  expect(found.map(({ file }) => file)).toEqual([join(folder, 'a.mp4'), join(folder, 'b.MP4')]);
  writeFileSync(join(folder, 'a.mp4'), 'other');
  const again = await all(filesOf(folder, ['.mp4']));
  expect(again[0].sha256).not.toBe(found[0].sha256);
  expect(again[1]).toEqual(found[1]);
  await expect(all(filesOf(folder, ['.mov']))).rejects.toThrowCode({
    code: 'study/no-files',
    values: [folder, '.mov'],
  });
});
