import { median, multiplyVector } from '@gradsim/numeric';
import { correlationOf } from './correlation.ts';
import type { DepartureKind, Direction } from './direction.ts';
import type { FrameCorrelation } from './frame-correlation.ts';
import type { Nuisances } from './nuisances.ts';
import { FALSE_ALARMS, studentTail } from './significance.ts';
import { inverseAlong } from './uncertainty.ts';

/** Amplitude along a direction by which what is seen departs from the model, with the unknowns fitted too. */
export interface Departure extends Direction {
  /** What is seen is what is shown and so many times the direction. */
  readonly amplitude: number;
  readonly error: number;
  /** The probability that an amplitude of a right model is as large. */
  readonly chance: number;
  /** The part of the squared residuals that goes with it. */
  readonly explained: number;
}

/** Departures that were found, and how far the unknowns move where these are fitted too, as coordinates. */
export interface Departures {
  readonly found: readonly Departure[];
  readonly shift: Float64Array;
}

/** Sums by frame over the unknowns' columns of the Jacobian and those of directions, [J G]. */
interface Sums extends Pick<Nuisances, 'squares' | 'values' | 'alike'> {
  readonly unknowns: number;
  readonly directions: readonly Direction[];
  /** [J G]^T r and [J G]^T [J G], row by row. */
  readonly scores: readonly Float64Array[];
  readonly products: readonly Float64Array[];
}

/** Smallest part of a squared direction that unknowns leave: less is rounding. */
const LEAST_LEFT = 1e-6;
/** Share of the strongest direction's information, below which unknowns take no part in what departs. */
const SMALLEST_SHARE = 1e-9;
/** Fewer degrees of freedom tell nothing of a variance. */
const LEAST_FREEDOM = 3;
/** Fewer directions tell nothing of what is the same for all, and degrees of freedom that they tell at most. */
const LEAST_POOLED = 6;
const MOST_POOLED = 30;
const NOTHING_POOLED = { scatter: 0, freedom: 0 } as const;
/** Frames from which on a film may be ahead or behind. */
const MOST_JUMPS = 16;
/** Unknowns move much with what is missing in a motion: where something else explains most, its rest is not taken for that. */
const OF_MOTION: ReadonlySet<DepartureKind> = new Set(['delay', 'jump', 'clock', 'drag', 'halves']);
const MUCH = 0.1;
/** Departures that are looked for one after another. */
const MOST_FOUND = 5;

/**
 * Finds departures one after another: of those that chance does not explain the one that explains most, then, with that fitted
 * too, the next. Each kind has its own rate of false alarms, which its directions share.
 *
 * @param scales natural steps of the unknowns.
 */
export function departuresOf(nuisances: Nuisances, scales: Float64Array): Departures {
  const sums = withLater(nuisances);
  const n = sums.unknowns;
  const counts = new Map<DepartureKind, number>();
  for (const { kind } of sums.directions) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const base = Array.from({ length: n }, (_, i) => i);
  const steps = scales.slice();
  const alone = stepAlong(sums, base, steps);
  const found: Departure[] = [];
  let all = alone;
  let explained = 0;
  while (found.length < MOST_FOUND) {
    const alongs = sums.directions.flatMap((_, d) => {
      const along = base.includes(n + d) ? undefined : alongOf(sums, n + d, base, all);
      return along ? [along] : [];
    });
    // Where unknowns show everywhere, a misfit widens each direction in its own way.
    const pooled = sums.alike?.isFitted === false ? poolOf(alongs) : NOTHING_POOLED;
    let best: Departure | undefined;
    let at = -1;
    for (const along of alongs) {
      const departure = departureOf(sums, along, pooled);
      const { kind, chance } = departure;
      if (!(chance * counts.get(kind)! < FALSE_ALARMS.departure)) continue;
      if (best && departure.explained <= best.explained) continue;
      if (OF_MOTION.has(kind) && departure.explained < MUCH * explained) continue;
      best = departure;
      at = along.column;
    }
    if (!best) break;
    found.push(best);
    explained += best.explained;
    base.push(at);
    all = stepAlong(
      sums,
      base,
      Float64Array.from(base, (i) => (i < n ? scales[i] : 1 / Math.sqrt(total(sums, i, i)))),
    );
  }
  return {
    // With all of them, each is as large as it is then.
    found: found.map((departure, k) => ({ ...departure, amplitude: all.step[n + k] })),
    shift: Float64Array.from(scales, (_, i) => all.step[i] - alone.step[i]),
  };
}

