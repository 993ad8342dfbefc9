import { mean, upperMedian } from '@gradsim/base';
import type { FrameClock } from '@gradsim/core';
import { usualRate } from '@gradsim/core';
import type { Background, SeenFrame, SeenFrames } from '../noise/background.ts';
import { backgroundOf, spreadOf, stillCorrelation } from '../noise/background.ts';
import type { FrameCorrelation } from '../noise/frame-correlation.ts';
import { frameCorrelation } from '../noise/frame-correlation.ts';
import { stillOf } from '../noise/static-background.ts';
import type { OutlineSums } from '../noise/still-noise.ts';
import { addOutlines, leastStillVariance } from '../noise/still-noise.ts';
import type { Spans } from '../objective/frame-parts.ts';
import { MIN_FRAMES, momentsIn, partsOfStills, spansOf, tilesOf } from '../objective/frame-parts.ts';
import type { JacobianSample } from '../objective/jacobian-sample.ts';
import type { PreparedObservation } from '../objective/prepared-observation.ts';
import type { SampledFilm } from './pattern-columns.ts';
import { columnsOf } from './pattern-columns.ts';
import type { Column, Pattern, PatternPositions } from './patterns.ts';

/**
 * Sums, block by block, over the columns [J G]: the Jacobian J and patterns G of possible errors of film or model. A
 * block is a frame of a film, or a part of a still picture: neighbouring tiles of pixels.
 */
export interface PatternSums {
  readonly unknowns: number;
  readonly patterns: readonly Pattern[];
  /** True if blocks are parts of still pictures. */
  readonly isStill: boolean;
  /** Frame of each block, in the order of `scores` and `products`. */
  readonly frames: readonly number[];
  /** Times of these frames, in usual frame intervals. */
  readonly moments: readonly number[];
  /** [J G]^T r of each block; `products`: [J G]^T [J G] of each block, row by row. */
  readonly scores: readonly Float64Array[];
  readonly products: readonly Float64Array[];
  /** Sum of squared residuals over all frames; `values`: the number of these residuals. */
  readonly squares: number;
  readonly values: number;
  readonly correlation: FrameCorrelation | null;
  readonly background: Background | null;
  /** Smallest variance of a residual of still pictures, {@link leastStillVariance}; 0 for films. */
  readonly leastOfStills: number;
  /** Sums over the outlines of still pictures; zeros for films. */
  readonly outlines: OutlineSums;
  /** Side of the squares of pixels over which values are sums, px. */
  readonly side: number;
}

/**
 * Maximum number of products of columns over values that depend on unknowns or motion, and as many over the other
 * values; above it, values are sampled.
 */
const MAX_PRODUCTS = 8e6;
/** Maximum number of frames whose median is taken as the static background. */
const MAX_MEDIAN_FRAMES = 9;
/** Maximum number of unknowns for which departures are searched. */
const MAX_UNKNOWNS = 32;
/**
 * Derivative of a value with respect to an unknown, relative to the largest one, above which the value depends on it.
 */
const MIN_DERIVATIVE_SHARE = 1e-3;

/** True if departures are searched for with this number of unknowns. */
export const canDepart = (unknowns: number): boolean => unknowns > 0 && unknowns <= MAX_UNKNOWNS;

/**
 * Computes the sums over patterns of errors that change the film but not the motion: another gain or offset, another
 * colour or outline of bodies, a delay, or motion blur. With the output y, the background b and the time t in frames,
 * the patterns are y, 1, y - b, |dy/dx| and (dy/dx) (y - b) for each unknown x, dy/dt, t dy/dt, and d2y/dt2.
 *
 * @param clocked run whose frames they are.
 * @param clock t dy/dt of each frame, see {@link clockColumns}; undefined if it was not computed.
 */
