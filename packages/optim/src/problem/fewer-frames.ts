import type { FieldKey, Model } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { Loss } from './loss.ts';
import { isFunctionLoss } from './loss.ts';
import type { Observation } from './observation.ts';
import { chosenFrames } from './observation.ts';
import type { Problem } from './problem.ts';
import type { Run } from './run.ts';
import { momentsOf } from './run.ts';

/** Minimum number of frames to which a search is restricted. */
const ENOUGH_FRAMES = 12;

/**
 * Restricts a problem's comparisons and rendering to every n-th frame, with the same physics, to compare many points
 * roughly. Returns the problem itself if frames cannot be left out.
 */
export function withFewerFrames(problem: Problem): Problem {
  const { model, frames, frameRate, frameTimes, substeps, observations = [], losses = [] } = problem;
  const n = Math.floor((frames - 1) / ENOUGH_FRAMES);
  if (n < 2 || variesOverTime(model) || observations.some((o) => (o.instants ?? 1) > 1)) return problem;
  if (losses.some(looksAtFrames)) return problem;
  const kept = Array.from({ length: Math.floor((frames - 1) / n) + 1 }, (_, f) => f * n);
  const thinned = observations.map((o) => onFrames(o, frames, kept));
  if (thinned.some((o) => o.frames.length < 2)) return problem;
  return {
    ...problem,
    frames: kept.length,
    ...(frameTimes ? { frameTimes: kept.map((f) => frameTimes[f]) } : { frameRate: frameRate! / n }),
    substeps: substeps * n,
    observations: thinned,
  };
}

/**
 * Restricts a problem to the first part of its time.
 * @param share length of that part relative to the whole.
 * @throws if the share is not in (0, 1], if it leaves an observation or a loss without frames, if the model holds
 * values for every frame, or if a loss is a function of all frames.
 */
export function problemUpTo(problem: Problem, share: number): Problem {
  if (share === 1) return problem;
  if (!(share > 0 && share < 1))
    throw new GradsimError(
      'optim/horizon-out-of-range',
      `A horizon is a share of the frames, above 0 and at most 1, not ${share}.`,
    );
  refuseUncuttable(problem);
  const { model, observations: all = [], losses: others = [] } = problem;
  const instants = all.map((o) => o.instants ?? 1);
  const unit = exposureOf(all);
  const frames = Math.max(1, Math.round((share * problem.frames) / unit)) * unit;
  const observations = all.map((o, k) => {
    const kept = Array.from({ length: frames / instants[k] }, (_, f) => f);
    return onFrames(o, problem.frames / instants[k], kept);
  });
  const without = observations.find((o) => o.frames.length === 0);
  const endsBefore = (field: FieldKey): Error =>
    new GradsimError(
      'optim/horizon-without-frames',
      `The horizon ${share} ends after ${frames} of ${problem.frames} frames, before any frame of ${model.field(field).key} that is compared.`,
    );
  if (without) throw endsBefore(without.field);
  const losses = others.map((loss): Loss => {
    if (isFunctionLoss(loss)) return loss;
    const kept = chosenFrames(loss.frames ?? 'all', problem.frames).filter((f) => f < frames);
    if (kept.length === 0) throw endsBefore(loss.field);
    return { ...loss, frames: kept };
  });
  return { ...problem, frames, observations, losses, values: valuesUpTo(problem, frames) };
}

/**
 * True if a search may choose horizons by itself, see {@link problemUpTo}: all frames are compared, there are enough of them,
 * and the run can be cut at any frame.
 */
export const suitsHorizons = ({ model, frames, observations = [], losses = [], worlds }: Problem): boolean =>
  frames / exposureOf(observations) >= ENOUGH_FRAMES &&
  worlds === undefined &&
  observations.length > 0 &&
  observations.every((o) => (o.frames ?? 'all') === 'all') &&
  !losses.some(looksAtFrames) &&
  heldOverTime(model) === undefined;

