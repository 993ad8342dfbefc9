import type { Field, Model } from '@gradsim/core';
import { flawOf, quat, refuseUnknownOptions } from '@gradsim/core';
import type { Observation } from '../problem/observation.ts';
import { chosenFrames } from '../problem/observation.ts';
import { measuredNoise } from './noise.ts';
import type { PreparedFrame, PreparedObservation } from './prepared-observation.ts';
import { rotationBetween } from './rotation.ts';

const OPTIONS = {
  field: true,
  target: true,
  frames: true,
  weights: true,
  noise: true,
  isLeastNoise: true,
  instants: true,
};

/** What is compared of a field, frame by frame. */
interface Shape {
  readonly key: string;
  readonly elements: number;
  /** Of the field, and of a residual. */
  readonly components: number;
  readonly compared: number;
  /** Frames of the observation. */
  readonly count: number;
}

/** @throws when a target or its weights have the wrong size, hold a NaN, or a frame is not there. */
export function prepareObservation(
  model: Model,
  observation: Observation,
  simulationFrames: number,
): PreparedObservation {
  const { target, weights, instants = 1, frames: choice = 'all' } = observation;
  const field = model.field(observation.field);
  const { key, components } = field;
  refuseUnknownOptions<Observation>(`The observation of ${key}`, observation, OPTIONS);
  const elements = model.domain(field.domain).size;
  if (!Number.isInteger(instants) || instants < 1 || simulationFrames % instants !== 0) {
    throw new Error(
      `The observation of ${key} averages ${instants} instants a frame, which does not divide the simulation's ${simulationFrames} frames.`,
    );
  }
  const isTurned = isOrientation(field);
  if (isTurned && instants > 1)
    throw new Error(
      `The observation of ${key} averages ${instants} instants a frame, and orientations have no mean: leave \`instants\` out.`,
    );
  const count = simulationFrames / instants;
  const shape: Shape = { key, elements, components, compared: isTurned ? 3 : components, count };
  const weightOf = weighing(shape, weights);
  refuseTarget(shape, target, weightOf, isTurned);
  const chosen = chosenFrames(choice, count);
  const frames = isTurned ? turnsOf(shape, target, weightOf) : valuesOf(shape, target, weightOf);
  const scale = precisionOf(shape, observation, frames);
  const kept = chosen.map((frame) => scaled(frames[frame], scale(frame), weights !== undefined));
  let [weight, counted, squares] = [0, 0, 0];
  for (const { frame, target: seen, rootWeights, orientations } of kept)
    for (let k = 0; k < seen.length; k++) {
      const root = rootWeights?.[k] ?? 1;
      weight += (root / scale(frame)) ** 2;
      if (root > 0) counted++;
      squares += orientations ? root * root : seen[k] * seen[k];
    }
  const values = elements * shape.compared;
  const { noise } = observation;
  return {
    field: key,
    values,
    elements,
    components,
    instants,
    frames: kept,
    weight,
    counted,
    squares,
    isNoiseGiven: noise !== undefined && noise !== 'measured',
    isLeastNoise: observation.isLeastNoise ?? false,
  };
}

/** Whether a field holds orientations, which are compared as rotations. */
export const isOrientation = ({ ref }: Field): boolean => ref?.type === quat;

/** The weight of a value by frame, element and component. @throws when there are not as many as there can be. */
function weighing(
  { key, elements, compared, count }: Shape,
  weights: ArrayLike<number> | undefined,
): (frame: number, element: number, c: number) => number {
  if (!weights) return () => 1;
  const values = elements * compared;
  const allowed = [compared, values, count * values];
  if (!allowed.includes(weights.length)) {
    throw new Error(
      `The weights for ${key} are ${weights.length}; give one for each component (${allowed[0]}), each value of a frame (${allowed[1]}) or each value of the ${count} frames that are compared (${allowed[2]}).`,
    );
  }
  const isPerFrame = weights.length !== compared && weights.length !== values;
  return (frame, element, c) => {
    const at = weights.length === compared ? c : (isPerFrame ? frame * values : 0) + element * compared + c;
    const w = weights[at];
    if (flawOf(w, { scalar: 'f32', range: 'nonNegative' }))
      throw new Error(`A weight for ${key} is ${w} in frame ${frame}; weights are finite numbers of at least 0.`);
    return w;
  };
}

