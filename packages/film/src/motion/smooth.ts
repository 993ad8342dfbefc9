import { choleskyFactor, defect, median, solveByFactor, sumOfProducts } from '@gradsim/base';
import type { Stretch } from './jumps.ts';

/** Order of the polynomials that are fitted to the points around each one, and that to four points or three. */
const [ORDER, LOW] = [3, 2];
const orderOf = (width: number): number => (width > LOW + 2 ? ORDER : LOW);
/** Fewest points of a window: with as many points as coefficients nothing would show the noise. */
export const FEWEST_POINTS = 7;
/** Number of points of the windows by which noise is measured. */
const NOISE_WINDOW = 7;
/** Median of the chi-square distribution with k degrees of freedom, by Wilson and Hilferty. */
const chiSquareMedian = (k: number): number => k * (1 - 2 / (9 * k)) ** 3;
/** Local polynomial around a point: its slope and second derivative there, with their standard errors. */
export interface LocalFit {
  readonly slope: number;
  readonly curvature: number;
  /** Standard errors of both, by the noise alone, times {@link excessScatter}. */
  readonly errors: readonly [number, number];
  /** Root of chi-square per degree of freedom where that is above 1: the motion is no cubic within the window there. */
  readonly excessScatter: number;
}

/** A polynomial about a time, fitted to some points. */
interface Polynomial {
  /** Coefficients of powers of (t - time), per s, s^2 ..., and their standard errors. */
  readonly coefficients: readonly number[];
  readonly errors: readonly number[];
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
}

/** Points of a coordinate: times, values and standard errors of these. */
type Points = readonly [times: readonly number[], values: readonly number[], errors: readonly number[]];

/** Least squares, weighted by the errors, over `width` points from `first` on. */
function polynomialAbout(time: number, [times, values, errors]: Points, first: number, width: number): Polynomial {
  const span = times[first + width - 1] - times[first];
  const rows = Array.from({ length: width }, (_, i) => {
    const part = (times[first + i] - time) / span;
    return Array.from({ length: orderOf(width) + 1 }, (__, p) => part ** p / errors[first + i]);
  });
  const target = rows.map((_, i) => values[first + i] / errors[first + i]);
  const powers = rows[0].map((_, p) => p);
  const root = choleskyFactor(
    powers.map((p) => powers.map((q) => rows.reduce((sum, row) => sum + row[p] * row[q], 0))),
  );
  // Times differ, so that powers of them are independent.
  if (!root) throw defect('Points at the same time reached a local fit');
  const found = solveByFactor(
    root,
    powers.map((p) => rows.reduce((sum, row, i) => sum + row[p] * target[i], 0)),
  );
  const variances = powers.map(
    (p) =>
      solveByFactor(
        root,
        powers.map((q) => Number(p === q)),
      )[p],
  );
  const squares = rows.reduce((sum, row, i) => sum + (target[i] - sumOfProducts(row, found)) ** 2, 0);
  return {
    coefficients: found.map((v, p) => v / span ** p),
    errors: variances.map((v, p) => Math.sqrt(v) / span ** p),
    chiSquare: squares,
    degreesOfFreedom: width - powers.length,
  };
}

/** Local fit of a stretch of fewer than three points, which tell no velocity. */
const UNKNOWN_FIT: LocalFit = {
  slope: Number.NaN,
  curvature: Number.NaN,
  errors: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  excessScatter: 1,
};

/**
 * Fits a cubic to the `width` points around each one, by least squares weighted by their errors; at the ends of its stretch
 * to the first and the last ones, and to all of a stretch that has fewer. Times may be uneven.
 */
export function localFits(points: Points, width: number, stretches: readonly Stretch[]): LocalFit[] {
  const [times] = points;
  return stretches.flatMap(({ first: from, end }) =>
    times.slice(from, end).map((time, k) => {
      const own = Math.min(width, end - from);
      if (own <= LOW) return UNKNOWN_FIT;
      const first = Math.min(Math.max(from, from + k - (own >> 1)), end - own);
      const { coefficients: c, errors, chiSquare, degreesOfFreedom } = polynomialAbout(time, points, first, own);
      const excessScatter = Math.sqrt(Math.max(1, chiSquare / Math.max(1, degreesOfFreedom)));
      return {
        slope: c[1],
        curvature: 2 * c[2],
        errors: [excessScatter * errors[1], 2 * excessScatter * errors[2]],
        excessScatter,
      };
    }),
  );
}

