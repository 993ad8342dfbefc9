import type { Model, RecordWords } from '@gradsim/core';
import { flawOf, refuseUnknownOptions } from '@gradsim/core';
import type { Observation } from './observation.ts';
import { chosenFrames } from './observation.ts';

/** An observation made ready: targets times root weights, in the order in which values lie in memory. */
export interface Prepared {
  readonly field: string;
  /** Values of a frame: elements times components, [component][element]. */
  readonly values: number;
  readonly elements: number;
  readonly instants: number;
  /** Frames of the observation that count, and for each its targets and root weights, `values` numbers. */
  readonly frames: readonly {
    readonly frame: number;
    readonly target: Float64Array;
    readonly rootWeights: Float64Array | null;
  }[];
  /** Sum of weights. */
  readonly weight: number;
  /** Number of values with a weight. */
  readonly counted: number;
  /** Weighted sum of the targets' squares. */
  readonly squares: number;
}

/** Mean of a recorded field over the instants of the observation's f-th chosen frame, times the root of the weight. */
export function fillFrame(
  out: Float64Array,
  p: Prepared,
  { words, frameStride, valueStride, worldStride }: RecordWords,
  world: number,
  f: number,
): void {
  const { frame, rootWeights } = p.frames[f];
  for (let i = 0; i < p.instants; i++) {
    const from = (frame * p.instants + i) * frameStride + world * worldStride;
    if (i === 0 && valueStride === 1) out.set(words.subarray(from, from + out.length));
    else if (i === 0) for (let k = 0; k < out.length; k++) out[k] = words[from + k * valueStride];
    else for (let k = 0; k < out.length; k++) out[k] += words[from + k * valueStride];
  }
  if (p.instants > 1) for (let k = 0; k < out.length; k++) out[k] /= p.instants;
  if (rootWeights) multiply(out, rootWeights);
}

/** Visits the weighted residuals of the chosen frames, in one array that the visitor may change. */
export function eachFrame(
  p: Prepared,
  record: RecordWords,
  world: number,
  visit: (residual: Float64Array, f: number) => void,
): void {
  const residual = new Float64Array(p.values);
  for (let f = 0; f < p.frames.length; f++) {
    fillResidual(residual, p, record, world, f);
    visit(residual, f);
  }
}

/** The weighted residuals of the f-th chosen frame, in the order in which values lie. */
export function fillResidual(
  out: Float64Array,
  p: Prepared,
  record: RecordWords,
  world: number,
  f: number,
): void {
  fillFrame(out, p, record, world, f);
  const { target } = p.frames[f];
  for (let k = 0; k < out.length; k++) out[k] -= target[k];
}

/**
 * Moves the values that any unknown moves to the front, in all arrays alike, and gives their number: most of a picture
 * is background, which adds nothing to J^T J and J^T r.
 */
export function gatherMoving(residual: Float64Array, columns: readonly Float64Array[]): number {
  let count = 0;
  for (let k = 0; k < residual.length; k++) {
    let moves = false;
    for (let j = 0; j < columns.length && !moves; j++) moves = columns[j][k] !== 0;
    if (!moves) continue;
    for (let j = 0; j < columns.length; j++) columns[j][count] = columns[j][k];
    residual[count++] = residual[k];
  }
  return count;
}

export function dot(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += a[k] * b[k];
  return sum;
}

export function multiply(values: Float64Array, by: Float64Array): void {
  for (let k = 0; k < values.length; k++) values[k] *= by[k];
}

const OPTIONS = { field: true, target: true, frames: true, weights: true, instants: true };

/** @throws when a target or its weights have the wrong size, hold a NaN, or a frame is not there. */
export function prepare(model: Model, observation: Observation, simulationFrames: number): Prepared {
  const { target, weights, instants = 1, frames: choice = 'all' } = observation;
  const field = model.field(observation.field);
  const { key } = field;
  refuseUnknownOptions<Observation>(`The observation of ${key}`, observation, OPTIONS);
  const elements = model.domain(field.domain).size;
  const { components } = field;
  const values = elements * components;
  if (!Number.isInteger(instants) || instants < 1 || simulationFrames % instants !== 0) {
    throw new Error(
      `The observation of ${key} averages ${instants} instants a frame, which does not divide the simulation's ${simulationFrames} frames.`,
    );
  }
  const count = simulationFrames / instants;
  if (target?.length !== count * values) {
    throw new Error(
      `The target for ${key} has ${target?.length ?? String(target)} values, but ${count} frames of ${elements} x ${components} are ${count * values}.`,
    );
  }
  for (let k = 0; k < target.length; k++) {
    if (flawOf(target[k], { scalar: 'f32' }))
      throw new Error(
        `The target for ${key} is ${target[k]} in frame ${Math.floor(k / values)}; every value must be a finite number.`,
      );
  }
  const allowed = [components, values, count * values];
  if (weights && !allowed.includes(weights.length)) {
    throw new Error(
      `The weights for ${key} are ${weights.length}; give one for each component (${allowed[0]}), each value of a frame (${allowed[1]}) or each value (${allowed[2]}).`,
    );
  }
  const weightOf = (frame: number, element: number, c: number): number => {
    if (!weights) return 1;
    if (weights.length === components) return weights[c];
    return weights[(weights.length === values ? 0 : frame * values) + element * components + c];
  };
  let weight = 0;
  let counted = 0;
  let squares = 0;
  const frames = chosenFrames(choice, count).map((frame) => {
    const ordered = new Float64Array(values);
    const rootWeights = weights ? new Float64Array(values) : null;
    for (let e = 0; e < elements; e++) {
      for (let c = 0; c < components; c++) {
        const k = c * elements + e;
        const w = weightOf(frame, e, c);
        if (flawOf(w, { scalar: 'f32', range: 'nonNegative' }))
          throw new Error(
            `A weight for ${key} is ${w} in frame ${frame}; weights are finite numbers of at least 0.`,
          );
        weight += w;
        if (w > 0) counted++;
        const root = Math.sqrt(w);
        ordered[k] = root * target[frame * values + e * components + c];
        squares += ordered[k] * ordered[k];
        if (rootWeights) rootWeights[k] = root;
      }
    }
    return { frame, target: ordered, rootWeights };
  });
  return { field: key, values, elements, instants, frames, weight, counted, squares };
}