export function patternSumsOf(
  prepared: readonly PreparedObservation[],
  { positions, columns, modelOutput, stride, side = 1 }: JacobianSample,
  clock: readonly Float32Array[] | undefined,
  unknowns: number,
  clocked: FrameClock,
): PatternSums | null {
  const n = unknowns;
  const rate = usualRate(clocked);
  const momentOf = (frame: number): number => (clocked.frameTimes ? rate * clocked.frameTimes[frame] : frame);
  const moments = [...momentsIn(prepared)].sort((a, b) => a - b);
  const isStill = moments.length < MIN_FRAMES;
  const parts = Math.max(1, partsOfStills(prepared));
  const frames = moments.flatMap((frame) => Array<number>(parts).fill(frame));
  const position = new Map(moments.map((frame, at) => [frame, at * parts]));
  const own: ObservationPatterns[] = [];
  let first = 0;
  for (const [observation, p] of prepared.entries()) {
    const part: SampledFilm = {
      positions: positions.slice(first, first + p.frames.length),
      columns: columns.slice(first, first + p.frames.length),
      modelOutput: modelOutput.slice(first, first + p.frames.length),
      clock: clock?.slice(first, first + p.frames.length),
      moments: p.frames.map(({ frame }) => momentOf(frame * p.instants) / p.instants),
    };
    first += p.frames.length;
    // With a stride, neighbouring pixels are not among the kept values.
    const counts = isStill ? tilesOf(p) > 0 && stride === 1 : p.frames.length >= MIN_FRAMES;
    if (counts) own.push(ownOf(p, observation, part, { stride, n, isStill }));
  }
  if (own.length === 0) return null;
  const patterns = own.flatMap(({ observation, all }) =>
    all.map(({ kind, subjectIndex }): Pattern => ({ kind, observation, subjectIndex })),
  );
  const m = n + patterns.length;
  const scores = frames.map(() => new Float64Array(m));
  const products = frames.map(() => new Float64Array(m * m));
  const still: SeenFrames[] = [];
  const outlines: OutlineSums = { residuals: 0, weights: 0, squares: 0 };
  let [squares, values, column] = [0, 0, n];
  const strides: number[] = [];
  for (const { p, part, all, showing, count } of own) {
    const frames = p.frames.map(
      ({ target, rootWeights }, f): SeenFrame => ({
        modelOutput: part.modelOutput[f],
        target,
        rootWeights,
        showing: showing[f],
        stride,
      }),
    );
    const places = [...Array(n).keys(), ...all.map((_, d) => column + d)];
    column += all.length;
    const widening = all.findIndex(({ kind }) => kind === 'wide');
    const size = part.modelOutput[0].length;
    const rows = places.map(() => new Float64Array(size));
    const filled = places.map(() => new Uint32Array(size));
    const chosen: PatternPositions = { at: new Uint32Array(size), count: 0 };
    const indices = new Int32Array(size);
    const derivatives = rows.slice(0, n);
    const residuals = new Float64Array(size);
    const active = oddNumber(Math.ceil((count * places.length ** 2) / (2 * MAX_PRODUCTS)));
    // The background of a still picture, which the fit leaves as it is, tells nothing of its outlines.
    const others = isStill ? 0 : oddNumber(Math.ceil((size * p.frames.length * places.length) / MAX_PRODUCTS));
    for (let f = 0; f < p.frames.length; f++) {
      const seen = frames[f];
      for (let block = 0; block < parts; block++) {
        chooseElements(chosen, seen, { active, others, spans: spansOf(p, size, parts, block) });
        squares += fillResiduals(residuals, seen, chosen);
        values += chosen.count;
        findIndices(indices, chosen, part.positions[f]);
        for (const [c, row] of derivatives.entries()) fillDerivatives(row, part.columns[f][c], indices, chosen.count);
        for (const [c, { fill }] of all.entries()) fill(rows[n + c], f, chosen, derivatives);
        if (widening >= 0) addOutlines(outlines, rows[n + widening], residuals, chosen.count);
        const at = position.get(p.frames[f].frame * p.instants)! + block;
        addProducts(scores[at], products[at], { rows, filled, places, residuals, count: chosen.count });
      }
    }
    strides.push(active);
    still.push({ frames, elements: p.elements / stride, values: size });
  }
  for (const product of products)
    for (let i = 0; i < m; i++) for (let j = 0; j < i; j++) product[j * m + i] = product[i * m + j];
  // Of some values only, those next to one another in memory are no neighbours.
  const spread = spreadOf(still);
  const around = spread && stride === 1 ? backgroundOf(spread) : null;
  const leastOfStills = isStill
    ? mean(
        own.map(({ p, part, showing, largest }) =>
          leastStillVariance(p, { modelOutput: part.modelOutput, showing, contrast: largest / side }),
        ),
      )
    : 0;
  // A background with less noise than outlines have tells nothing of theirs.
  const isQuiet =
    isStill && stride === 1 && !(around !== null && around.variance * around.correlationFactor > leastOfStills);
  const background = isQuiet ? { variance: leastOfStills, ...KNOWN } : around;
  return {
    unknowns,
    patterns,
    isStill,
    frames,
    moments: frames.map(momentOf),
    scores,
    products,
    squares,
    values,
    background,
    leastOfStills,
    outlines,
    side,
    correlation: isStill
      ? background && WITHIN_BLOCKS
      : ((spread && stillCorrelation(spread)) ??
        frameCorrelation(still.map(({ frames }, o) => frames.map((seen) => movingResiduals(seen, strides[o]))))),
  };
}

