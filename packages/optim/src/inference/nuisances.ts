import { median } from '@gradsim/numeric';
import type { PreparedObservation } from '../objective/prepared-observation.ts';
import type { DepartureKind, Direction } from './departures.ts';
import type { Kept } from './probe.ts';

/** How residuals go together over frames. */
export interface Alike {
  /** By lag from 0, as far as it is there. */
  readonly byLag: readonly number[];
  /** Whether unknowns show in them: then a misfit of what moves does too. */
  readonly isFitted: boolean;
}

/** Sums by frame over columns of the Jacobian and directions of what may be wrong with a film or its model, [J G]. */
export interface Nuisances {
  readonly unknowns: number;
  readonly directions: readonly Direction[];
  /** [J G]^T r and [J G]^T [J G], row by row. */
  readonly scores: readonly Float64Array[];
  readonly products: readonly Float64Array[];
  /** The sum of squared residuals, and of how many values. */
  readonly squares: number;
  readonly values: number;
  readonly alike: Alike | null;
}

/** Products of columns, of all values where something shows; of others as many values. */
const MOST_PRODUCTS = 3e7;
/** Of more unknowns none of this is asked. */
const MOST_UNKNOWNS = 32;
/** Of more unknowns, none is asked by itself for what goes with its outlines. */
const MOST_OUTLINES = 8;
/** Frames whose median is what stands still. */
const MOST_FOR_MEDIAN = 9;
/** A value moves where it is off what stands still by this share of the largest such change ... */
const SOME = 0.1;
/** ... and what moves in more than this share of the frames is no place of a picture but a state. */
const MOST_FRAMES = 0.55;
/** Fewer frames tell nothing of what changes from one to the next. */
const LEAST_FRAMES = 8;
/** Of the largest derivative by an unknown, what shows it slightly. */
const SLIGHTLY = 1e-3;
/** Values, lags and correlations that are looked at of the residuals where no unknown shows. */
const LEAST_VALUES = 500;
const MOST_LAGS = 12;
const LEAST_ALIKE = 0.02;
const MOST_ALIKE = 0.99;

/** The values of a direction, by frame and place among those that were kept. */
interface Column extends Pick<Direction, 'kind' | 'which'> {
  readonly of: (f: number, k: number) => number;
}

/**
 * Sums over frames of what would make another film of the same motion: another gain or offset, bodies of another colour or
 * outline, a delay, a clock that is fast, or a motion that lags more and more, as with drag. Let y be what is shown and t the frame:
 * y, 1, y - (what stands still), |dy/dx| by unknown x, dy/dt, t dy/dt, t^2 dy/dt.
 */
