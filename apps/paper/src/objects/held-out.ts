import type { RigidScene } from '@gradsim/dataset';
import { RigidStudio, SHAPE_NAMES, splitOf } from '@gradsim/dataset';

/** Seed of the dataset, and its samples: 800 to train and 200 to test. */
const SEED = 1;
const SAMPLES = 1000;
/** Pixels across and down; the paper's films have 64 to 256. */
const SIZE = 64;

/** Numbers of the samples that are held out, in order. */
export const HELD_OUT: readonly number[] = Array.from({ length: SAMPLES }, (_, k) => k).filter(
  (sample) => splitOf(SEED, sample) === 'test',
);

const studio = new RigidStudio();

/** The scene of a sample of the dataset, as `npm run dataset` draws it. */
export async function sceneOf(sample: number): Promise<RigidScene> {
  const [{ scene }] = await studio.act(SHAPE_NAMES[sample % SHAPE_NAMES.length], [sample], { seed: SEED, size: SIZE });
  return scene;
}
