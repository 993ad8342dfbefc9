import type { PreparedObservation } from '../objective/prepared-observation.ts';
import type { Background, StillResiduals } from './background.ts';
import { backgroundOf, stillCorrelation } from './background.ts';
import type { Column, Pattern, Positions } from './direction.ts';
import type { FrameCorrelation } from './frame-correlation.ts';
import { addCross, crossProducts, frameCorrelation } from './frame-correlation.ts';
import { columnsOf, fillFrom, stillOf } from './nuisance-columns.ts';
import type { Kept } from './probe.ts';

/** Sums, frame by frame, over the columns [J G]: the Jacobian J and patterns G of possible errors of film or model. */
export interface Nuisances {
  readonly unknowns: number;
  readonly patterns: readonly Pattern[];
  /** Numbers of the summed frames, in the order of `scores` and `products`. */
  readonly frames: readonly number[];
  /** [J G]^T r of each frame; `products`: [J G]^T [J G] of each frame, row by row. */
  readonly scores: readonly Float64Array[];
  readonly products: readonly Float64Array[];
  /** Sum of squared residuals over all frames; `values`: the number of these residuals. */
  readonly squares: number;
  readonly values: number;
  readonly alike: FrameCorrelation | null;
  readonly background: Background | null;
}

/**
 * Maximum number of products of columns over values that depend on unknowns or motion, and as many over the other
 * values; above it, values are sampled.
 */
const MAX_PRODUCTS = 8e6;
/** Maximum number of unknowns for which departures are searched. */
const MAX_UNKNOWNS = 32;
/** Minimum number of frames for detecting changes from one frame to the next. */
const MIN_FRAMES = 4;
/**
 * Derivative of a value with respect to an unknown, relative to the largest one, above which the value depends on it.
 */
const SLIGHTLY = 1e-3;

/**
 * Computes the sums over patterns of errors that change the film but not the motion: another gain or offset, another
 * colour or outline of bodies, a delay, or motion blur. With the output y, the background b and the time t in frames,
 * the patterns are y, 1, y - b, |dy/dx| and (dy/dx) (y - b) for each unknown x, dy/dt, and d2y/dt2.
 */
export function nuisancesOf(
  prepared: readonly PreparedObservation[],
  { columns, shown, stride }: Kept,
  unknowns: number,
): Nuisances | null {
  const n = unknowns;
  if (n === 0 || n > MAX_UNKNOWNS) return null;
  const frames = [...new Set(prepared.flatMap((p) => p.frames.map(({ frame }) => frame * p.instants)))].sort(
    (a, b) => a - b,
  );
  const position = new Map(frames.map((frame, at) => [frame, at]));
  const own: Own[] = [];
  let first = 0;
  for (const [observation, p] of prepared.entries()) {
    const part = {
      columns: columns.slice(first, first + p.frames.length),
      shown: shown.slice(first, first + p.frames.length),
    };
    first += p.frames.length;
    if (p.frames.length >= MIN_FRAMES) own.push(ownOf(p, observation, part, stride, n));
  }
  if (own.length === 0) return null;
  const patterns = own.flatMap(({ observation, all }) =>
    all.map(({ kind, which }): Pattern => ({ kind, observation, which })),
  );
  const m = n + patterns.length;
  const scores = frames.map(() => new Float64Array(m));
  const products = frames.map(() => new Float64Array(m * m));
  const everywhere = crossProducts();
  const still: StillResiduals[] = [];
  let [squares, values, column] = [0, 0, n];
  for (const { p, part, all, showing, count } of own) {
    const told: Float32Array[] = [];
    const untold: Float32Array[] = [];
    const places = [...Array(n).keys(), ...all.map((_, d) => column + d)];
    column += all.length;
    const size = part.shown[0].length;
    const rows = places.map(() => new Float64Array(size));
    const positions: Positions = { at: new Uint32Array(size), count: 0 };
    const residuals = new Float64Array(size);
    const active = odd(Math.ceil((count * places.length ** 2) / (2 * MAX_PRODUCTS)));
    const others = odd(Math.ceil((part.shown[0].length * p.frames.length * places.length) / MAX_PRODUCTS));
    for (let f = 0; f < p.frames.length; f++) {
      const { frame, target, rootWeights } = p.frames[f];
      const at = position.get(frame * p.instants)!;
      untold.push(stillResiduals(part.shown[f], p.frames[f], showing[f], stride));
      told.push(new Float32Array(Math.ceil(part.shown[f].length / active)).fill(Number.NaN));
      positions.count = 0;
      for (let k = 0; k < size; k++) {
        const isShowing = showing[f][k] === 1;
        if (isShowing ? k % active > 0 : k % others > 0) continue;
        if (rootWeights?.[k * stride] === 0) continue;
        const residual = part.shown[f][k] - target[k * stride];
        values++;
        squares += residual * residual;
        if (isShowing) told[f][k / active] = residual;
        residuals[positions.count] = residual;
        positions.at[positions.count++] = k;
      }
      for (let c = 0; c < n; c++) fillFrom(rows[c], part.columns[f][c], positions);
      for (const [c, { fill }] of all.entries()) fill(rows[n + c], f, positions);
      addProducts(scores[at], products[at], { rows, places, residuals, count: positions.count });
    }
    addCross(everywhere, told);
    still.push({ frames: untold, elements: p.elements / stride, values: untold[0].length });
  }
  for (const product of products)
    for (let i = 0; i < m; i++) for (let j = 0; j < i; j++) product[j * m + i] = product[i * m + j];
  return {
    unknowns,
    patterns,
    frames,
    scores,
    products,
    squares,
    values,
    // Of some values only, those next to one another in memory are no neighbours.
    background: stride === 1 ? backgroundOf(still) : null,
    alike: stillCorrelation(still) ?? frameCorrelation(everywhere),
  };
}