export function nuisancesOf(
  prepared: readonly PreparedObservation[],
  { columns, shown, stride }: Kept,
  unknowns: number,
): Nuisances | null {
  const n = unknowns;
  if (n === 0 || n > MOST_UNKNOWNS) return null;
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
    if (p.frames.length >= LEAST_FRAMES) own.push(ownOf(p, observation, part, stride, n));
  }
  if (own.length === 0) return null;
  const directions = own.flatMap(({ observation, all }) =>
    all.map(({ kind, which }) => ({ kind, observation, which })),
  );
  const m = n + directions.length;
  const scores = frames.map(() => new Float64Array(m));
  const products = frames.map(() => new Float64Array(m * m));
  const [background, everywhere] = [crossProducts(), crossProducts()];
  let [squares, values, column] = [0, 0, n];
  for (const { p, part, all, showing } of own) {
    const [untold, told]: Float32Array[][] = [[], []];
    const places = [...Array(n).keys(), ...all.map((_, d) => column + d)];
    column += all.length;
    const row = new Float64Array(places.length);
    const filled: number[] = [];
    const active = odd(Math.ceil((showing.count * places.length ** 2) / (2 * MOST_PRODUCTS)));
    const others = odd(Math.ceil((part.shown[0].length * p.frames.length * places.length) / MOST_PRODUCTS));
    // Of the first and the last frame nothing is known of what comes before and after.
    for (let f = 1; f < p.frames.length - 1; f++) {
      const { frame, target, rootWeights } = p.frames[f];
      const at = position.get(frame * p.instants)!;
      const [score, product] = [scores[at], products[at]];
      untold.push(new Float32Array(Math.ceil(part.shown[f].length / others)).fill(Number.NaN));
      told.push(new Float32Array(Math.ceil(part.shown[f].length / active)).fill(Number.NaN));
      for (let k = 0; k < part.shown[f].length; k++) {
        const isShowing = showing.at(f, k);
        if (isShowing ? k % active > 0 : k % others > 0) continue;
        if (rootWeights?.[k * stride] === 0) continue;
        const residual = part.shown[f][k] - target[k * stride];
        values++;
        squares += residual * residual;
        if (isShowing) told[f - 1][k / active] = residual;
        else untold[f - 1][k / others] = residual;
        filled.length = 0;
        for (let c = 0; c < places.length; c++) {
          row[c] = c < n ? part.columns[f][c][k] : all[c - n].of(f, k);
          if (row[c] !== 0) filled.push(c);
        }
        for (let a = 0; a < filled.length; a++) {
          const g = row[filled[a]];
          const from = places[filled[a]] * m;
          score[places[filled[a]]] += g * residual;
          for (let b = 0; b <= a; b++) product[from + places[filled[b]]] += g * row[filled[b]];
        }
      }
    }
    addCross(background, untold);
    addCross(everywhere, told);
  }
  for (const product of products)
    for (let i = 0; i < m; i++) for (let j = 0; j < i; j++) product[j * m + i] = product[i * m + j];
  return {
    unknowns,
    directions,
    scores,
    products,
    squares,
    values,
    alike: alikeOf(background, false) ?? alikeOf(everywhere, true),
  };
}

/** An observation, with the directions of what may be wrong with it, and where something shows. */
interface Own {
  readonly p: PreparedObservation;
  readonly observation: number;
  readonly part: Pick<Kept, 'columns' | 'shown'>;
  readonly all: readonly Column[];
  readonly showing: { readonly at: (f: number, k: number) => boolean; readonly count: number };
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
  let largest = 0;
  for (const values of part.shown)
    for (let k = 0; k < still.length; k++) largest = Math.max(largest, Math.abs(values[k] - still[k]));
  const at = (f: number, k: number): boolean => {
    for (let i = 0; i < n; i++) if (Math.abs(part.columns[f][i][k]) > least[i]) return true;
    return Math.abs(part.shown[f][k] - still[k]) > SLIGHTLY * largest;
  };
  let count = 0;
  for (let f = 0; f < part.shown.length; f++) for (let k = 0; k < still.length; k++) count += Number(at(f, k));
  return { p, observation, part, all: columnsOf(p, part, { still, stride, n, largest }), showing: { at, count } };
}

/** Odd, so that all columns of most pictures are among every so many values. */
const odd = (every: number): number => every + Number(every % 2 === 0);

function largestOf(columns: readonly (readonly Float32Array[])[], i: number): number {
  let largest = 0;
  for (const column of columns)
    for (let k = 0; k < column[i].length; k++) largest = Math.max(largest, Math.abs(column[i][k]));
  return largest;
}

/** Sums of r_f r_(f+l) and of r_f^2, and how many values, by lag l. */
interface CrossProducts {
  readonly together: Float64Array;
  readonly own: Float64Array;
  readonly counts: Float64Array;
}

const crossProducts = (): CrossProducts => ({
  together: new Float64Array(MOST_LAGS + 1),
  own: new Float64Array(MOST_LAGS + 1),
  counts: new Float64Array(MOST_LAGS + 1),
});

function addCross({ together, own, counts }: CrossProducts, frames: readonly Float32Array[]): void {
  for (let l = 1; l < together.length; l++)
    for (let f = 0; f + l < frames.length; f++) {
      const [a, b] = [frames[f], frames[f + l]];
      for (let k = 0; k < a.length; k++) {
        const product = a[k] * b[k];
        if (Number.isNaN(product)) continue;
        together[l] += product;
        own[l] += (a[k] * a[k] + b[k] * b[k]) / 2;
        counts[l]++;
      }
    }
}

/**
 * Correlation of residuals over frames; null where too few values tell it.
 * @param isFitted whether unknowns show in them, so that the fit has taken out of what stays alike for long.
 */
