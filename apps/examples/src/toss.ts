import { fileURLToPath } from 'node:url';
import type { Estimate, ExperimentContext, Observation, ParameterSpec, Problem, Stage, Strip } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { fromRows, layoutOf, toRows } from '@gradsim/render';
import { frameCount, inspectFilm, readFrames, requireFrames } from '@gradsim/video';
import { rendererOf } from './scenes/renderers.ts';
import { refuseUnknownSettings } from './scenes/settings.ts';
import { TOSS_TIMELINE, tossModel } from './scenes/tossed.ts';
import { SAMPLE, SAMPLE_SOFTNESS } from './toss/scene.ts';

/** Starting values and the ranges that searches draw from. None is near the truth. */
const START = {
  mass: { initial: 6, range: [0.3, 30] },
  ke: { initial: 100, range: [30, 1000] },
  kd: { initial: 20, range: [1, 60] },
  kf: { initial: 80, range: [3, 200] },
  mu: { initial: 0.8, range: [0.1, 1.2] },
} as const;
type Name = keyof typeof START;
const UNITS: Record<Name, string> = { mass: 'kg', ke: 'N/m', kd: 'N s/m', kf: 'N s/m', mu: '' };
const TRUTH: Record<Name, number> = { mass: SAMPLE.mass, ...SAMPLE.material };

const unknown = (name: Name): ParameterSpec => ({
  name,
  field: `bodies.${name}`,
  transform: 'log',
  unit: UNITS[name],
  truth: TRUTH[name],
  ...START[name],
});

/** The film as targets for `pixels.rgba`; alpha is not in it and gets no weight. */
async function observe(
  video: string,
  model: Problem['model'],
  { log, signal }: Pick<ExperimentContext, 'log' | 'signal'>,
): Promise<Observation> {
  const layout = layoutOf(model);
  const { width, height } = layout;
  const { frames: count } = TOSS_TIMELINE;
  // Images have no clock: theirs is that of the experiment.
  const { frameRate = TOSS_TIMELINE.frameRate } = await inspectFilm(video, { signal });
  const film = await readFrames(video, { channels: 3, frameRate, signal });
  requireFrames(film, { width, height, count, frameRate: TOSS_TIMELINE.frameRate }, video);
  if (frameCount(film) > count) log(`Of ${video} the first ${count} of ${frameCount(film)} frames are used.`);
  const target = new Float32Array(TOSS_TIMELINE.frames * layout.pixels * 4);
  for (let f = 0; f < TOSS_TIMELINE.frames; f++) {
    const rows = new Float32Array(width * height * 4);
    for (let p = 0; p < width * height; p++) {
      for (let c = 0; c < 3; c++) rows[p * 4 + c] = film.data[(f * width * height + p) * 3 + c];
    }
    target.set(fromRows(layout, rows, 4), f * layout.pixels * 4);
  }
  return { field: 'pixels.rgba', target, weights: [1, 1, 1, 0] };
}

/** The frames of the film and of the model at the estimate. */
function strip(model: Problem['model'], target: Observation['target'], predicted: Float64Array): Strip {
  const layout = layoutOf(model);
  const { width, height, pixels } = layout;
  const frames = [...Array(TOSS_TIMELINE.frames).keys()];
  const pictures = (all: ArrayLike<number>): Float32Array => {
    const out = new Float32Array(frames.length * width * height * 3);
    frames.forEach((frame, k) => {
      const tiled = Float32Array.from({ length: pixels * 4 }, (_, i) => all[frame * pixels * 4 + i]);
      const rows = toRows(layout, tiled, 4);
      for (let p = 0; p < width * height; p++) {
        for (let c = 0; c < 3; c++) out[(k * width * height + p) * 3 + c] = rows[p * 4 + c];
      }
    });
    return out;
  };
  return {
    width,
    height,
    frames,
    target: pictures(target),
    estimate: pictures(predicted),
  };
}

/**
 * The sample: an object is pushed with a known impulse and falls onto the ground. First its mass, with gravity and the
 * ground known; then mass and contact material together, from the same film. `--set renderer=dibr` draws by another
 * renderer than the one that made the film.
 */
export default defineExperiment({
  name: 'toss',
  description: 'Mass, then mass and contact material, of an object tossed onto the ground.',
  stages: async ({ video, settings, log, signal }): Promise<Stage[]> => {
    refuseUnknownSettings('toss', settings, ['renderer']);
    const renderer = await rendererOf(settings.renderer);
    const path = video ?? fileURLToPath(new URL('../sample/toss.webm', import.meta.url));
    const stage = async (
      name: string,
      unknowns: readonly Name[],
      options: Problem['options'],
      material = SAMPLE.material,
    ): Promise<Stage> => {
      const toss = { ...SAMPLE, material, mass: START.mass.initial };
      const model = tossModel(toss, { softness: SAMPLE_SOFTNESS, renderer });
      const observation = await observe(path, model, { log, signal });
      const problem: Problem = {
        model,
        ...TOSS_TIMELINE,
        parameters: unknowns.map(unknown),
        observations: [observation],
        options,
      };
      const shown = (estimate: Estimate): Strip => strip(model, observation.target, estimate.predicted['pixels.rgba']);
      return { name, problem, strip: shown };
    };
    return [
      await stage('mass', ['mass'], { horizons: [0.3, 1], scan: 48, iterations: 30 }),
      await stage('contact', ['mass', 'ke', 'kd', 'kf', 'mu'], {
        horizons: [0.2, 0.4, 0.7, 1],
        scan: 128,
        starts: 2,
        iterations: 25,
      }),
    ];
  },
  motion: async ({ settings }) => {
    const renderer = await rendererOf(settings.renderer);
    return { model: tossModel(SAMPLE, { softness: SAMPLE_SOFTNESS, renderer }), ...TOSS_TIMELINE };
  },
});