/** For each chosen position, its index among some others, or -1; both are ascending. */
function findIndices(to: Int32Array, { at, count }: PatternPositions, among: Uint32Array): void {
  for (let i = 0, next = 0; i < count; i++) {
    while (among[next] < at[i]) next++;
    to[i] = among[next] === at[i] ? next : -1;
  }
}

function fillDerivatives(to: Float64Array, column: Float32Array, indices: Int32Array, count: number): void {
  for (let i = 0; i < count; i++) to[i] = indices[i] < 0 ? 0 : column[indices[i]];
}

/** Noise that is known to be independent. */
const KNOWN = { correlationFactor: 1, freedom: Number.POSITIVE_INFINITY } as const;

/** Correlation over blocks of residuals that are correlated within blocks alone. */
const WITHIN_BLOCKS = { byLag: [1], isFitted: false } as const;

/** Values of some columns, and the residuals, at some positions of a frame. */
interface Rows {
  /** Values of each of these columns; `places` are the columns' indices among all, ascending. */
  readonly rows: readonly Float64Array[];
  readonly places: readonly number[];
  /** For each of these columns, memory for the positions at which it is not zero. */
  readonly filled: readonly Uint32Array[];
  readonly residuals: Float64Array;
  readonly count: number;
}

/**
 * Adds the values' contributions to [J G]^T r and to the lower half of [J G]^T [J G]. Sums go over the positions at
 * which the sparser column is not zero: most columns are zero in the background.
 */
function addProducts(
  score: Float64Array,
  product: Float64Array,
  { rows, filled, places, residuals, count }: Rows,
): void {
  const m = score.length;
  const positions = rows.map((row, c) => filled[c].subarray(0, nonzero(filled[c], row, count)));
  for (let a = 0; a < rows.length; a++) {
    const at = places[a];
    score[at] = sumAt(positions[a], rows[a], residuals, score[at]);
    for (let b = 0; b <= a; b++) {
      const sparser = positions[b].length < positions[a].length ? positions[b] : positions[a];
      const to = at * m + places[b];
      product[to] = sumAt(sparser, rows[a], rows[b], product[to]);
    }
  }
}

/** Writes the positions at which a row is not zero, and returns their number. */
function nonzero(to: Uint32Array, row: Float64Array, count: number): number {
  let found = 0;
  for (let i = 0; i < count; i++) {
    to[found] = i;
    if (row[i] !== 0) found++;
  }
  return found;
}

/** Adds to a sum the products of two rows at some positions, one after another. */
function sumAt(at: Uint32Array, a: Float64Array, b: Float64Array, before: number): number {
  let sum = before;
  for (let i = 0; i < at.length; i++) {
    const k = at[i];
    sum += a[k] * b[k];
  }
  return sum;
}

/** Writes the residuals at some positions of a frame, and returns the sum of their squares. */
function fillResiduals(
  to: Float64Array,
  { modelOutput, target, stride }: SeenFrame,
  { at, count }: PatternPositions,
): number {
  let squares = 0;
  for (let i = 0; i < count; i++) {
    const residual = modelOutput[at[i]] - target[at[i] * stride];
    to[i] = residual;
    squares += residual * residual;
  }
  return squares;
}

/** Residuals of every n-th value of a frame that depends on an unknown or a motion; NaN for all other values. */
function movingResiduals(
  { modelOutput, target, rootWeights, showing, stride }: SeenFrame,
  every: number,
): Float32Array {
  const residuals = new Float32Array(Math.ceil(modelOutput.length / every)).fill(Number.NaN);
  for (let i = 0, k = 0; k < modelOutput.length; i++, k += every)
    if (showing[k] === 1 && rootWeights?.[k * stride] !== 0) residuals[i] = modelOutput[k] - target[k * stride];
  return residuals;
}

/**
 * Chooses every n-th value that depends on an unknown or a motion (`active`), and every n-th of the `others`, of which 0
 * chooses none.
 */
