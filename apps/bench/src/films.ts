// Physical parameters from films of known truth by a program of their own: --films out/films, which `npm run -s films` makes;
// --kinds ball,box of those that there are, --each 12 of each kind.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilmRecord } from '@gradsim/films/record';
import { estimateBall } from './films/ball.ts';
import { estimateBeam } from './films/beam.ts';
import { estimateBox } from './films/box.ts';
import { estimateDisc } from './films/disc.ts';
import type { FilmProblem, Found } from './films/figures.ts';
import { estimatePendulum } from './films/pendulum.ts';
import { trackThing } from './films/tracks.ts';
import { benchOptions, print } from './support/options.ts';

/** One setting a kind, for all of its films. */
const KINDS: Readonly<
  Record<
    string,
    {
      readonly estimate: (problem: FilmProblem) => Promise<Found>;
      readonly thinnest: number;
      readonly isRough?: boolean;
    }
  >
> = {
  ball: { estimate: estimateBall, thinnest: 0 },
  box: { estimate: estimateBox, thinnest: 0 },
  beam: { estimate: estimateBeam, thinnest: 0, isRough: true },
  // Its rod is no part of the ball.
  pendulum: { estimate: estimatePendulum, thinnest: 7 },
  disc: { estimate: estimateDisc, thinnest: 0 },
};

const options = await benchOptions(['films', 'kinds', 'each', 'first']);
const folder = options.text('films', 'out/films');
const first = options.number('first', 0);
const kinds = options.text('kinds', Object.keys(KINDS).join(',')).split(',');
const names = kinds.flatMap((kind) => {
  if (!(kind in KINDS)) throw new Error(`--kinds takes ${Object.keys(KINDS).join(', ')}, not ${kind}.`);
  return Array.from(
    { length: options.number('each', 12) },
    (_, k) => `${kind}-${String(first + k).padStart(2, '0')}`,
  );
});
for (const name of names) {
  const began = performance.now();
  const record = await recordOf(name);
  const { camera, known, frames, frameRate, kind, truth } = record;
  const sightings = await trackThing(
    join(folder, record.film),
    join(folder, `${name}.plate.png`),
    KINDS[kind],
  );
  const problem = { known: { camera, known, frames, frameRate }, sightings, device: options.device };
  const { figures, estimate } = await KINDS[kind].estimate(problem);
  for (const [parameter, value] of Object.entries(truth)) {
    const { estimate: found, standardError } = figures[parameter];
    print({
      ...{ film: name, parameter, truth: value, estimate: found, standardError },
      off: standardError === null ? null : (found - value) / standardError,
      relative: found / value - 1,
      seconds: (performance.now() - began) / 1000,
      verdict: standardError === null ? 'not determined' : estimate.stopped,
      residual: estimate.residual,
    });
  }
}

async function recordOf(name: string): Promise<FilmRecord> {
  const path = join(folder, `${name}.json`);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`There is no ${path}: make the films by \`npm run -s films -- --out ${folder}\`.`);
  });
  return JSON.parse(text);
}
