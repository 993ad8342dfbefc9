import type { Field, Model } from '@gradsim/core';
import { GradsimError, quat, refuseUnknownOptions } from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';
import type { Observation } from '../problem/observation.ts';
import { chosenFrames } from '../problem/observation.ts';
import { measuredNoise } from './noise.ts';
import type { PreparedFrame, PreparedObservation } from './prepared-observation.ts';
import { multiply, totalsOf } from './prepared-observation.ts';
import { rotationBetween } from './rotation.ts';

const OPTIONS = {
  field: true,
  target: true,
  frames: true,
  weights: true,
  noise: true,
  leastShare: true,
  instants: true,
};

/** Numbers of elements, components and frames in the comparison of an observed field. */
interface Shape {
  readonly key: string;
  readonly elements: number;
  /** Number of components of the field; `compared`: of a residual, which is 3 for orientations. */
  readonly components: number;
  readonly compared: number;
  /** Number of frames of the observation. */
  readonly count: number;
}

/**
 * Prepares an observation for comparison with a run.
 * @throws if the target or its weights have the wrong size or contain NaN, or if a chosen frame does not exist.
 */
export function prepareObservation(
  model: Model,
  observation: Observation,
  simulationFrames: number,
): PreparedObservation {
  const { target, weights, instants = 1, frames: choice = 'all' } = observation;
  const field = model.field(observation.field);
  const { key, components } = field;
  refuseUnknownOptions<Observation>(`The observation of ${key}`, observation, OPTIONS);
  const { size: elements, grid } = model.domain(field.domain);
  if (!Number.isInteger(instants) || instants < 1 || simulationFrames % instants !== 0) {
    throw new GradsimError(
      'optim/instants',
      `The observation of ${key} averages ${instants} instants a frame, which does not divide the simulation's ${simulationFrames} frames.`,
      { field: key },
    );
  }
  const isTurned = isOrientation(field);
  if (isTurned && instants > 1)
    throw new GradsimError(
      'optim/instants',
      `The observation of ${key} averages ${instants} instants a frame, and orientations have no mean.`,
      { field: key, hint: 'Leave `instants` out.' },
    );
  const count = simulationFrames / instants;
  const shape: Shape = { key, elements, components, compared: isTurned ? 3 : components, count };
  const roots = rootsOf(shape, weights);
  refuseTarget(shape, target, roots, isTurned);
  const chosen = chosenFrames(choice, count);
  const weighed = isTurned ? shape : { ...shape, compared: weighedComponents(shape, roots) };
  const frames = isTurned ? turnsOf(shape, target, roots) : valuesOf(weighed, target, firstOf(weighed, roots));
  const scale = precisionOf(shape, observation, frames);
  const scaled = scaling();
  const kept = chosen.map((frame) => scaled(frames[frame], scale(frame)));
  const values = elements * weighed.compared;
  const { noise, leastShare = 0 } = observation;
  if (!(leastShare >= 0 && leastShare <= 1))
    throw new GradsimError('optim/option-out-of-range', `The observation of ${key} has the leastShare ${leastShare}.`, {
      field: key,
      hint: 'It must be a number from 0 to 1.',
    });
  return {
    field: key,
    values,
    elements,
    ...(grid && { grid }),
    components,
    instants,
    frames: kept,
    ...totalsOf(kept),
    isNoiseGiven: noise !== undefined && noise !== 'measured',
    leastShare,
  };
}

/** True if a field holds orientations (quaternions), whose residuals are rotation vectors. */
const isOrientation = ({ ref }: Field): boolean => ref?.type === quat;

/** Square roots of the weights, [component][element], of each frame or of all; null if the observation has no weights. */
type Roots = readonly Float64Array[] | null;

const rootsIn = (roots: Roots, frame: number): Float64Array | null => roots?.[roots.length === 1 ? 0 : frame] ?? null;

/** Number of components up to the last one with a weight above 0: alpha of a picture mostly has none. */
function weighedComponents({ elements, compared }: Shape, roots: Roots): number {
  if (!roots) return compared;
  const last = Math.max(...roots.map((own) => own.findLastIndex((root) => root > 0)));
  return Math.max(1, Math.ceil((last + 1) / elements));
}

