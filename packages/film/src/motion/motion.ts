import { describeValue, GradsimError } from '@gradsim/core';
import { stretchesOf } from './jumps.ts';
import { checkAxes, onAxes, type PlaneAxes } from './plane.ts';
import type { SeenPoint } from './points.ts';
import { FEWEST_POINTS, type LocalFit, localFits, windowOf } from './smooth.ts';

/** A quantity of something that moves, at each point of its track. */
export interface MotionColumn {
  /** `x`, `y`, `vx`, `vy`, `speed`, `ax`, `ay`, `acceleration`, `height`, `kinetic`, `potential` or `energy`. */
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
  /**
   * Standard errors by the noise of the points; the scale, which is the same for all, is not in them. Infinite, of values
   * that are NaN, beside a jump with fewer than three points on that side.
   */
  readonly errors: readonly number[];
}

/** Motion of something in a plane. */
export interface PlaneMotion {
  /** Times of its points, s. */
  readonly times: readonly number[];
  readonly columns: readonly MotionColumn[];
  /** Number of points of the windows by which velocities and accelerations are found; none reaches over a jump. */
  readonly window: number;
  /** Indices of the points before which the velocity jumps, as at a bounce. */
  readonly jumps: readonly number[];
  /** True for points in whose window the motion is no cubic: bars there are larger, and may be too small. */
  readonly isRough: readonly boolean[];
}

/** Options of {@link planeMotion}. */
export interface PlaneMotionOptions extends PlaneAxes {
  /** Number of points of a window, odd. Default: the widest in which cubics leave no more than noise. */
  readonly window?: number;
  /** Mass, kg. Default: unknown, and there are no energies. */
  readonly mass?: number;
  /** Acceleration of free fall, m/s^2, for the potential energy. Default 9.81. */
  readonly gravity?: number;
}

/** Ratio of what a cubic leaves to the noise above which a point counts as rough. */
const ROUGH_RATIO = 2.5;

/**
 * Motion in a plane from points in the picture: coordinates as they were seen; velocities and accelerations by cubics that
 * are fitted to the points around each one, on its side of a bounce, with the noise of the points propagated; energies, if
 * the mass is known, with the height above the origin along the vertical of the picture.
 *
 * ```ts
 * const { columns } = planeMotion(points, { pixelsPerMetre: 400, origin: [100, 460], angle: 0, mass: 0.0027 });
 * ```
 * @throws for fewer than seven points, and for options that are no numbers.
 */
export function planeMotion(points: readonly SeenPoint[], options: PlaneMotionOptions): PlaneMotion {
  const { pixelsPerMetre, mass, gravity = 9.81 } = options;
  checkAxes(options);
  if (points.length < FEWEST_POINTS)
    throw new GradsimError('film/track-too-short', `There are ${points.length} points.`, {
      hint: `Velocities and accelerations need at least ${FEWEST_POINTS}: follow it through more frames, or mark it in them.`,
    });
  for (const [name, value] of Object.entries({ mass: mass ?? 1, gravity }))
    if (!(value > 0 && Number.isFinite(value)))
      throw new GradsimError('film/option-out-of-range', `${name} is ${describeValue(value)}.`, {
        field: name,
        hint: 'It must be a number above 0.',
      });
  const times = points.map(({ time }) => time);
  const places = points.map(({ x, y }) => onAxes(options, [x, y]));
  const errors = points.map(({ error }) => error / pixelsPerMetre);
  const [x, y] = [0, 1].map((c) => places.map((place) => place[c]));
  const stretches = stretchesOf(times, [x, y], errors);
  const window = options.window ?? windowOf(times, [x, y], errors, stretches);
  if (!(Number.isInteger(window) && window % 2 === 1 && window >= 5 && window <= points.length))
    throw new GradsimError('film/option-out-of-range', `window is ${describeValue(window)}.`, {
      field: 'window',
      hint: `It must be an odd number from 5 to the number of points, ${points.length}.`,
    });
  const [alongX, alongY] = [x, y].map((values) => localFits([times, values, errors], window, stretches));
  const of = (fits: readonly LocalFit[], key: 'slope' | 'curvature'): Values => ({
    values: fits.map((fit) => fit[key]),
    errors: fits.map((fit) => fit.errors[key === 'slope' ? 0 : 1]),
  });
  const [vx, vy, ax, ay] = [of(alongX, 'slope'), of(alongY, 'slope'), of(alongX, 'curvature'), of(alongY, 'curvature')];
  const height = points.map((point) => (options.origin[1] - point.y) / pixelsPerMetre);
  return {
    times,
    columns: [
      { name: 'x', unit: 'm', values: x, errors },
      { name: 'y', unit: 'm', values: y, errors },
      { name: 'vx', unit: 'm/s', ...vx },
      { name: 'vy', unit: 'm/s', ...vy },
      { name: 'speed', unit: 'm/s', ...lengthOf(vx, vy) },
      { name: 'ax', unit: 'm/s^2', ...ax },
      { name: 'ay', unit: 'm/s^2', ...ay },
      { name: 'acceleration', unit: 'm/s^2', ...lengthOf(ax, ay) },
      ...(mass === undefined ? [] : energies(mass, gravity, { vx, vy, height: { values: height, errors } })),
    ],
    window,
    jumps: stretches.slice(1).map(({ first }) => first),
    isRough: alongX.map(({ excessScatter }, k) => Math.max(excessScatter, alongY[k].excessScatter) > ROUGH_RATIO),
  };
}

type Values = Pick<MotionColumn, 'values' | 'errors'>;

/** Length of a vector: its error is that along it; of one that is shorter than its error, of its components. */
function lengthOf(a: Values, b: Values): Values {
  const values = a.values.map((v, k) => Math.hypot(v, b.values[k]));
  return {
    values,
    errors: values.map((length, k) => {
      const [da, db] = [a.errors[k], b.errors[k]];
      return Math.hypot(a.values[k] * da, b.values[k] * db, da * db) / Math.max(length, Math.min(da, db));
    }),
  };
}

function energies(
  mass: number,
  gravity: number,
  { vx, vy, height }: { readonly vx: Values; readonly vy: Values; readonly height: Values },
): MotionColumn[] {
  // m / 2 (vx^2 + vy^2), with the second order of the errors, which counts where it rests.
  const kinetic = {
    values: vx.values.map((v, k) => (mass / 2) * (v ** 2 + vy.values[k] ** 2)),
    errors: vx.values.map(
      (v, k) =>
        mass *
        Math.hypot(
          v * vx.errors[k],
          vy.values[k] * vy.errors[k],
          vx.errors[k] ** 2 / Math.SQRT2,
          vy.errors[k] ** 2 / Math.SQRT2,
        ),
    ),
  };
  const weight = mass * gravity;
  const potential = {
    values: height.values.map((h) => weight * h),
    errors: height.errors.map((error) => weight * error),
  };
  return [
    { name: 'height', unit: 'm', ...height },
    { name: 'kinetic', unit: 'J', ...kinetic },
    { name: 'potential', unit: 'J', ...potential },
    {
      name: 'energy',
      unit: 'J',
      values: kinetic.values.map((e, k) => e + potential.values[k]),
      errors: kinetic.errors.map((error, k) => Math.hypot(error, potential.errors[k])),
    },
  ];
}
