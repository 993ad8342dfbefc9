import { join } from 'node:path';
import { defineStudy } from '@gradsim/study';
import { RigidStudio } from './rigid/film.ts';
import type { IndexLine } from './sample.ts';
import { SHAPE_NAMES, type ShapeName } from './shapes/shapes.ts';
import { writeSample } from './write-sample.ts';

/** Samples of one shape that a trial makes: enough to fill the worlds of a run. */
const TOGETHER = 16;

/** What a trial makes: some samples of one shape. Shapes take turns, so that sample k has shape k modulo 14. */
interface Batch {
  readonly shape: ShapeName;
  readonly samples: readonly number[];
  readonly seed: number;
  readonly size: number;
}

/** Trials in the order of shapes: a process compiles what a shape needs once. */
function* batches(count: number, seed: number, size: number): Generator<Batch> {
  for (const [k, shape] of SHAPE_NAMES.entries()) {
    const samples = Array.from(
      { length: Math.ceil((count - k) / SHAPE_NAMES.length) },
      (_, j) => SHAPE_NAMES.length * j + k,
    );
    for (let first = 0; first < samples.length; first += TOGETHER)
      yield { shape, samples: samples.slice(first, first + TOGETHER), seed, size };
  }
}

const studio = new RigidStudio();

/** The dataset as a study, a trial for each batch of samples. */
export default defineStudy({
  trials: ({ count = '14', seed = '1', size = '128' }) => batches(Number(count), Number(seed), Number(size)),
  run: async ({ shape, samples, seed, size }, { folder }) => {
    const lines: IndexLine[] = [];
    for (const film of await studio.act(shape, samples, { seed, size })) {
      const pictures = await studio.photograph(film);
      lines.push(await writeSample(join(folder(), String(film.sample)), film, pictures, seed));
    }
    return { lines };
  },
  summary: ({ lines }, { shape }) => ({ shape, samples: lines.length }),
});