/** The roots of the first components. */
const firstOf = ({ elements, compared }: Shape, roots: Roots): Roots =>
  roots?.map((own) => own.subarray(0, elements * compared)) ?? null;

/** Checks weights and returns their square roots. @throws for a wrong number of weights or an invalid one. */
function rootsOf({ key, elements, compared, count }: Shape, weights: ArrayLike<number> | undefined): Roots {
  if (!weights) return null;
  const values = elements * compared;
  const allowed = [compared, values, count * values];
  if (!allowed.includes(weights.length)) {
    throw new GradsimError('optim/wrong-size', `The weights for ${key} are ${weights.length}.`, {
      field: key,
      hint: `Give one for each component (${allowed[0]}), each value of a frame (${allowed[1]}) or each value of the ${count} frames that are compared (${allowed[2]}).`,
    });
  }
  const isPerFrame = weights.length !== compared && weights.length !== values;
  const rootsAt = (frame: number): Float64Array => {
    const roots = new Float64Array(values);
    const first = isPerFrame ? frame * values : 0;
    for (let c = 0; c < compared; c++)
      for (let e = 0; e < elements; e++) {
        const w = weights[weights.length === compared ? c : first + e * compared + c];
        if (flawOf(w, { scalar: 'f32', range: 'nonNegative' }))
          throw new GradsimError(
            'optim/weight-out-of-range',
            `A weight for ${key} is ${w} in frame ${frame}; weights are finite numbers of at least 0.`,
            { field: key },
          );
        roots[c * elements + e] = Math.sqrt(w);
      }
    return roots;
  };
  return Array.from({ length: isPerFrame ? count : 1 }, (_, frame) => rootsAt(frame));
}

/** Checks a target. @throws for a wrong size, a value of nonzero weight that is not finite, or a zero quaternion. */
function refuseTarget(
  { key, elements, components, compared, count }: Shape,
  target: ArrayLike<number> | undefined,
  roots: Roots,
  isTurned: boolean,
): asserts target is ArrayLike<number> {
  const values = elements * components;
  if (target?.length !== count * values) {
    throw new GradsimError(
      'optim/wrong-size',
      `The target for ${key} has ${target?.length ?? String(target)} values, but ${count} frames of ${elements} x ${components} are ${count * values}.`,
      { field: key },
    );
  }
  for (let at = nextInfinite(target, 0); at < target.length; at = nextInfinite(target, at + 1)) {
    const [frame, element] = [Math.floor(at / values), Math.floor((at % values) / components)];
    const own = compared === components ? [at % components] : [0, 1, 2];
    const ofFrame = rootsIn(roots, frame);
    if (Number.isNaN(target[at]) && own.every((c) => ofFrame?.[c * elements + element] === 0)) continue;
    throw new GradsimError(
      'optim/target-not-finite',
      `The target for ${key} is ${target[at]} in frame ${frame}; every value must be a finite number. One that is missing is NaN with a weight of 0.`,
      { field: key },
    );
  }
  for (let at = 0; isTurned && at < target.length; at += 4)
    if (target[at] === 0 && target[at + 1] === 0 && target[at + 2] === 0 && target[at + 3] === 0)
      throw new GradsimError(
        'optim/target-no-orientation',
        `The target for ${key} is (0, 0, 0, 0) in frame ${Math.floor(at / values)}, which is no orientation.`,
        { field: key, hint: 'Give quaternions (x, y, z, w).' },
      );
}

/** Index from `from` on of a value that is not finite in single precision; that behind the last one if there is none. */
function nextInfinite(values: ArrayLike<number>, from: number): number {
  let at = from;
  // A film has as many as pixels: what is subtracted from itself is 0 if it is finite.
  while (at < values.length) {
    const value = Math.fround(values[at]);
    if (value - value !== 0) break;
    at++;
  }
  return at;
}

/** Target values of each frame in memory order, [component][element], with the square roots of their weights. */
function valuesOf(
  { elements, components, compared, count }: Shape,
  target: ArrayLike<number>,
  roots: Roots,
): PreparedFrame[] {
  return Array.from({ length: count }, (_, frame) => {
    const ordered = new Float64Array(elements * compared);
    const rootWeights = rootsIn(roots, frame);
    const first = frame * elements * components;
    for (let c = 0; c < compared; c++)
      fillComponent(ordered.subarray(c * elements, (c + 1) * elements), target, first + c, components);
    // What has no weight may be NaN.
    if (rootWeights) clearUnweighted(ordered, rootWeights);
    return { frame, target: ordered, rootWeights, precision: 1 };
  });
}

