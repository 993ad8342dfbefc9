import type { JacobianSample } from '../objective/jacobian-sample.ts';
import type { PreparedObservation } from '../objective/prepared-observation.ts';
import type { PatternKind } from '../posterior/departures.ts';
import type { Column, PatternPositions } from './patterns.ts';
import { edgeColumns, pictureColumns } from './picture-columns.ts';

/** Maximum number of unknowns for which outline patterns and halves of the picture are tested. */
const MAX_OUTLINES = 8;
/** Deviation from the background, relative to the largest one of all values, above which a value counts as moving. */
const MIN_MOTION_SHARE = 0.1;
/** Mean share of frames in which values move, 0 to 1, above which they are states, not pixels. */
const MAX_MOVING_SHARE = 0.55;

/** Output of an observation, with its derivatives, frame by frame. */
export interface SampledFilm extends Pick<JacobianSample, 'positions' | 'columns' | 'modelOutput'> {
  /** Change of the output by a relative error of the frame rate; undefined if it was not computed. */
  readonly clock: readonly Float32Array[] | undefined;
  /** Times of the frames, in usual frame intervals. */
  readonly moments: readonly number[];
}

export function columnsOf(
  p: PreparedObservation,
  film: SampledFilm,
  {
    still,
    stride,
    n,
    largest,
    isStill,
  }: { readonly still: Float32Array; readonly isStill: boolean } & Readonly<Record<'stride' | 'n' | 'largest', number>>,
): Column[] {
  const { modelOutput, clock, moments } = film;
  const isRotation = p.frames[0].orientations !== undefined;
  const found: Column[] = isStill
    ? []
    : [
        { kind: 'delay', subjectIndex: null, fill: timeOf(p, modelOutput, moments, stride) },
        { kind: 'blur', subjectIndex: null, fill: bendOf(p, modelOutput, stride) },
      ];
  if (clock && !isStill)
    found.push({ kind: 'clock', subjectIndex: null, fill: (to, f, positions) => fillFrom(to, clock[f], positions) });
  if (isRotation) return found;
  const byComponent = (kind: PatternKind, fill: Column['fill']): Column[] =>
    Array.from({ length: p.values / p.elements }, (_, subjectIndex) => ({
      kind,
      subjectIndex,
      fill: (to, f, positions, derivatives) => {
        fill(to, f, positions, derivatives);
        onlyComponent(to, positions, subjectIndex, p.elements, stride);
      },
    }));
  const offset: Column['fill'] = (to, f, positions) => fillRoots(to, p.frames[f].rootWeights, positions, stride);
  if (!isStill && !isPicture(modelOutput, still, largest)) {
    found.push(...byComponent('offset', offset));
    return found;
  }
  if (!isStill)
    found.push(
      { kind: 'gain', subjectIndex: null, fill: (to, f, positions) => fillFrom(to, modelOutput[f], positions) },
      { kind: 'offset', subjectIndex: null, fill: offset },
    );
  found.push(...byComponent('colour', (to, f, positions) => fillChange(to, modelOutput[f], still, positions)));
  // With a stride, neighbouring pixels are not among the kept values.
  if (p.grid && stride === 1) found.push(...pictureColumns(p, p.grid, film, n <= MAX_OUTLINES ? n : 0));
  if (isStill) found.push(...edgeColumns(p, p.grid!, modelOutput, still));
  if (n <= MAX_OUTLINES)
    for (let i = 0; i < n; i++)
      found.push(
        {
          kind: 'outline',
          subjectIndex: i,
          fill: (to, _, { count }, derivatives) => fillSizes(to, derivatives[i], count),
        },
        {
          kind: 'texture',
          subjectIndex: i,
          fill: (to, f, positions, derivatives) => {
            fillChange(to, modelOutput[f], still, positions);
            multiply(to, derivatives[i], positions.count);
          },
        },
      );
  return found;
}

/** Copies the values at the given positions to the beginning of `to`. */
function fillFrom(to: Float64Array, from: Float32Array, { at, count }: PatternPositions): void {
  for (let i = 0; i < count; i++) to[i] = from[at[i]];
}

