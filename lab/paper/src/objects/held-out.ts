import type { RigidScene, ShapeName, Split } from '@gradsim/dataset';
import { RigidStudio, SHAPE_NAMES, splitOf } from '@gradsim/dataset';

/** Seed of the dataset. */
const SEED = 1;
/** Number of samples of the dataset: 800 for training and 200 for testing. */
const SAMPLES = 1000;
/** Width and height of the films, px; the paper's films have 64 to 256. */
const SIZE = 64;

const samplesOf = (split: Split): readonly number[] =>
  Array.from({ length: SAMPLES }, (_, k) => k).filter((sample) => splitOf(SEED, sample) === split);

/** Numbers of the held-out (test) samples, in order. */
export const HELD_OUT = samplesOf('test');
/** Numbers of the training samples, from which a comparison method may learn. */
export const TRAINING = samplesOf('train');

const studio = new RigidStudio();

/** Draws the scene of a sample exactly as `npm run dataset` does. */
export async function sceneOf(sample: number): Promise<RigidScene> {
  const [{ scene }] = await studio.act(SHAPE_NAMES[sample % SHAPE_NAMES.length], [sample], { seed: SEED, size: SIZE });
  return scene;
}

/** Draws the scenes of all training samples of one shape. */
export async function trainingScenesOf(shape: ShapeName): Promise<RigidScene[]> {
  const samples = TRAINING.filter((sample) => SHAPE_NAMES[sample % SHAPE_NAMES.length] === shape);
  const films = await studio.act(shape, samples, { seed: SEED, size: SIZE });
  return films.map(({ scene }) => scene);
}