/** A Gauss-Newton step of some columns, and the inverse of their information along what it determines. */
interface Step {
  readonly step: Float64Array;
  readonly inverse: Float64Array;
}

function stepAlong(sums: Sums, base: readonly number[], scales: Float64Array): Step {
  const information = Float64Array.from({ length: base.length ** 2 }, (_, at) =>
    total(sums, base[Math.floor(at / base.length)], base[at % base.length]),
  );
  const inverse = inverseAlong(information, scales, SMALLEST_SHARE);
  const slope = base.map((i) => sums.scores.reduce((sum, score) => sum + score[i], 0));
  return { inverse, step: multiplyVector(inverse, Float64Array.from(slope)).map((s) => -s) };
}

function total({ products }: Sums, i: number, j: number): number {
  const m = Math.sqrt(products[0].length);
  let sum = 0;
  for (const product of products) sum += product[i * m + j];
  return sum;
}

/** Sums of what is seen along one column. */
interface Along {
  readonly column: number;
  readonly amplitude: number;
  /** g'^T g', see {@link alongOf}, and the variance of g'^T r over that of a score. */
  readonly square: number;
  readonly variance: number;
  /** The variance of scores over their squares, and by how many degrees of freedom it is known. */
  readonly scatter: number;
  readonly freedom: number;
}

/**
 * Finds how far what is seen departs along one column g: the Gauss-Newton step of its amplitude a as one unknown more. With
 * g' = g - J (J^T J)^-1 J^T g, the part that no other column can make, a = -g'^T r / g'^T g'. The error of a is measured from the
 * scores g'^T r that are left with that step: what the direction explains does not widen it, or a misfit that is the same in all
 * frames would hide behind itself.
 *
 * @param base the other columns, which are fitted too.
 * @returns undefined where these can make the direction, or there are too few frames to measure with.
 */
function alongOf(sums: Sums, column: number, base: readonly number[], { step, inverse }: Step): Along | undefined {
  const m = Math.sqrt(sums.products[0].length);
  const b = base.length;
  const part = multiplyVector(
    inverse,
    Float64Array.from(base, (i) => total(sums, i, column)),
  );
  const frames = sums.scores.length;
  const [own, left] = [new Float64Array(frames), new Float64Array(frames)];
  let [square, whole] = [0, 0];
  for (let f = 0; f < frames; f++) {
    const [score, product] = [sums.scores[f], sums.products[f]];
    own[f] = score[column];
    left[f] = product[column * m + column];
    whole += left[f];
    for (let i = 0; i < b; i++) {
      const row = base[i] * m;
      own[f] += product[column * m + base[i]] * step[i] - part[i] * score[base[i]];
      left[f] -= 2 * part[i] * product[column * m + base[i]];
      for (let j = 0; j < b; j++) {
        const h = part[i] * product[row + base[j]];
        own[f] -= h * step[j];
        left[f] += h * part[j];
      }
    }
    square += left[f];
  }
  if (!(square > LEAST_LEFT * whole)) return undefined;
  const amplitude = -own.reduce((sum, s) => sum + s, 0) / square;
  const variance = Math.max(0, sums.squares - amplitude ** 2 * square) / Math.max(1, sums.values - b - 1);
  const rest = own.map((score, f) => score + amplitude * left[f]);
  const scatter = scatterOf(sums.alike, rest, left, variance);
  return scatter && { column, amplitude, square, ...scatter };
}