function alikeOf({ together, own, counts }: CrossProducts, isFitted: boolean): Alike | null {
  if (!(counts[1] >= (isFitted ? 1 : LEAST_VALUES) && own[1] > 0)) return null;
  const byLag = [1];
  for (let l = 1; l < together.length; l++) {
    const r = together[l] / own[l];
    if (!(r > 2 / Math.sqrt(counts[l]) && r > LEAST_ALIKE)) break;
    byLag.push(Math.min(r, MOST_ALIKE));
  }
  return { byLag, isFitted };
}

function columnsOf(
  p: PreparedObservation,
  { columns, shown }: Pick<Kept, 'columns' | 'shown'>,
  {
    still,
    stride,
    n,
    largest,
  }: { readonly still: Float32Array } & Readonly<Record<'stride' | 'n' | 'largest', number>>,
): Column[] {
  const roots = (f: number, k: number): number => p.frames[f].rootWeights?.[k * stride] ?? 1;
  const isRotation = p.frames[0].orientations !== undefined;
  const components = p.values / p.elements;
  const componentOf = (k: number): number => Math.floor((k * stride) / p.elements);
  const time = timeOf(p, shown, roots);
  const last = p.frames.length - 1;
  const found: Column[] = [
    { kind: 'delay', which: null, of: time },
    { kind: 'clock', which: null, of: (f, k) => (p.frames[f].frame - p.frames[0].frame) * time(f, k) },
    {
      kind: 'drag',
      which: null,
      of: (f, k) =>
        ((p.frames[f].frame - p.frames[0].frame) ** 2 * time(f, k)) / (p.frames[last].frame - p.frames[0].frame),
    },
  ];
  if (isRotation) return found;
  const byComponent = (kind: DepartureKind, of: Column['of']): Column[] =>
    Array.from({ length: components }, (_, which) => ({
      kind,
      which,
      of: (f, k) => (componentOf(k) === which ? of(f, k) : 0),
    }));
  if (!isPicture(shown, still, largest)) {
    found.push(...byComponent('offset', roots));
    return found;
  }
  found.push(
    { kind: 'gain', which: null, of: (f, k) => shown[f][k] },
    { kind: 'offset', which: null, of: roots },
    ...byComponent('colour', (f, k) => shown[f][k] - still[k]),
  );
  if (n <= MOST_OUTLINES)
    for (let i = 0; i < n; i++)
      found.push(
        { kind: 'outline', which: i, of: (f, k) => Math.abs(columns[f][i][k]) },
        { kind: 'texture', which: i, of: (f, k) => columns[f][i][k] * (shown[f][k] - still[k]) },
      );
  return found;
}

/** What is shown by frame: the difference between the frames before and after, where these count. */
function timeOf(
  p: PreparedObservation,
  shown: readonly Float32Array[],
  roots: (f: number, k: number) => number,
): Column['of'] {
  return (f, k) => {
    const [before, after] = [f - 1, f + 1];
    if (roots(before, k) === 0 || roots(after, k) === 0) return 0;
    return (shown[after][k] - shown[before][k]) / (p.frames[after].frame - p.frames[before].frame);
  };
}

/** What stands still: by value the median over some of the frames. */
function stillOf(shown: readonly Float32Array[]): Float32Array {
  const count = Math.min(MOST_FOR_MEDIAN, shown.length);
  const some = Array.from({ length: count }, (_, k) => shown[Math.round((k * (shown.length - 1)) / (count - 1))]);
  const still = new Float32Array(shown[0].length);
  const values = new Float64Array(count);
  for (let k = 0; k < still.length; k++) {
    for (let f = 0; f < count; f++) values[f] = some[f][k];
    still[k] = median(values);
  }
  return still;
}

/** Whether values are those of places, most of which stand still most of the time. */
function isPicture(shown: readonly Float32Array[], still: Float32Array, largest: number): boolean {
  let [moved, ever] = [0, 0];
  for (let k = 0; k < still.length; k++) {
    let own = 0;
    for (const values of shown) own += Number(Math.abs(values[k] - still[k]) > SOME * largest);
    moved += own;
    ever += Number(own > 0);
  }
  return ever > 0 && moved < MOST_FRAMES * ever * shown.length;
}