/** @throws when the target has the wrong size, or is not finite where it counts. */
function refuseTarget(
  { key, elements, components, compared, count }: Shape,
  target: ArrayLike<number> | undefined,
  weightOf: (frame: number, element: number, c: number) => number,
  isTurned: boolean,
): asserts target is ArrayLike<number> {
  const values = elements * components;
  if (target?.length !== count * values) {
    throw new Error(
      `The target for ${key} has ${target?.length ?? String(target)} values, but ${count} frames of ${elements} x ${components} are ${count * values}.`,
    );
  }
  for (let at = 0; at < target.length; at++) {
    if (!flawOf(target[at], { scalar: 'f32' })) continue;
    const [frame, element] = [Math.floor(at / values), Math.floor((at % values) / components)];
    const own = compared === components ? [at % components] : [0, 1, 2];
    if (Number.isNaN(target[at]) && own.every((c) => weightOf(frame, element, c) === 0)) continue;
    throw new Error(
      `The target for ${key} is ${target[at]} in frame ${frame}; every value must be a finite number. One that is missing is NaN with a weight of 0.`,
    );
  }
  for (let at = 0; isTurned && at < target.length; at += 4)
    if (target[at] === 0 && target[at + 1] === 0 && target[at + 2] === 0 && target[at + 3] === 0)
      throw new Error(
        `The target for ${key} is (0, 0, 0, 0) in frame ${Math.floor(at / values)}, which is no orientation; give quaternions (x, y, z, w).`,
      );
}

type Weighing = (frame: number, element: number, c: number) => number;

/** Every frame's values, and the roots of their weights. */
function valuesOf(
  { elements, components, count }: Shape,
  target: ArrayLike<number>,
  weightOf: Weighing,
): (PreparedFrame & { rootWeights: Float64Array })[] {
  const values = elements * components;
  return Array.from({ length: count }, (_, frame) => {
    const ordered = new Float64Array(values);
    const rootWeights = new Float64Array(values);
    for (let e = 0; e < elements; e++)
      for (let c = 0; c < components; c++) {
        const root = Math.sqrt(weightOf(frame, e, c));
        ordered[c * elements + e] = root > 0 ? target[frame * values + e * components + c] : 0;
        rootWeights[c * elements + e] = root;
      }
    return { frame, target: ordered, rootWeights };
  });
}

/** The same of orientations: how far they have turned since the first, and the quaternions. */
function turnsOf(
  { elements, count }: Shape,
  target: ArrayLike<number>,
  weightOf: Weighing,
): (PreparedFrame & { rootWeights: Float64Array })[] {
  const turned = new Float64Array(3 * elements);
  const last: (number[] | undefined)[] = Array(elements).fill(undefined);
  return Array.from({ length: count }, (_, frame) => {
    const orientations = new Float64Array(4 * elements);
    const rootWeights = new Float64Array(3 * elements);
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
      for (let c = 0; c < 3; c++) rootWeights[c * elements + e] = Math.sqrt(weightOf(frame, e, c));
    }
    return { frame, target: turned.slice(), rootWeights, orientations };
  });
}

/** What weights of a frame are multiplied by the square of: one over its noise. @throws when the noise is none. */
function precisionOf(
  { key, count }: Shape,
  { noise }: Observation,
  frames: readonly { readonly target: Float64Array; readonly rootWeights: Float64Array }[],
): (frame: number) => number {
  if (noise === undefined) return () => 1;
  if (noise === 'measured') {
    const found = measuredNoise(frames, frames[0].target);
    if (found) return () => 1 / found;
    throw new Error(
      `The noise of ${key} cannot be measured from ${count} frames: it takes some that follow one another and do not all show the same. Give its standard deviation as \`noise\`.`,
    );
  }
  const each = typeof noise === 'number' ? [noise] : Array.from(noise ?? []);
  if (each.length !== 1 && each.length !== count)
    throw new Error(
      `The noise of ${key} has ${each.length} values; give one for all, one for each of ${count} frames, or 'measured'.`,
    );
  const bad = each.findIndex((deviation) => flawOf(deviation, { scalar: 'f32', range: 'positive' }));
  if (bad >= 0)
    throw new Error(
      `The noise of ${key} is ${each[bad]}${each.length > 1 ? ` in frame ${bad}` : ''}; give its standard deviation, a number above 0 in the unit of the field (of orientations in radians), or 'measured'.`,
    );
  return (frame) => 1 / each[each.length === 1 ? 0 : frame];
}

/** A frame with targets times the roots of weights; these are left out where all are 1. */
function scaled(
  { target, rootWeights, ...frame }: PreparedFrame & { readonly rootWeights: Float64Array },
  by: number,
  isWeighed: boolean,
): PreparedFrame {
  if (!isWeighed && by === 1) return { ...frame, target, rootWeights: null };
  const roots = rootWeights.map((root) => root * by);
  return { ...frame, target: target.map((value, k) => value * roots[k]), rootWeights: roots };
}