/** Values of some columns, and the residuals, at some positions of a frame. */
interface Rows {
  /** Values of each of these columns; `places` are the columns' indices among all, ascending. */
  readonly rows: readonly Float64Array[];
  readonly places: readonly number[];
  readonly residuals: Float64Array;
  readonly count: number;
}

/** Adds the values' contributions to [J G]^T r and to the lower half of [J G]^T [J G]; skips columns that are zero. */
function addProducts(score: Float64Array, product: Float64Array, { rows, places, residuals, count }: Rows): void {
  const m = score.length;
  const row = new Float64Array(rows.length);
  const filled = new Uint32Array(rows.length);
  for (let i = 0; i < count; i++) {
    let last = 0;
    for (let c = 0; c < rows.length; c++) {
      row[last] = rows[c][i];
      filled[last] = places[c];
      if (row[last] !== 0) last++;
    }
    for (let a = 0; a < last; a++) {
      const g = row[a];
      const from = filled[a] * m;
      score[filled[a]] += g * residuals[i];
      for (let b = 0; b <= a; b++) product[from + filled[b]] += g * row[b];
    }
  }
}

/**
 * Residuals of the background values of a frame; NaN for values that depend on an unknown or a motion, or have weight
 * 0.
 */
const stillResiduals = (
  shown: Float32Array,
  { target, rootWeights }: PreparedObservation['frames'][number],
  showing: Uint8Array,
  stride: number,
): Float32Array =>
  shown.map((value, k) =>
    showing[k] === 1 || rootWeights?.[k * stride] === 0 ? Number.NaN : value - target[k * stride],
  );

/** An observation with its error patterns, and flags of the values that depend on an unknown or a motion. */
interface Own {
  readonly p: PreparedObservation;
  readonly observation: number;
  readonly part: Pick<Kept, 'columns' | 'shown'>;
  readonly all: readonly Column[];
  /** For each frame and value, 1 if it depends on an unknown or a motion; `count`: the number of such values. */
  readonly showing: readonly Uint8Array[];
  readonly count: number;
}

function ownOf(
  p: PreparedObservation,
  observation: number,
  part: Pick<Kept, 'columns' | 'shown'>,
  stride: number,
  n: number,
): Own {
  const still = stillOf(part.shown);
  const least = Array.from({ length: n }, (_, i) => SLIGHTLY * largestOf(part.columns, i));
  const largest = largestChange(part.shown, still);
  const showing = part.shown.map((values, f) => {
    const own = new Uint8Array(values.length);
    for (let k = 0; k < own.length; k++) own[k] = Number(Math.abs(values[k] - still[k]) > SLIGHTLY * largest);
    for (const [i, column] of part.columns[f].entries())
      for (let k = 0; k < own.length; k++) if (Math.abs(column[k]) > least[i]) own[k] = 1;
    return own;
  });
  const count = showing.reduce((sum, own) => sum + own.reduce((some, is) => some + is, 0), 0);
  return { p, observation, part, all: columnsOf(p, part, { still, stride, n, largest }), showing, count };
}

/** Next odd number from `every` on: an odd stride samples all columns of pictures, whose widths mostly are even. */
const odd = (every: number): number => every + Number(every % 2 === 0);

function largestChange(shown: readonly Float32Array[], still: Float32Array): number {
  let largest = 0;
  for (const values of shown)
    for (let k = 0; k < still.length; k++) largest = Math.max(largest, Math.abs(values[k] - still[k]));
  return largest;
}

function largestOf(columns: readonly (readonly Float32Array[])[], i: number): number {
  let largest = 0;
  for (const column of columns)
    for (let k = 0; k < column[i].length; k++) largest = Math.max(largest, Math.abs(column[i][k]));
  return largest;
}
