import { sumOfSquares } from '@gradsim/base';
import type { Comparison, PixelGrid, RecordWords, Simulation } from '@gradsim/core';
import { RunFailure } from '../unknowns/run-failure.ts';
import { rotationAdjoint, rotationAlong, rotationBetween } from './rotation.ts';

/** An observation prepared for comparison: targets in memory order, times the square roots of their weights. */
export interface PreparedObservation {
  readonly field: string;
  /**
   * Number of compared values in a frame, [component][element]: elements times compared components, which are 3 of
   * orientations, and else all up to the last one with a weight above 0.
   */
  readonly values: number;
  readonly elements: number;
  /** For pictures: the arrangement of elements (pixels) in tiles. */
  readonly grid?: PixelGrid;
  /** Number of components of the field. */
  readonly components: number;
  readonly instants: number;
  /** Compared frames of the observation, each with `values` targets and root weights. */
  readonly frames: readonly PreparedFrame[];
  /** Sum of all weights over the compared frames. */
  readonly weight: number;
  /** Number of compared values with nonzero weight. */
  readonly counted: number;
  /** Weighted sum of squared target values. */
  readonly squares: number;
  /** True if residuals are divided by a stated standard deviation of the noise. */
  readonly isNoiseGiven: boolean;
  /** Share of the stated standard deviation that is a lower bound of the errors, even if residuals scatter less. */
  readonly leastShare: number;
}

export interface PreparedFrame {
  readonly frame: number;
  /**
   * Factor between the root weights and the square roots of the given weights: 1 over the standard deviation of the
   * noise.
   */
  readonly precision: number;
  readonly target: Float64Array;
  readonly rootWeights: Float64Array | null;
  /**
   * For orientations: target quaternions, [element][component]. A residual is the rotation vector from the target to
   * the output; `target` holds the rotation vectors since the first frame, which measure how much there is to explain.
   */
  readonly orientations?: Float64Array;
}

/** True if any value of a frame is compared. */
export const hasWeight = ({ rootWeights }: PreparedFrame): boolean =>
  rootWeights === null || rootWeights.some((root) => root > 0);

/** Sum of weights, number of weighted values, and weighted sum of squares over some frames. */
export function totalsOf(
  frames: readonly PreparedFrame[],
): Pick<PreparedObservation, 'weight' | 'counted' | 'squares'> {
  let [weight, counted, squares] = [0, 0, 0];
  /** Sum of squares, and number above 0, of root weights, which frames share. */
  const known = new Map<Float64Array, readonly [number, number]>();
  for (const { target, rootWeights, orientations, precision } of frames) {
    const own = rootWeights && (known.get(rootWeights) ?? [sumOfSquares(rootWeights), countPositive(rootWeights)]);
    if (rootWeights && own) known.set(rootWeights, own);
    const [whole, count] = own ?? [target.length, target.length];
    weight += whole / precision ** 2;
    counted += count;
    squares += orientations ? whole : sumOfSquares(target);
  }
  return { weight, counted, squares };
}

function countPositive(roots: Float64Array): number {
  let count = 0;
  for (let k = 0; k < roots.length; k++) if (roots[k] > 0) count++;
  return count;
}

/** The same observation restricted to the first `frames` frames of the simulation. */
export function observedUpTo(p: PreparedObservation, frames: number): PreparedObservation {
  const kept = p.frames.filter(({ frame }) => (frame + 1) * p.instants <= frames);
  return { ...p, frames: kept, ...totalsOf(kept) };
}

/** Description of an observation from which a device computes sums of squared residuals. */
export const comparisonOf = ({ field, instants, frames, elements, values }: PreparedObservation): Comparison => ({
  field,
  instants,
  ...(frames[0]?.orientations ? { isRotation: true } : { components: values / elements }),
  frames: frames.map(({ frame, target, rootWeights, orientations }) => ({
    frame,
    target: orientations ? byComponent(orientations, elements) : target,
    rootWeights,
  })),
});

/** Transposes quaternions from [element][component] to [component][element]. */
const byComponent = (orientations: Float64Array, elements: number): Float64Array =>
  orientations.map((_, k) => orientations[(k % elements) * 4 + Math.floor(k / elements)]);

/** A compared frame of one world in a simulation's record. */
export interface RecordFrame {
  readonly record: RecordWords;
  readonly world: number;
  /** Index of the frame among the compared frames. */
  readonly f: number;
}

