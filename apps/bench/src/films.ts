// Physical parameters from films of known truth by a program of their own: --films out/films, which `npm run -s films` makes;
// --kinds ball,box of those that there are, --each 12 of each kind, --spoiled 12 of those that are spoiled.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilmRecord } from '@gradsim/films/record';
import { estimateBall } from './films/ball.ts';
import { estimateBeam } from './films/beam.ts';
import { estimateBox } from './films/box.ts';
import { estimateDisc } from './films/disc.ts';
import type { FilmProblem, Found } from './films/figures.ts';
import { estimatePendulum } from './films/pendulum.ts';
import { readPictures, trackThing } from './films/tracks.ts';
import { benchOptions, print } from './support/options.ts';

/** Estimator and tracking options of each kind, the same for all films of the kind. */
const KINDS: Readonly<
  Record<
    string,
    {
      readonly estimate: (problem: FilmProblem) => Promise<Found>;
      readonly thinnest: number;
      readonly isLevel?: boolean;
    }
  >
> = {
  ball: { estimate: estimateBall, thinnest: 0 },
  box: { estimate: estimateBox, thinnest: 0 },
  beam: { estimate: estimateBeam, thinnest: 0, isLevel: true },
  // Its rod is no part of the ball.
  pendulum: { estimate: estimatePendulum, thinnest: 7 },
  disc: { estimate: estimateDisc, thinnest: 0 },
};

/** Verdict on a result without critical findings. */
const TRUSTED = 'trusted';

const options = await benchOptions(['films', 'kinds', 'each', 'first', 'spoiled']);
const folder = options.text('films', 'out/films');
const first = options.number('first', 0);
const kinds = options.text('kinds', Object.keys(KINDS).join(',')).split(',');
const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, k) => `${name}-${String(first + k).padStart(2, '0')}`);
for (const kind of kinds)
  if (!(kind in KINDS)) throw new Error(`--kinds takes ${Object.keys(KINDS).join(', ')}, not ${kind}.`);
const names = [
  ...kinds.flatMap((kind) => numbered(kind, options.number('each', 12))),
  ...numbered('spoiled', options.number('spoiled', 0)),
];
let [lines, within, good, distrusted, spoiled, named] = [0, 0, 0, 0, 0, 0];
for (const name of names) {
  const began = performance.now();
  const record = await recordOf(name);
  const { figures, verdict, residual } = await found(name, record);
  if (record.spoiled) {
    spoiled++;
    named += Number(verdict !== TRUSTED);
  } else {
    good++;
    distrusted += Number(verdict !== TRUSTED);
  }
  for (const [parameter, truth] of Object.entries(record.truth)) {
    const { estimate = null, standardError = null } = figures[parameter] ?? {};
    const off = estimate === null ? null : estimate - truth;
    const errorsOff = off === null || !standardError ? null : off / standardError;
    if (!record.spoiled) {
      lines++;
      within += Number(errorsOff !== null && Math.abs(errorsOff) <= 2);
    }
    print({
      film: name,
      parameter,
      truth,
      estimate,
      standardError,
      relativeError: off === null ? null : off / truth,
      standardErrorsOff: errorsOff,
      seconds: (performance.now() - began) / 1000,
      verdict,
      residual,
      ...(record.spoiled && { spoiled: record.spoiled.how }),
    });
  }
}

print({ bench: 'films', device: options.device.kind, lines, within, good, distrusted, spoiled, named });

/** Estimates from a film. If that fails, the verdict is the reason. */
async function found(
  name: string,
  { film, kind, camera, known, frames, frameRate }: FilmRecord,
): Promise<{ figures: Partial<Found['figures']>; verdict: string; residual: number | null }> {
  const { estimate, ...thing } = KINDS[kind];
  try {
    const pictures = await readPictures(join(folder, film), join(folder, `${name}.plate.png`));
    const sightings = trackThing(pictures, thing);
    const told = { camera, known, frames, frameRate };
    const problem = { known: told, pictures, sightings, device: options.device };
    const { figures, estimate: fit } = await estimate(problem);
    const { trusted, findings } = fit.verdict;
    return { figures, verdict: trusted ? TRUSTED : findings[0].kind, residual: fit.residual };
  } catch (error) {
    return { figures: {}, verdict: `failed: ${(error as Error).message}`, residual: null };
  }
}

async function recordOf(name: string): Promise<FilmRecord> {
  const path = join(folder, `${name}.json`);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`There is no ${path}: make the films by \`npm run -s films -- --out ${folder}\`.`);
  });
  return JSON.parse(text);
}
