import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTable } from '@gradsim/base/tables';
import { createFrames, encodeFrames, frameAt } from '@gradsim/video';
import { expect, it } from 'vitest';
import { gradsim, temporaryFolder } from '../support.ts';

/** Scale of the films, px/m; gravity, m/s^2; frame rate, frames/s. */
const [SCALE, GRAVITY, RATE] = [100, 9.81, 50];
const SIZE = { width: 160, height: 120 };
const PLACE = (t: number): [number, number] => [30 + SCALE * 1.5 * t, 90 - SCALE * (2.6 * t - (GRAVITY / 2) * t * t)];

/** GIF of a disc of radius 6 px that is thrown, at the given times, s. */
async function thrown(folder: string): Promise<string> {
  const frames = createFrames({ ...SIZE, channels: 3, frameRate: RATE }, 27);
  for (let k = 0; k < 27; k++) {
    const [u, v] = PLACE(k / RATE);
    frameAt(frames, k).forEach((_, i, frame) => {
      const [x, y] = [(Math.floor(i / 3) % SIZE.width) + 0.5, Math.floor(i / 3 / SIZE.width) + 0.5];
      const part = Math.min(1, Math.max(0, 6.5 - Math.hypot(x - u, y - v)));
      frame[i] = part * [0.9, 0.15, 0.1][i % 3] + (1 - part) * (0.4 + 0.002 * ((x * 7 + y * 13) % 11));
    });
  }
  const file = join(folder, 'thrown.gif');
  writeFileSync(file, await encodeFrames(frames, 'gif'));
  return file;
}
const scaled = ['--length', '50 cm', '--between', '40,100,90,100', '--length-tolerance', '0,1 %'];

it('gradsim track finds gravity by a typed formula, writes page, table and project, and keeps its bars', async () => {
  const folder = temporaryFolder();
  const film = await thrown(folder);
  const out = join(folder, 'out');
  const fits = ['--fit', 'y = a t^2 + b t + c', '--fit', 'y = p x^2 + q x + r', '--fit', 'vy = g t + v'];
  const { code, stdout, stderr } = await gradsim([
    ...['track', film, ...scaled, '--mass', '20 g', '--origin', '30,90', ...fits, '--out', out, '--json'],
  ]);
  expect(code, stderr.join('\n')).toBe(0);
  const told = JSON.parse(stdout[0]);
  const [fall, path, speed] = told.fits;
  const { a, b } = fall.parameters;
  const bar = ({ standardError, byScale }: typeof a): number => Math.hypot(standardError, byScale);
  // Half a pixel of outline is in neither: it moves with the disc.
  expect(Math.abs(a.value + GRAVITY / 2)).toBeLessThan(4 * bar(a));
  expect(Math.abs(b.value - 2.6)).toBeLessThan(4 * bar(b));
  expect(bar(a)).toBeLessThan(0.2);
  // y = (2.6 / 1.5) x - g / (2 1.5^2) x^2.
  expect(Math.abs(path.parameters.p.value + GRAVITY / 2 / 1.5 ** 2)).toBeLessThan(4 * bar(path.parameters.p));
  expect(Math.abs(speed.parameters.g.value + GRAVITY)).toBeLessThan(4 * bar(speed.parameters.g));
  expect(told.columns.kinetic.values[13]).toBeCloseTo(0.01 * (1.5 ** 2 + (2.6 - GRAVITY * 0.26) ** 2), 2);
  const table = readTable(readFileSync(join(out, 'track.csv')), { name: 'track.csv' });
  expect(table.rows).toHaveLength(told.points.length);
  expect(readFileSync(join(out, 'track.html'), 'utf8')).toContain('kinetic: energy of motion');
  expect(readFileSync(join(out, 'track.trk'), 'utf8')).toContain('PointMass');
  // Its own files are replaced, and no others.
  const again = await gradsim(['track', film, ...scaled, '--out', out, '--force']);
  expect(again.code, again.stderr.join('\n')).toBe(0);
});

it('takes marks alone of a film in which it follows nothing, with the error of a click', async () => {
  const folder = temporaryFolder();
  const film = await thrown(folder);
  const marks = join(folder, 'marks.csv');
  const rows = Array.from({ length: 13 }, (_, k) => [
    2 * k,
    ...PLACE((2 * k) / RATE).map((at, c) => at + ((k * 7 + c) % 3) - 1),
  ]);
  writeFileSync(marks, `frame;x;y\n${rows.map((row) => row.join(';')).join('\n')}\n`);
  const args = ['track', film, ...scaled, '--marks', marks, '--marks-alone', '--mark-error', '0.8'];
  const { code, stdout, stderr } = await gradsim([
    ...args,
    '--fit',
    'a t^2 + b t + c',
    '--json',
    '--out',
    join(folder, 'out'),
  ]);
  expect(code, stderr.join('\n')).toBe(0);
  const { a } = JSON.parse(stdout[0]).fits[0].parameters;
  expect(Math.abs(a.value + GRAVITY / 2)).toBeLessThan(4 * a.standardError);
  expect(a.standardError).toBeGreaterThan(0.05);
});

it('refuses a film without a scale, formulas that are none, and columns that are not there', async () => {
  const folder = temporaryFolder();
  const film = await thrown(folder);
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await gradsim(['track', film, '--out', join(folder, 'refused'), ...args]);
    expect(code).toBe(1);
    expect(existsSync(join(folder, 'refused', 'track.json'))).toBe(false);
    return stderr.at(-1)!;
  };
  expect(await refused()).toContain('How large are things in the film?');
  expect(await refused('--length', '1')).toContain('takes both --length METRES and --between');
  expect(await refused('--size', '1 kg')).toContain('--size takes a number above 0, with a unit (m, cm');
  expect(await refused(...scaled, '--fit', 'y = a t +')).toContain('it ends where a number');
  expect(await refused(...scaled, '--fit', 'kinetic = a t')).toContain('energies need the mass');
  expect(await refused(...scaled, '--fit', 'a t', '--start', 'w=3')).toContain('has no parameter w');
  expect(await refused(...scaled, '--object', '7')).toContain('There is no track 7');
});

const DROP = fileURLToPath(new URL('../../../../../shared/data/ball-drop/ball-drop.mp4', import.meta.url));
it.skipIf(!existsSync(DROP))('of a real ball that rebounds finds g to the error of its scale', async () => {
  const out = join(temporaryFolder(), 'out');
  const args = [
    'track',
    DROP,
    '--first',
    '206',
    '--last',
    '232',
    '--frame-rate',
    '120',
    '--size',
    '4 cm',
    '--out',
    out,
  ];
  const { code, stdout, stderr } = await gradsim([...args, '--fit', 'y = a t^2 + b t + c', '--json']);
  expect(code, stderr.join('\n')).toBe(0);
  const { a } = JSON.parse(stdout[0]).fits[0].parameters;
  expect(Math.abs(a.value + 9.81 / 2)).toBeLessThan(3 * Math.hypot(a.standardError, a.byScale));
});