/** Copies every n-th value. */
function fillComponent(to: Float64Array, values: ArrayLike<number>, first: number, n: number): void {
  for (let e = 0, from = first; e < to.length; e++, from += n) to[e] = values[from];
}

function clearUnweighted(values: Float64Array, rootWeights: Float64Array): void {
  for (let k = 0; k < values.length; k++) if (rootWeights[k] === 0) values[k] = 0;
}

/** For orientations, in each frame: the rotation vector since the first frame as target, and the target quaternions. */
function turnsOf({ elements, count }: Shape, target: ArrayLike<number>, roots: Roots): PreparedFrame[] {
  const turned = new Float64Array(3 * elements);
  const last: (number[] | undefined)[] = Array(elements).fill(undefined);
  return Array.from({ length: count }, (_, frame) => {
    const orientations = new Float64Array(4 * elements);
    for (let e = 0; e < elements; e++) {
      const own = [0, 1, 2, 3].map((c) => target[(frame * elements + e) * 4 + c]);
      const isThere = own.every(Number.isFinite);
      if (isThere) {
        const turn = rotationBetween(last[e] ?? own, own);
        turn.forEach((angle, c) => {
          turned[c * elements + e] += angle;
        });
        last[e] = own;
      }
      orientations.set(isThere ? own : (last[e] ?? [0, 0, 0, 1]), 4 * e);
    }
    return { frame, target: turned.slice(), rootWeights: rootsIn(roots, frame), orientations, precision: 1 };
  });
}

/**
 * Returns a function for the factor of a frame's root weights: 1 over the standard deviation of the frame's noise.
 * @throws for invalid noise.
 */
function precisionOf(
  { key, count }: Shape,
  { noise }: Observation,
  frames: readonly PreparedFrame[],
): (frame: number) => number {
  if (noise === undefined) return () => 1;
  if (noise === 'measured') {
    const found = measuredNoise(frames, frames[0].target);
    if (found) return () => 1 / found;
    throw new GradsimError(
      'optim/noise-not-measurable',
      `The noise of ${key} cannot be measured from ${count} frames.`,
      {
        field: key,
        hint: 'It takes some that follow one another and do not all show the same. Give its standard deviation as `noise`.',
      },
    );
  }
  const each = typeof noise === 'number' ? [noise] : Array.from(noise ?? []);
  if (each.length !== 1 && each.length !== count)
    throw new GradsimError('optim/wrong-size', `The noise of ${key} has ${each.length} values.`, {
      field: key,
      hint: `Give one for all, one for each of ${count} frames, or 'measured'.`,
    });
  const bad = each.findIndex((deviation) => flawOf(deviation, { scalar: 'f32', range: 'positive' }));
  if (bad >= 0)
    throw new GradsimError(
      'optim/noise-out-of-range',
      `The noise of ${key} is ${each[bad]}${each.length > 1 ? ` in frame ${bad}` : ''}.`,
      {
        field: key,
        hint: "Give its standard deviation, a number above 0 in the unit of the field (of orientations in radians), or 'measured'.",
      },
    );
  return (frame) => 1 / each[each.length === 1 ? 0 : frame];
}

/**
 * Returns a function that multiplies a frame's root weights by a factor, and its target, in place, by the resulting
 * root weights. Frames with equal roots and factors share one array; without weights and with factor 1 nothing changes.
 */
function scaling(): (frame: PreparedFrame, by: number) => PreparedFrame {
  const known = new Map<Float64Array | null, Map<number, Float64Array>>();
  return (frame, by) => {
    const { target, rootWeights } = frame;
    if (!rootWeights && by === 1) return frame;
    const ofFrame = known.get(rootWeights) ?? new Map<number, Float64Array>();
    known.set(rootWeights, ofFrame);
    const roots = ofFrame.get(by) ?? rootWeights?.map((root) => root * by) ?? new Float64Array(target.length).fill(by);
    ofFrame.set(by, roots);
    multiply(target, roots);
    return { ...frame, rootWeights: roots, precision: by };
  };
}
