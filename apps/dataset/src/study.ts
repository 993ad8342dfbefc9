import { join } from 'node:path';
import { defineStudy } from '@gradsim/study';
import { filmDeforming } from './deforming/film.ts';
import { RigidStudio } from './rigid/film.ts';
import type { IndexLine } from './sample.ts';
import { SHAPE_NAMES, type ShapeName } from './shapes/shapes.ts';
import { writeDeforming, writeRigid } from './write-sample.ts';

/** Number of samples of one shape that a trial makes: enough to fill the worlds of a run. */
const TOGETHER = 16;

/** Some rigid samples of one shape. Shapes are interleaved: sample k has shape k modulo 14. */
interface RigidBatch {
  readonly kind: 'rigid';
  readonly shape: ShapeName;
  readonly samples: readonly number[];
  readonly seed: number;
  readonly size: number;
}

/** A single sample of a deforming object. */
interface DeformingBatch {
  readonly kind: 'soft' | 'cloth';
  readonly sample: number;
  readonly seed: number;
  readonly size: number;
}

type Batch = RigidBatch | DeformingBatch;

/** Trials of rigid bodies ordered by shape, so that a process compiles each shape once. */
function* rigidBatches(count: number, seed: number, size: number): Generator<Batch> {
  const turns = SHAPE_NAMES.length;
  for (const [k, shape] of SHAPE_NAMES.entries()) {
    const samples = Array.from({ length: Math.ceil((count - k) / turns) }, (_, j) => turns * j + k);
    for (let first = 0; first < samples.length; first += TOGETHER)
      yield { kind: 'rigid', shape, samples: samples.slice(first, first + TOGETHER), seed, size };
  }
}

function* deformingBatches(kind: 'soft' | 'cloth', count: number, seed: number, size: number): Generator<Batch> {
  for (let sample = 0; sample < count; sample++) yield { kind, sample, seed, size };
}

const studio = new RigidStudio();

/** The dataset as a study, a trial for each batch of samples. */
export default defineStudy({
  trials: ({ kind = 'rigid', count = '14', seed = '1', size = '128' }) =>
    kind === 'soft' || kind === 'cloth'
      ? deformingBatches(kind, Number(count), Number(seed), Number(size))
      : rigidBatches(Number(count), Number(seed), Number(size)),
  run: async (batch: Batch, { folder }) => {
    const lines: IndexLine[] = [];
    const { seed } = batch;
    if (batch.kind === 'rigid')
      for (const film of await studio.act(batch.shape, batch.samples, batch)) {
        const pictures = await studio.photograph(film);
        lines.push(await writeRigid(join(folder(), String(film.sample)), film, pictures, seed));
      }
    else {
      const film = await filmDeforming(batch.kind, batch.sample, batch);
      lines.push(await writeDeforming(join(folder(), String(film.sample)), film, seed));
    }
    return { lines };
  },
  summary: ({ lines }) => ({ shape: lines[0].shape, samples: lines.length }),
});
