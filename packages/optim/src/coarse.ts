import type { Problem } from './experiment.ts';
import type { Observation } from './observation.ts';
import { chosenFrames } from './observation.ts';

/** Frames that a search looks at, at least. */
const ENOUGH_FRAMES = 12;

/**
 * The same problem with every n-th frame only: the same physics, less to render. For searches that compare many
 * points roughly. Gives the problem itself where frames cannot be left out.
 */
export function coarse(problem: Problem): Problem {
  const { frames, frameRate, substeps, observations } = problem;
  const n = Math.floor((frames - 1) / ENOUGH_FRAMES);
  if (n < 2 || variesOverTime(problem) || observations.some((o) => (o.instants ?? 1) > 1)) return problem;
  const kept = Array.from({ length: Math.floor((frames - 1) / n) + 1 }, (_, f) => f * n);
  const thinned = observations.map((o) => onFrames(o, frames, kept));
  if (thinned.some((o) => o.frames.length < 2)) return problem;
  return {
    ...problem,
    frames: kept.length,
    frameRate: frameRate / n,
    substeps: substeps * n,
    observations: thinned,
  };
}

/**
 * The same problem up to a share of its time.
 * @throws when the share is not above 0 and at most 1, leaves an observation without frames, or fields change from
 * frame to frame.
 */
export function upTo(problem: Problem, share: number): Problem {
  if (share === 1) return problem;
  if (!(share > 0 && share < 1))
    throw new Error(`A horizon is a share of the frames, above 0 and at most 1, not ${share}.`);
  if (variesOverTime(problem))
    throw new Error(
      'Horizons cannot be used with fields that change from frame to frame or substep to substep; leave `horizons` out.',
    );
  const instants = problem.observations.map((o) => o.instants ?? 1);
  // A whole number of exposures of every observation.
  const unit = instants.reduce((a, b) => (a * b) / greatestCommonDivisor(a, b), 1);
  const frames = Math.max(1, Math.round((share * problem.frames) / unit)) * unit;
  const observations = problem.observations.map((o, k) => {
    const kept = Array.from({ length: frames / instants[k] }, (_, f) => f);
    return onFrames(o, problem.frames / instants[k], kept);
  });
  const without = observations.find((o) => o.frames.length === 0);
  if (without)
    throw new Error(
      `The horizon ${share} ends after ${frames} of ${problem.frames} frames, before any frame of ${problem.model.field(without.field).key} that is compared.`,
    );
  return { ...problem, frames, observations };
}

const variesOverTime = ({ model }: Problem): boolean =>
  [...model.fields.values()].some((field) => field.over !== undefined);

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);

/** An observation of `count` frames, as one of the `kept` frames only. */
function onFrames(
  o: Observation,
  count: number,
  kept: readonly number[],
): Observation & { frames: number[] } {
  const values = o.target.length / count;
  const select = (from: ArrayLike<number>): Float64Array => {
    const to = new Float64Array(kept.length * values);
    kept.forEach((frame, f) => {
      for (let k = 0; k < values; k++) to[f * values + k] = from[frame * values + k];
    });
    return to;
  };
  const isWeightPerFrame = o.weights !== undefined && count > 1 && o.weights.length === o.target.length;
  const chosen = new Set(chosenFrames(o.frames ?? 'all', count));
  return {
    ...o,
    target: select(o.target),
    weights: isWeightPerFrame ? select(o.weights!) : o.weights,
    frames: [...kept.keys()].filter((f) => chosen.has(kept[f])),
  };
}
