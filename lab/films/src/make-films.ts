// Twelve films of each kind whose truth is known, and twelve of these kinds that are spoiled on purpose:
// npm run -s films -- [--out out/films] [--each 12] [--spoiled 12] [--kinds ball,slide] [--seed 1] [--jobs 2] [--renderer rays]
// `page`, the usual renderer, is three.js in Chromium; `rays` is another one, which needs none.
// Films that are there already are kept.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { drawTake } from './draw-take.ts';
import { makeFilm } from './make-film.ts';
import { createPhotographer, type Photographer } from './photograph.ts';
import { rayPhotographer } from './rays/photograph.ts';
import { drawSpoiled } from './spoil.ts';
import type { Kind, Recording } from './take.ts';
import { ALL_KINDS, KINDS } from './take.ts';

const text = (value: string | number) => ({ type: 'string', default: String(value) }) as const;
const { values } = parseArgs({
  options: {
    out: text('out/films'),
    each: text(12),
    spoiled: text(12),
    seed: text(1),
    jobs: text(2),
    kinds: text(KINDS.join(',')),
    renderer: text('page'),
  },
});

try {
  await makeFilms();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function makeFilms(): Promise<void> {
  const [each, spoiled, seed, jobs] = (['each', 'spoiled', 'seed', 'jobs'] as const).map(whole);
  const kinds = kindsOf(values.kinds);
  if (jobs === 0) throw new Error('--jobs takes a whole number of at least 1, not 0.');
  await mkdir(values.out, { recursive: true });
  const named = (name: string, number: number): string => `${name}-${String(number).padStart(2, '0')}`;
  const takes: [name: string, draw: () => Recording][] = [
    ...kinds.flatMap((kind) =>
      Array.from({ length: each }, (_, k): [string, () => Recording] => [
        named(kind, k),
        () => drawTake(kind, k, seed),
      ]),
    ),
    ...Array.from({ length: spoiled }, (_, k): [string, () => Recording] => [
      named('spoiled', k),
      () => drawSpoiled(k, seed, kinds),
    ]),
  ];
  const missing = takes.filter(([name]) => !existsSync(join(values.out, `${name}.json`)));
  if (missing.length < takes.length)
    process.stderr.write(`${takes.length - missing.length} of ${takes.length} films are there already.\n`);
  const photographer = await photographerOf(values.renderer);
  try {
    const work = async (): Promise<void> => {
      for (let next = missing.shift(); next; next = missing.shift())
        await makeFilm(values.out, next[0], next[1](), photographer);
    };
    await Promise.all(Array.from({ length: jobs }, work));
  } finally {
    await photographer.dispose();
  }
}

async function photographerOf(renderer: string): Promise<Photographer> {
  if (renderer === 'rays') return rayPhotographer;
  if (renderer !== 'page') throw new Error(`--renderer takes page or rays, not ${renderer}.`);
  const chromium = process.env.GRADSIM_CHROMIUM;
  if (!chromium)
    throw new Error(
      'Films are made in Chromium: set GRADSIM_CHROMIUM to its path, or have it on PATH and begin with `npm run`; or take --renderer rays.',
    );
  return createPhotographer(chromium);
}

function kindsOf(list: string): Kind[] {
  return list.split(',').map((name) => {
    const kind = ALL_KINDS.find((each) => each === name);
    if (!kind) throw new Error(`--kinds takes ${ALL_KINDS.join(', ')}, with commas between them, not ${name}.`);
    return kind;
  });
}

function whole(name: 'each' | 'spoiled' | 'seed' | 'jobs'): number {
  const value = Number(values[name]);
  if (!(Number.isInteger(value) && value >= 0))
    throw new Error(`--${name} takes a whole number of at least 0, not ${values[name]}.`);
  return value;
}