/**
 * Standard deviation of the noise of coordinates, which is the same for all: by how much they differ from a cubic through
 * the seven points around each, in most windows. Undefined for fewer points.
 */
export function noiseOf(times: readonly number[], coordinates: readonly (readonly number[])[]): number | undefined {
  if (times.length < NOISE_WINDOW) return undefined;
  const squares = squaresOf(
    times,
    coordinates,
    times.map(() => 1),
    NOISE_WINDOW,
    [{ first: 0, end: times.length }],
  );
  const freedom = coordinates.length * (NOISE_WINDOW - ORDER - 1);
  return Math.sqrt(median(squares) / chiSquareMedian(freedom));
}

/** Chi-square of all coordinates together, by window, of those that no jump lies in. */
function squaresOf(
  times: readonly number[],
  coordinates: readonly (readonly number[])[],
  errors: readonly number[],
  width: number,
  stretches: readonly Stretch[],
): number[] {
  return stretches.flatMap(({ first: from, end }) =>
    Array.from({ length: Math.max(0, end - from - width + 1) }, (_, k) =>
      coordinates.reduce(
        (sum, values) => sum + polynomialAbout(times[from + k], [times, values, errors], from + k, width).chiSquare,
        0,
      ),
    ),
  );
}

/** Ratio of a window's width to the next narrower one that is tried. */
const WINDOW_GROWTH = 1.3;
/** Median of the square of a standard normal number, and the standard deviation of the median of n of them, times the root of n. */
const [MEDIAN, SCATTER] = [0.455, 1.06];
/** Number of standard deviations beyond which windows count as too wide: a narrow window costs only larger bars. */
const TOO_WIDE = 1.5;

/**
 * Number of points of a window, odd: the one before the widest in which cubics leave no more than noise, and whose accelerations differ from
 * those of all narrower ones by no more than noise, in most places: wider ones would smooth the motion itself. All points of
 * the longest stretch, if that holds of them. Source: O. V. Lepski, Theory of Probability and its Applications 35, 1990.
 */
export function windowOf(
  times: readonly number[],
  coordinates: readonly (readonly number[])[],
  errors: readonly number[],
  stretches: readonly Stretch[],
): number {
  const longest = Math.max(...stretches.map(({ first, end }) => end - first));
  const fitted: { readonly width: number; readonly fits: readonly (readonly LocalFit[])[] }[] = [];
  for (let width = FEWEST_POINTS; width <= longest; width = 2 * Math.floor((WINDOW_GROWTH * width) / 2) + 1) {
    const fits = coordinates.map((values) => localFits([times, values, errors], width, stretches));
    const freedom = coordinates.length * (width - ORDER - 1);
    const windows = times.length / width;
    const left = median(squaresOf(times, coordinates, errors, width, stretches));
    if (fitted.length > 0 && left > chiSquareMedian(freedom) + TOO_WIDE * Math.sqrt((2 * freedom) / windows))
      return (fitted[fitted.length - 2] ?? fitted[0]).width;
    const isFine = fitted.every((narrow) => {
      const squares = fits.flatMap((own, c) =>
        own.flatMap((fit, k) => {
          const other = narrow.fits[c][k];
          const noise = (other.errors[1] / other.excessScatter) ** 2 - (fit.errors[1] / fit.excessScatter) ** 2;
          // In a short stretch both are the same.
          return noise > 0 ? [(fit.curvature - other.curvature) ** 2 / noise] : [];
        }),
      );
      const independent = (coordinates.length * times.length) / narrow.width;
      return squares.length === 0 || median(squares) < MEDIAN + (TOO_WIDE * SCATTER) / 2 / Math.sqrt(independent);
    });
    if (!isFine) return (fitted[fitted.length - 2] ?? fitted[0]).width;
    fitted.push({ width, fits });
  }
  return fitted[fitted.length - 1]?.width ?? FEWEST_POINTS;
}
