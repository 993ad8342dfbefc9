import type { Problem } from './experiment.ts';
import { chosenFrames } from './observation.ts';

/** Frames that a search looks at, at least. */
const ENOUGH_FRAMES = 12;

/**
 * The same problem with every n-th frame only: the same physics, less to render. For searches that compare many
 * points roughly. Gives the problem itself where frames cannot be left out.
 */
export function coarse(problem: Problem): Problem {
  const { model, frames, frameRate, substeps, observations } = problem;
  const n = Math.floor((frames - 1) / ENOUGH_FRAMES);
  const hasFrameInputs = [...model.fields.values()].some((field) => field.over === 'frame');
  if (n < 2 || hasFrameInputs || observations.some((o) => (o.instants ?? 1) > 1)) return problem;
  const left = Math.floor((frames - 1) / n) + 1;
  const thinned = observations.map((o) => {
    const values = o.target.length / frames;
    const target = new Float64Array(left * values);
    const isWeightPerFrame = o.weights !== undefined && o.weights.length === o.target.length;
    const weights = isWeightPerFrame ? new Float64Array(left * values) : o.weights;
    for (let f = 0; f < left; f++) {
      for (let k = 0; k < values; k++) {
        target[f * values + k] = o.target[f * n * values + k];
        if (isWeightPerFrame) (weights as Float64Array)[f * values + k] = o.weights![f * n * values + k];
      }
    }
    const kept = chosenFrames(o.frames ?? 'all', frames).filter((f) => f % n === 0).map((f) => f / n);
    return { ...o, target, weights, frames: kept };
  });
  if (thinned.some((o) => o.frames.length < 2)) return problem;
  return { ...problem, frames: left, frameRate: frameRate / n, substeps: substeps * n, observations: thinned };
}