function fillSizes(to: Float64Array, from: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) to[i] = Math.abs(from[i]);
}

function fillChange(to: Float64Array, from: Float32Array, still: Float32Array, { at, count }: PatternPositions): void {
  for (let i = 0; i < count; i++) to[i] = from[at[i]] - still[at[i]];
}

function multiply(to: Float64Array, by: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) to[i] *= by[i];
}

function fillRoots(
  to: Float64Array,
  roots: Float64Array | null,
  { at, count }: PatternPositions,
  stride: number,
): void {
  for (let i = 0; i < count; i++) to[i] = roots ? roots[at[i] * stride] : 1;
}

function onlyComponent(
  to: Float64Array,
  { at, count }: PatternPositions,
  component: number,
  elements: number,
  stride: number,
) {
  for (let i = 0; i < count; i++) if (Math.floor((at[i] * stride) / elements) !== component) to[i] = 0;
}

/**
 * Pattern of a delay: the time derivative of the output per frame, as a difference quotient between the next and the
 * previous frame. If a neighbour is missing or its value has weight 0, the frame itself takes its place.
 */
function timeOf(
  p: PreparedObservation,
  shown: readonly Float32Array[],
  moments: readonly number[],
  stride: number,
): Column['fill'] {
  const last = shown.length - 1;
  return (to, f, { at, count }) => {
    const [before, after] = [Math.max(0, f - 1), Math.min(last, f + 1)];
    const [rootsBefore, rootsAfter] = [p.frames[before].rootWeights, p.frames[after].rootWeights];
    const [early, own, late] = [shown[before], shown[f], shown[after]];
    const [from, here, end] = [before, f, after].map((frame) => moments[frame]);
    for (let i = 0; i < count; i++) {
      const k = at[i];
      const countsBefore = before !== f && (rootsBefore ? rootsBefore[k * stride] > 0 : true);
      const countsAfter = after !== f && (rootsAfter ? rootsAfter[k * stride] > 0 : true);
      const change = (countsAfter ? late[k] : own[k]) - (countsBefore ? early[k] : own[k]);
      const time = (countsAfter ? end : here) - (countsBefore ? from : here);
      to[i] = time === 0 ? 0 : change / time;
    }
  };
}

/** Pattern of motion blur by an open shutter: the difference between a frame and the mean of its neighbours. */
function bendOf(p: PreparedObservation, shown: readonly Float32Array[], stride: number): Column['fill'] {
  const last = shown.length - 1;
  return (to, f, { at, count }) => {
    if (f === 0 || f === last) {
      to.fill(0, 0, count);
      return;
    }
    const [rootsBefore, rootsAfter] = [p.frames[f - 1].rootWeights, p.frames[f + 1].rootWeights];
    const [early, here, late] = [shown[f - 1], shown[f], shown[f + 1]];
    const [before, own, after] = [f - 1, f, f + 1].map((frame) => p.frames[frame].frame);
    const share = (own - before) / (after - before);
    for (let i = 0; i < count; i++) {
      const k = at[i];
      const counts = (rootsBefore?.[k * stride] ?? 1) !== 0 && (rootsAfter?.[k * stride] ?? 1) !== 0;
      to[i] = counts ? (1 - share) * early[k] + share * late[k] - here[k] : 0;
    }
  };
}

/** True if values are pixels, most of which show the static background most of the time. */
function isPicture(shown: readonly Float32Array[], still: Float32Array, largest: number): boolean {
  const least = MIN_MOTION_SHARE * largest;
  const own = new Uint32Array(still.length);
  for (const values of shown) for (let k = 0; k < own.length; k++) if (Math.abs(values[k] - still[k]) > least) own[k]++;
  let [moved, ever] = [0, 0];
  for (const count of own) {
    moved += count;
    ever += Number(count > 0);
  }
  return ever > 0 && moved < MAX_MOVING_SHARE * ever * shown.length;
}
