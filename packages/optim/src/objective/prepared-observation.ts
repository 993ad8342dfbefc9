import type { Comparison, PixelGrid, RecordWords, Simulation } from '@gradsim/core';
import { RunFailure } from '../unknowns/run-failure.ts';
import { rotationAdjoint, rotationAlong, rotationBetween } from './rotation.ts';

/** An observation prepared for comparison: targets times root weights, in memory order. */
export interface PreparedObservation {
  readonly field: string;
  /**
   * Number of compared values in a frame: elements times components, [component][element]; 3 components for rotations.
   */
  readonly values: number;
  readonly elements: number;
  /** Where elements lie, of pictures. */
  readonly grid?: PixelGrid;
  /** Components of the field. */
  readonly components: number;
  readonly instants: number;
  /** Frames of the observation that count, each with its targets and root weights, `values` numbers. */
  readonly frames: readonly PreparedFrame[];
  /** Sum of weights. */
  readonly weight: number;
  /** Number of values with a weight. */
  readonly counted: number;
  /** Weighted sum of the targets' squares. */
  readonly squares: number;
  /** True if residuals are in units of a stated standard deviation. */
  readonly isNoiseGiven: boolean;
  /** True if that standard deviation is a lower bound, whatever the scatter. */
  readonly isLeastNoise: boolean;
}

export interface PreparedFrame {
  readonly frame: number;
  /** Root weights over the roots of the given weights: 1 over the noise. */
  readonly precision: number;
  readonly target: Float64Array;
  readonly rootWeights: Float64Array | null;
  /**
   * Target quaternions of orientations, [element][component]. A residual is the rotation vector from there to the
   * output, and `target` the rotation since the first frame: it measures how much there is to explain.
   */
  readonly orientations?: Float64Array;
}

/** Sums over the values of some frames. */
export function totalsOf(
  frames: readonly PreparedFrame[],
): Pick<PreparedObservation, 'weight' | 'counted' | 'squares'> {
  let weight = 0;
  let counted = 0;
  let squares = 0;
  for (const { target, rootWeights, orientations, precision } of frames)
    for (let k = 0; k < target.length; k++) {
      const root = rootWeights ? rootWeights[k] : 1;
      const given = root / precision;
      weight += given * given;
      if (root > 0) counted++;
      squares += orientations ? root * root : target[k] * target[k];
    }
  return { weight, counted, squares };
}

/** The same observation restricted to the first `frames` frames of the simulation. */
export function observedUpTo(p: PreparedObservation, frames: number): PreparedObservation {
  const kept = p.frames.filter(({ frame }) => (frame + 1) * p.instants <= frames);
  return { ...p, frames: kept, ...totalsOf(kept) };
}

/** Comparison that a device makes for an observation. */
export const comparisonOf = ({ field, instants, frames, elements }: PreparedObservation): Comparison => ({
  field,
  instants,
  isRotation: frames[0]?.orientations !== undefined,
  frames: frames.map(({ frame, target, rootWeights, orientations }) => ({
    frame,
    target: orientations ? byComponent(orientations, elements) : target,
    rootWeights,
  })),
});

/** Quaternions [element][component] as [component][element]. */
const byComponent = (orientations: Float64Array, elements: number): Float64Array =>
  orientations.map((_, k) => orientations[(k % elements) * 4 + Math.floor(k / elements)]);

/** Position of a world's values in a frame that counts. */
export interface Place {
  readonly record: RecordWords;
  readonly world: number;
  /** Number of the frame among those that count. */
  readonly f: number;
}

/** Mean of a recorded field over the instants of a frame, as it lies in memory. */
function fillMean(out: Float64Array, p: PreparedObservation, { record, world, f }: Place): void {
  const { words, frameStride, valueStride, worldStride } = record;
  const { frame } = p.frames[f];
  for (let i = 0; i < p.instants; i++) {
    const from = (frame * p.instants + i) * frameStride + world * worldStride;
    if (i === 0 && valueStride === 1) out.set(words.subarray(from, from + out.length));
    else if (i === 0) for (let k = 0; k < out.length; k++) out[k] = words[from + k * valueStride];
    else for (let k = 0; k < out.length; k++) out[k] += words[from + k * valueStride];
  }
  if (p.instants > 1) for (let k = 0; k < out.length; k++) out[k] /= p.instants;
}

/** Weighted residuals of a frame, in memory order. */
export function fillResidual(out: Float64Array, p: PreparedObservation, place: Place): void {
  const { target, rootWeights, orientations } = p.frames[place.f];
  if (orientations) {
    const shown = quaternions(p, place);
    fillTurns(out, p, (e) => rotationBetween(orientations.subarray(4 * e, 4 * e + 4), shown(e)));
  } else fillMean(out, p, place);
  if (rootWeights) multiply(out, rootWeights);
  if (!orientations) for (let k = 0; k < out.length; k++) out[k] -= target[k];
}

/** Weighted output in a frame: its target plus the residual. */
export function fillShown(out: Float64Array, p: PreparedObservation, place: Place): void {
  fillResidual(out, p, place);
  const { target } = p.frames[place.f];
  for (let k = 0; k < out.length; k++) out[k] += target[k];
}

