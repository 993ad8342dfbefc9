import { join } from 'node:path';
import { defineStudy } from 'gradsim/study';
import { type Batch, deformingBatches, endedBatches, type RigidBatch, rigidBatches } from './batches.ts';
import { filmDeforming } from './deforming/film.ts';
import { RigidStudio } from './rigid/film.ts';
import type { IndexLine } from './sample.ts';
import { writeDeforming, writeRigid } from './write-sample.ts';

const studio = new RigidStudio();

/** Study that makes the dataset, with one trial per batch of samples. */
export default defineStudy({
  /** @param given.results path of the study's results file, if an earlier run has left one. */
  trials: ({ kind = 'rigid', count = '14', seed = '1', size = '128', results = '' }) => {
    const common = { seed: Number(seed), size: Number(size) };
    if (kind === 'soft' || kind === 'cloth') {
      endedBatches(results, kind, common);
      return deformingBatches(kind, Number(count), common);
    }
    return rigidBatches(Number(count), common, endedBatches<RigidBatch>(results, 'rigid', common));
  },
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
