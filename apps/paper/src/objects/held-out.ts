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

/** Numbers of the samples that are held out, in order. */
export const HELD_OUT = samplesOf('test');
/** Numbers of the others, which a baseline may learn from. */
const TRAINING = samplesOf('train');

const studio = new RigidStudio();

/** The scene of a sample of the dataset, as `npm run dataset` draws it. */
export async function sceneOf(sample: number): Promise<RigidScene> {
  const [{ scene }] = await studio.act(SHAPE_NAMES[sample % SHAPE_NAMES.length], [sample], { seed: SEED, size: SIZE });
  return scene;
}

/** Scenes of the samples of one shape that a baseline may learn from. */
export async function trainingScenesOf(shape: ShapeName): Promise<RigidScene[]> {
  const samples = TRAINING.filter((sample) => SHAPE_NAMES[sample % SHAPE_NAMES.length] === shape);
  const films = await studio.act(shape, samples, { seed: SEED, size: SIZE });
  return films.map(({ scene }) => scene);
}