/** A column of a Jacobian in the record. */
export type Along = Omit<Place, 'f'>;

/** Columns of a point's Jacobian in a recorded field; see `Columns`. The point has all worlds. */
export async function recordsAlong(simulation: Simulation, field: string): Promise<(column: number) => Along> {
  const record = await RunFailure.of(simulation.readRecord(field, { tangent: true }));
  return (column) => {
    const tangent = Math.floor(column / simulation.worlds);
    const words = record.words.subarray(tangent * record.tangentStride);
    return { record: { ...record, words }, world: column % simulation.worlds };
  };
}

/** Change of a frame's weighted residuals along a column. */
export function fillTangent(out: Float64Array, p: PreparedObservation, place: Place, column: Along): void {
  const { orientations, rootWeights } = p.frames[place.f];
  const along = { ...place, ...column };
  if (orientations) {
    const [shown, moved] = [quaternions(p, place), quaternions(p, along)];
    fillTurns(out, p, (e) => rotationAlong(orientations.subarray(4 * e, 4 * e + 4), shown(e), moved(e)));
  } else fillMean(out, p, along);
  if (rootWeights) multiply(out, rootWeights);
}

/** Every `stride`-th value of the weighted output in a frame. */
export function shownEvery(p: PreparedObservation, place: Place, stride: number): Float32Array {
  const { target, orientations } = p.frames[place.f];
  if (!orientations) return weightedEvery(p, place, stride);
  const all = new Float64Array(p.values);
  fillResidual(all, p, place);
  return every(
    all.map((residual, k) => residual + target[k]),
    stride,
  );
}

/** Every `stride`-th derivative of a frame's weighted residuals along a column. */
export function tangentEvery(p: PreparedObservation, place: Place, column: Along, stride: number): Float32Array {
  if (!p.frames[place.f].orientations) return weightedEvery(p, { ...place, ...column }, stride);
  const all = new Float64Array(p.values);
  fillTangent(all, p, place, column);
  return every(all, stride);
}

const every = (values: Float64Array, stride: number): Float32Array =>
  Float32Array.from({ length: Math.ceil(values.length / stride) }, (_, k) => values[k * stride]);

/** Every `stride`-th value of a frame, the mean over its instants, times the root of its weight. */
function weightedEvery(p: PreparedObservation, { record, world, f }: Place, stride: number): Float32Array {
  const { words, frameStride, valueStride, worldStride } = record;
  const { frame, rootWeights } = p.frames[f];
  const found = new Float32Array(Math.ceil(p.values / stride));
  const first = frame * p.instants * frameStride + world * worldStride;
  for (let at = 0, k = 0; at < found.length; at++, k += stride) {
    let sum = words[first + k * valueStride];
    for (let i = 1; i < p.instants; i++) sum += words[first + i * frameStride + k * valueStride];
    if (p.instants > 1) sum /= p.instants;
    found[at] = rootWeights ? sum * rootWeights[k] : sum;
  }
  return found;
}

/**
 * Adds `times` the weighted residuals of a frame to the adjoints of the field.
 * @param to adjoints of one frame and world, [element][component].
 * @param residual overwritten.
 */
export function addSeed(
  to: Float64Array,
  p: PreparedObservation,
  place: Place,
  residual: Float64Array,
  times: number,
): void {
  const { elements, components } = p;
  const { orientations, rootWeights } = p.frames[place.f];
  if (rootWeights) multiply(residual, rootWeights);
  if (!orientations) {
    for (let c = 0; c < components; c++) {
      let k = c;
      for (let e = c * elements; e < (c + 1) * elements; e++) {
        to[k] += times * residual[e];
        k += components;
      }
    }
    return;
  }
  const shown = quaternions(p, place);
  for (let e = 0; e < elements; e++) {
    const adjoint = [0, 1, 2].map((c) => times * residual[c * elements + e]);
    const own = rotationAdjoint(orientations.subarray(4 * e, 4 * e + 4), shown(e), adjoint);
    for (let c = 0; c < 4; c++) to[4 * e + c] += own[c];
  }
}

/** The quaternions of a frame, by element. */
function quaternions(p: PreparedObservation, place: Place): (element: number) => number[] {
  const values = new Float64Array(p.elements * p.components);
  fillMean(values, p, place);
  return (e) => [0, 1, 2, 3].map((c) => values[c * p.elements + e]);
}

function fillTurns(
  out: Float64Array,
  { elements }: PreparedObservation,
  of: (element: number) => readonly number[],
): void {
  for (let e = 0; e < elements; e++) {
    const turn = of(e);
    for (let c = 0; c < 3; c++) out[c * elements + e] = turn[c];
  }
}

/** Visits the weighted residuals of the chosen frames, in one array that the visitor may change. */
export function eachFrame(
  p: PreparedObservation,
  record: RecordWords,
  world: number,
  visit: (residual: Float64Array, f: number) => void,
): void {
  const residual = new Float64Array(p.values);
  for (let f = 0; f < p.frames.length; f++) {
    fillResidual(residual, p, { record, world, f });
    visit(residual, f);
  }
}

function multiply(values: Float64Array, by: Float64Array): void {
  for (let k = 0; k < values.length; k++) values[k] *= by[k];
}
