// Films of random tosses that another renderer made, three.js in headless Chromium, with shadows and motion blur:
// npm run -s film -- [--first 0] [--tosses 1] [--size 160] [--shutter 0.5] [--instants 8] [--format png] [--out out/film]
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cpuDevice } from '@gradsim/core';
import { FILM_DEFAULTS, makeFilm } from './photo/make-film.ts';
import { createPhotographer } from './photo/photograph.ts';
import { besideFilm } from './photo/record.ts';
import { TOSS_TIMELINE } from './scenes/tossed.ts';

const FORMATS = ['png', 'webm', 'mp4', 'gif'];
const text = (value: string | number) => ({ type: 'string', default: String(value) }) as const;
const { size: usual, shutter: half } = FILM_DEFAULTS;
const { values } = parseArgs({
  options: {
    first: text(0),
    tosses: text(1),
    size: text(usual),
    shutter: text(half.open),
    instants: text(half.instants),
    format: text('png'),
    out: text('out/film'),
    force: { type: 'boolean', default: false },
  },
});
const chromium = process.env.GRADSIM_CHROMIUM;

try {
  await makeFilms();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function makeFilms(): Promise<void> {
  const [first, tosses, size] = (['first', 'tosses', 'size'] as const).map(whole);
  const shutter = { open: Number(values.shutter), instants: whole('instants') };
  if (!FORMATS.includes(values.format)) throw new Error(`--format takes ${FORMATS.join(', ')}, not ${values.format}.`);
  if (!chromium)
    throw new Error(
      'Films are made in Chromium: set GRADSIM_CHROMIUM to its path, or have it on PATH and begin with `npm run`.',
    );
  const numbers = Array.from({ length: tosses }, (_, k) => first + k);
  for (const number of numbers) refuseExisting(pathOf(number));
  await mkdir(values.out, { recursive: true });
  const device = cpuDevice({ threads: 1 });
  const photographer = await createPhotographer(chromium);
  try {
    for (const number of numbers) {
      await makeFilm(number, pathOf(number), photographer, device, { size, shutter });
      process.stderr.write(`${pathOf(number)}: ${TOSS_TIMELINE.frames} frames of ${size} x ${size}\n`);
    }
  } finally {
    await photographer.dispose();
    device.dispose();
  }
}

function pathOf(number: number): string {
  const name = `toss-${String(number).padStart(2, '0')}`;
  return join(values.out, values.format === 'png' ? name : `${name}.${values.format}`);
}

/** @throws if the film or one of its accompanying files exists and `--force` is not given. */
function refuseExisting(path: string): void {
  const there = [path, ...Object.values(besideFilm(path))].find((file) => existsSync(file));
  if (there && !values.force) throw new Error(`${there} is there already; --force replaces it.`);
}

function whole(name: 'first' | 'tosses' | 'size' | 'instants'): number {
  const value = Number(values[name]);
  const least = name === 'first' ? 0 : 1;
  if (!(Number.isInteger(value) && value >= least))
    throw new Error(`--${name} takes a whole number of at least ${least}, not ${values[name]}.`);
  return value;
}