/** First field for which the model holds values of every frame or substep; undefined for none. */
const heldOverTime = (model: Model) =>
  [...model.fields.values()].find(
    ({ variesBy, values, components, domain }) =>
      variesBy && values && values.length > components * model.domain(domain).size,
  );

/** Checks whether a problem can be restricted to a part of its time. @throws if not. */
function refuseUncuttable({ model, losses = [] }: Pick<Problem, 'model' | 'losses'>): void {
  const held = heldOverTime(model);
  if (held)
    throw new GradsimError(
      'optim/not-with-horizons',
      `Horizons cannot be used where the model holds values of every ${held.variesBy}, as it does of ${held.key}.`,
      { field: held.key, hint: "Give them in the problem's `values` instead, or leave `horizons` out." },
    );
  const whole = losses.find((loss) => isFunctionLoss(loss) && looksAtFrames(loss));
  if (whole)
    throw new GradsimError(
      'optim/not-with-horizons',
      `Horizons cannot be used with the loss ${whole.name}, which is a function of all frames.`,
      { hint: 'Leave `horizons` out.' },
    );
}

/** Values over time, restricted to the first `kept` frames. */
function valuesUpTo({ model, values = {}, frames, substeps }: Run, kept: number): Run['values'] {
  return Object.fromEntries(
    Object.entries(values).map(([key, given]) => {
      const field = model.field(key);
      const [of, before] = [
        { frames: kept, substeps },
        { frames, substeps },
      ].map((t) => momentsOf(field, t));
      const perMoment = model.domain(field.domain).size * field.components;
      if (!field.variesBy || given.length !== before * perMoment) return [key, given];
      return [key, Float64Array.from({ length: of * perMoment }, (_, k) => given[k])];
    }),
  );
}

/** True if a loss depends on recorded fields, not only on the unknowns' own values. */
const looksAtFrames = (loss: Loss): boolean =>
  !isFunctionLoss(loss) || Object.keys(loss.recordedFields ?? {}).length > 0;

const variesOverTime = (model: Model): boolean =>
  [...model.fields.values()].some((field) => field.variesBy !== undefined);

/** Least common multiple of the exposures of all observations, in frames of the simulation. */
export const exposureOf = (observations: readonly Pick<Observation, 'instants'>[]): number =>
  observations.reduce((unit, { instants = 1 }) => (unit * instants) / greatestCommonDivisor(unit, instants), 1);

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));

/** Copy of an observation of `count` frames with the `kept` ones only, which compares those of them that have weights. */
function onFrames(o: Observation, count: number, kept: readonly number[]): Observation & { frames: number[] } {
  const isFirst = kept.every((frame, f) => frame === f);
  const select = (from: ArrayLike<number>): ArrayLike<number> => {
    const values = from.length / count;
    if (isFirst && from instanceof Float64Array) return from.subarray(0, kept.length * values);
    const to = new Float64Array(kept.length * values);
    kept.forEach((frame, f) => {
      for (let k = 0; k < values; k++) to[f * values + k] = from[frame * values + k];
    });
    return to;
  };
  // Orientations have three weights for the four numbers of a quaternion.
  const isWeightPerFrame =
    o.weights !== undefined &&
    count > 1 &&
    (o.weights.length === o.target.length || 4 * o.weights.length === 3 * o.target.length);
  const chosen = new Set(chosenFrames(o.frames ?? 'all', count));
  const weights = isWeightPerFrame ? select(o.weights!) : o.weights;
  const perFrame = isWeightPerFrame ? weights!.length / kept.length : 0;
  const hasWeight = (frame: number): boolean =>
    !isWeightPerFrame || Array.from({ length: perFrame }, (_, k) => weights![frame * perFrame + k]).some((w) => w > 0);
  return {
    ...o,
    target: select(o.target),
    weights,
    noise: typeof o.noise === 'object' && o.noise.length === count ? select(o.noise) : o.noise,
    frames: [...kept.keys()].filter((f) => chosen.has(kept[f]) && hasWeight(f)),
  };
}