/** Says how likely it is. */
function departureOf(sums: Sums, along: Along, pooled: Pooled): Departure {
  const { column, amplitude, square, variance } = along;
  const freedom = along.freedom + pooled.freedom;
  const together = (along.freedom * along.scatter + pooled.freedom * pooled.scatter) / freedom;
  // What goes together over values may do so more along this direction than along others.
  const scatter = Math.max(along.scatter, together);
  const error = Math.sqrt(variance * scatter) / square;
  return {
    ...sums.directions[column - sums.unknowns],
    amplitude,
    error,
    chance: Math.min(1, 2 * studentTail(Math.abs(amplitude) / error, freedom)),
    explained: amplitude ** 2 * square,
  };
}

/** Scatter that all directions together tell of each. */
interface Pooled {
  readonly scatter: number;
  readonly freedom: number;
}

/**
 * Pools the scatter of all directions, as far as it is the same for all: where it is, few frames tell it as well as many do. Of
 * nu degrees of freedom, logarithms scatter by 2 / nu of themselves; what they scatter more is of the directions (G. K. Smyth,
 * 2004).
 */
function poolOf(alongs: readonly Along[]): Pooled {
  const logs = alongs.map(({ scatter }) => Math.log(scatter)).filter(Number.isFinite);
  if (logs.length < LEAST_POOLED) return NOTHING_POOLED;
  const middle = median(logs);
  const seen = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / (logs.length - 1);
  const own = alongs.reduce((sum, { freedom }) => sum + 2 / freedom, 0) / alongs.length;
  return { scatter: Math.exp(middle), freedom: Math.min(MOST_POOLED, 2 / Math.max(1e-9, seen - own)) };
}

/** Scatter of scores: c_0, and the variance of their sum over that. */
type Scatter = Pick<Along, 'variance' | 'scatter' | 'freedom'>;

/**
 * The variance of a sum of scores of variance c_0 G_f, which go together over frames as residuals do where no unknown shows: a
 * misfit of what moves does not widen it. c_0 is that of their differences from frame to frame, in which what changes slowly
 * has no part.
 */
function scatterBy(alike: readonly number[], scores: Float64Array, squares: Float64Array): Scatter | undefined {
  const roots = squares.map((square) => Math.sqrt(Math.max(0, square)));
  const largest = roots.reduce((most, root) => Math.max(most, root), 0);
  let [weight, weights, sum, variance] = [0, 0, 0, 0];
  for (let f = 0; f < scores.length; f++) {
    const g = f + 1;
    const both = g < scores.length ? roots[f] * roots[g] : 0;
    if (both > 1e-6 * largest ** 2) {
      weight += both;
      weights += both * both;
      sum += both * (scores[f] / roots[f] - scores[g] / roots[g]) ** 2;
    }
    for (let l = 0; l < alike.length && f + l < scores.length; l++)
      variance += (l === 0 ? 1 : 2) * alike[l] * roots[f] * roots[f + l];
  }
  // Differences of neighbours hold two scores each.
  const freedom = (2 / 3) * (weight ** 2 / weights);
  if (!(freedom > LEAST_FREEDOM)) return undefined;
  return { variance, scatter: sum / (2 * (1 - (alike[1] ?? 0)) * weight), freedom };
}

/** The larger of both where unknowns show in all that there is: a misfit of these widens the one, what the fit takes out narrows it. */
function scatterOf(
  alike: FrameCorrelation | null,
  scores: Float64Array,
  squares: Float64Array,
  variance: number,
): Scatter | undefined {
  if (alike && !alike.isFitted) return scatterBy(alike.byLag, scores, squares);
  const own = scatterAlone(scores, squares, variance);
  if (!alike || !own) return own;
  const both = scatterBy(unfitted(alike.byLag, scores.length), scores, squares);
  if (!both) return undefined;
  const larger = own.variance * own.scatter > both.variance * both.scatter ? own : both;
  return { ...larger, freedom: Math.max(LEAST_FREEDOM, Math.min(own.freedom, both.freedom)) };
}