function chooseElements(
  positions: PatternPositions,
  { rootWeights, showing, stride }: SeenFrame,
  { active, others, spans }: Readonly<Record<'active' | 'others', number>> & { readonly spans: Spans },
): void {
  const { at } = positions;
  let count = 0;
  for (const [from, to] of spans)
    for (let k = from; k < to; k++) {
      if (k % (showing[k] === 1 ? active : others) !== 0 || rootWeights?.[k * stride] === 0) continue;
      at[count++] = k;
    }
  positions.count = count;
}

/** An observation with its error patterns, and flags of the values that depend on an unknown or a motion. */
interface ObservationPatterns {
  readonly p: PreparedObservation;
  readonly observation: number;
  readonly part: SampledFilm;
  readonly all: readonly Column[];
  /** For each frame and value, 1 if it depends on an unknown or a motion; `count`: the number of such values. */
  readonly showing: readonly Uint8Array[];
  readonly count: number;
  /** Largest difference from the background. */
  readonly largest: number;
}

function ownOf(
  p: PreparedObservation,
  observation: number,
  part: SampledFilm,
  { stride, n, isStill }: Readonly<Record<'stride' | 'n', number>> & { readonly isStill: boolean },
): ObservationPatterns {
  const still = isStill ? surroundingsOf(p, part) : stillOf(part.modelOutput, MAX_MEDIAN_FRAMES);
  const largest = largestChange(part.modelOutput, still);
  const showing = part.modelOutput.map((values) => changedValues(values, still, MIN_DERIVATIVE_SHARE * largest));
  for (let i = 0; i < n; i++) {
    const least = MIN_DERIVATIVE_SHARE * largestOf(part.columns, i);
    for (const [f, own] of showing.entries()) mark(own, part.columns[f][i], part.positions[f], least);
  }
  const count = showing.reduce((sum, own) => sum + marked(own), 0);
  return {
    p,
    observation,
    part,
    all: columnsOf(p, part, { still, stride, n, largest, isStill }),
    showing,
    count,
    largest,
  };
}

/** Background of still pictures: of each component, the median of the values that depend on no unknown. */
function surroundingsOf(
  { elements }: PreparedObservation,
  { modelOutput, columns, positions }: SampledFilm,
): Float32Array {
  const still = new Float32Array(modelOutput[0].length);
  const depending = modelOutput.map((picture) => new Uint8Array(picture.length));
  for (const i of columns[0].keys()) {
    const least = MIN_DERIVATIVE_SHARE * largestOf(columns, i);
    for (const [f, flags] of depending.entries()) mark(flags, columns[f][i], positions[f], least);
  }
  for (let first = 0; first < still.length; first += elements) {
    const values: number[] = [];
    for (const [f, picture] of modelOutput.entries())
      for (let k = first; k < first + elements; k++) if (depending[f][k] === 0) values.push(picture[k]);
    still.fill(values.length > 0 ? upperMedian(values) : 0, first, first + elements);
  }
  return still;
}

/** Next odd number from `every` on: an odd stride samples all columns of pictures, whose widths mostly are even. */
const oddNumber = (every: number): number => every + Number(every % 2 === 0);

/** Flags of the values that differ from the background by more than `minDifference`. */
function changedValues(values: Float32Array, still: Float32Array, minDifference: number): Uint8Array {
  const flags = new Uint8Array(values.length);
  for (let k = 0; k < flags.length; k++) if (Math.abs(values[k] - still[k]) > minDifference) flags[k] = 1;
  return flags;
}

/** Flags the positions at which a column's value is larger than `least`. */
function mark(flags: Uint8Array, column: Float32Array, at: Uint32Array, least: number): void {
  for (let i = 0; i < at.length; i++) if (Math.abs(column[i]) > least) flags[at[i]] = 1;
}

function marked(flags: Uint8Array): number {
  let count = 0;
  for (let k = 0; k < flags.length; k++) count += flags[k];
  return count;
}

function largestChange(shown: readonly Float32Array[], still: Float32Array): number {
  return shown.reduce((largest, values) => Math.max(largest, largestDifference(values, still)), 0);
}

function largestDifference(values: Float32Array, from: Float32Array): number {
  let largest = 0;
  for (let k = 0; k < from.length; k++) {
    const size = Math.abs(values[k] - from[k]);
    if (size > largest) largest = size;
  }
  return largest;
}

function largestSize(values: Float32Array): number {
  let largest = 0;
  for (let k = 0; k < values.length; k++) largest = Math.max(largest, Math.abs(values[k]));
  return largest;
}

function largestOf(columns: readonly (readonly Float32Array[])[], i: number): number {
  let largest = 0;
  for (const column of columns) largest = Math.max(largest, largestSize(column[i]));
  return largest;
}