/** Mean of a recorded field over the exposure of a compared frame (its `instants`), in memory order. */
function fillMean(out: Float64Array, p: PreparedObservation, { record, world, f }: RecordFrame): void {
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

/** Residuals of a compared frame, times root weights, in memory order. */
export function fillResidual(out: Float64Array, p: PreparedObservation, place: RecordFrame): void {
  const { target, rootWeights, orientations } = p.frames[place.f];
  if (orientations) {
    const shown = quaternions(p, place);
    fillTurns(out, p, (e) => rotationBetween(orientations.subarray(4 * e, 4 * e + 4), shown(e)));
  } else fillMean(out, p, place);
  if (rootWeights) multiply(out, rootWeights);
  if (!orientations) for (let k = 0; k < out.length; k++) out[k] -= target[k];
}

/** Output in a compared frame, times root weights; of orientations, the target plus the residual. */
export function fillShown(out: Float64Array, p: PreparedObservation, place: RecordFrame): void {
  const { target, orientations, rootWeights } = p.frames[place.f];
  if (orientations) {
    fillResidual(out, p, place);
    for (let k = 0; k < out.length; k++) out[k] += target[k];
    return;
  }
  fillMean(out, p, place);
  if (rootWeights) multiply(out, rootWeights);
}

/** Location of a column of the Jacobian in a record of tangents. */
export type Along = Omit<RecordFrame, 'f'>;

/**
 * Locations of the Jacobian's columns in the record of a field's tangents, if all worlds run the same point; see
 * `Columns`.
 */
export async function recordsAlong(simulation: Simulation, field: string): Promise<(column: number) => Along> {
  const record = await RunFailure.whileReading(simulation.readRecord(field, { tangent: true }));
  return (column) => {
    const tangent = Math.floor(column / simulation.worlds);
    const words = record.words.subarray(tangent * record.tangentStride);
    return { record: { ...record, words }, world: column % simulation.worlds };
  };
}

/** Derivative of a compared frame's weighted residuals along a column of the Jacobian. */
export function fillTangent(out: Float64Array, p: PreparedObservation, place: RecordFrame, column: Along): void {
  const { orientations, rootWeights } = p.frames[place.f];
  const along = { ...place, ...column };
  if (orientations) {
    const [shown, moved] = [quaternions(p, place), quaternions(p, along)];
    fillTurns(out, p, (e) => rotationAlong(orientations.subarray(4 * e, 4 * e + 4), shown(e), moved(e)));
  } else fillMean(out, p, along);
  if (rootWeights) multiply(out, rootWeights);
}

/**
 * Writes every `stride`-th value of the output in a compared frame, times root weights, to the beginning of `out`.
 * @param at positions among these values, to read those alone.
 */
export function fillShownEvery(
  out: Float32Array,
  p: PreparedObservation,
  place: RecordFrame,
  stride: number,
  at?: Uint32Array,
): void {
  if (p.frames[place.f].orientations) {
    const all = new Float64Array(p.values);
    fillShown(all, p, place);
    thin(out, all, stride, at);
  } else fillEvery(out, p, place, stride, at);
}

/** Writes every `stride`-th derivative of a compared frame's weighted residuals along a column of the Jacobian. */
export function fillTangentEvery(
  out: Float32Array,
  p: PreparedObservation,
  place: RecordFrame,
  column: Along,
  stride: number,
): void {
  if (p.frames[place.f].orientations) {
    const all = new Float64Array(p.values);
    fillTangent(all, p, place, column);
    thin(out, all, stride);
  } else fillEvery(out, p, { ...place, ...column }, stride);
}

/** Number of values of a frame of which every `stride`-th is kept. */
export const countEvery = ({ values }: PreparedObservation, stride: number): number => Math.ceil(values / stride);

function thin(out: Float32Array, all: Float64Array, stride: number, at?: Uint32Array): void {
  const count = at ? at.length : Math.ceil(all.length / stride);
  for (let i = 0; i < count; i++) out[i] = all[stride * (at ? at[i] : i)];
}

/**
 * Writes every `stride`-th value of a field in a compared frame, as the mean over its exposure, times its root weight.
 * @param at positions among these values, to read those alone.
 */
function fillEvery(
  out: Float32Array,
  p: PreparedObservation,
  { record, world, f }: RecordFrame,
  stride: number,
  at?: Uint32Array,
): void {
  const { words, frameStride, valueStride, worldStride } = record;
  const { frame, rootWeights } = p.frames[f];
  const first = frame * p.instants * frameStride + world * worldStride;
  const count = at ? at.length : countEvery(p, stride);
  if (!at && valueStride === 1 && p.instants === 1) {
    fillRow(out, words.subarray(first, first + p.values), rootWeights, stride);
    return;
  }
  for (let i = 0; i < count; i++) {
    const k = stride * (at ? at[i] : i);
    let sum = words[first + k * valueStride];
    for (let n = 1; n < p.instants; n++) sum += words[first + n * frameStride + k * valueStride];
    if (p.instants > 1) sum /= p.instants;
    out[i] = rootWeights ? sum * rootWeights[k] : sum;
  }
}

/** Values next to one another, as of most pictures: a loop without choices in it takes half the time. */
function fillRow(
  out: Float32Array,
  values: RecordWords['words'],
  rootWeights: Float64Array | null,
  stride: number,
): void {
  if (rootWeights) for (let i = 0, k = 0; k < values.length; i++, k += stride) out[i] = values[k] * rootWeights[k];
  else for (let i = 0, k = 0; k < values.length; i++, k += stride) out[i] = values[k];
}

/**
 * Adds to a field's adjoints the gradient of half the sum of squared weighted residuals of a frame, times `times`.
 * @param to adjoints of one frame and world, [element][component].
 * @param residual weighted residuals of the frame; overwritten.
 */
export function addSeed(
  to: Float64Array,
  p: PreparedObservation,
  place: RecordFrame,
  residual: Float64Array,
  times: number,
): void {
  const { elements, components, values } = p;
  const { orientations, rootWeights } = p.frames[place.f];
  if (rootWeights) multiply(residual, rootWeights);
  if (!orientations) {
    for (let c = 0; c < values / elements; c++) {
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

/** Returns a function for the output quaternion of each element in a compared frame. */
function quaternions(p: PreparedObservation, place: RecordFrame): (element: number) => number[] {
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

/**
 * Calls a visitor with the weighted residuals of each chosen frame, in one reused array that the visitor may overwrite.
 */
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

export function multiply(values: Float64Array, by: Float64Array): void {
  for (let k = 0; k < values.length; k++) values[k] *= by[k];
}