/**
 * Correlations without what a fit and few frames take off: a first one r is (1 + 3 r) / F too small of F frames (M. G. Kendall,
 * 1954), and those of further lags are at least its powers.
 */
function unfitted(byLag: readonly number[], frames: number): number[] {
  const [, seen = 0] = byLag;
  const first = Math.min(0.95, seen + (1 + 3 * seen) / frames);
  return Array.from({ length: Math.max(2, Math.floor(frames / 2)) }, (_, l) => Math.max(byLag[l] ?? 0, first ** l));
}

/** The same where too few values show no unknown: by how scores go together themselves. */
function scatterAlone(scores: Float64Array, squares: Float64Array, variance: number): Scatter | undefined {
  const whole = squares.reduce((sum, square) => sum + square, 0);
  const { spread, measured, lag } = correlationOf(
    {
      scores: Array.from(scores, (score) => Float64Array.of(score)),
      information: Array.from(squares, (square) => Float64Array.of(square)),
    },
    [Float64Array.of(1 / Math.sqrt(whole))],
    variance,
  );
  if (measured === null) return undefined;
  return {
    variance: whole,
    scatter: variance * spread[0],
    freedom: Math.max(LEAST_FREEDOM, (measured - 2) / (1 + lag)),
  };
}

/** A direction that is another column from one frame on, and 0 before. */
interface Later extends Direction {
  readonly of: number;
  readonly isIn: (f: number) => boolean;
}

/**
 * Adds for each unknown the direction in which it is another in the second half of the film, half of what tells it being before,
 * and for each delay those in which it begins at some frame.
 */
function withLater(nuisances: Nuisances): Sums {
  const { unknowns: n, products, directions } = nuisances;
  const m = n + directions.length;
  const frames = products.length;
  const halves = Array.from({ length: n }, (_, which): Later => {
    const told = products.map((product) => product[which * (m + 1)]);
    const whole = told.reduce((sum, t) => sum + t, 0);
    let sum = 0;
    const isSecond = told.map((t) => {
      sum += t;
      return sum > whole / 2;
    });
    return { kind: 'halves', observation: null, which, of: which, isIn: (f) => isSecond[f] };
  });
  const count = Math.min(MOST_JUMPS, Math.max(0, frames - 5));
  const jumps = directions.flatMap(({ kind, observation }, d): Later[] =>
    kind === 'delay'
      ? Array.from({ length: count }, (_, k): Later => {
          const from = 3 + Math.round((k * (frames - 6)) / Math.max(1, count - 1));
          return { kind: 'jump', observation, which: nuisances.frames[from], of: n + d, isIn: (f) => f >= from };
        })
      : [],
  );
  const later = [...halves, ...jumps];
  // Where each column is taken from in a frame; -1 where it is 0 there.
  const from = (f: number): number[] => [...Array(m).keys(), ...later.map(({ of, isIn }) => (isIn(f) ? of : -1))];
  const all = m + later.length;
  return {
    ...nuisances,
    directions: [
      ...directions,
      ...later.map(({ kind, observation, which }): Direction => ({ kind, observation, which })),
    ],
    scores: nuisances.scores.map((score, f) => Float64Array.from(from(f), (i) => (i < 0 ? 0 : score[i]))),
    products: products.map((product, f) => {
      const source = from(f);
      const wide = new Float64Array(all * all);
      for (let i = 0; i < all; i++)
        for (let j = 0; j < all; j++)
          if (source[i] >= 0 && source[j] >= 0) wide[i * all + j] = product[source[i] * m + source[j]];
      return wide;
    }),
  };
}
