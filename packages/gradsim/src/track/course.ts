import { linearLeastSquares } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import { type PlaneMotion, planeMotion, type SeenPoint } from '@gradsim/film';
import { fitMotion, type MotionFit } from './fit.ts';

/** Positions of an estimate frame by frame. */
export interface SeenPositions {
  readonly seconds: readonly number[];
  /** Position of the model, m: to the right, and upwards. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Position seen in the film at the model's distance from the camera, m; null where the thing is not wholly seen. */
  readonly seenX: readonly (number | null)[];
  readonly seenY: readonly (number | null)[];
  /** Standard errors that the film states of these, m, up to a factor that all have in common. */
  readonly seenError: readonly number[];
  /** Gravity of the model, m/s^2 downwards; 0 if it has none. */
  readonly gravity: number;
}

/** Motion that the film of an estimate shows, that of its model, and formulas that are fitted to what the film shows. */
export interface Course {
  readonly seen: { readonly points: readonly SeenPoint[] };
  readonly motion: PlaneMotion;
  /** Motion of the fitted model, if there is one. */
  readonly model?: PlaneMotion;
  readonly fits: readonly MotionFit[];
}

/** Options of {@link courseIn}. */
interface CourseOptions {
  /** Mass of the thing, kg. Default: unknown, and energies are those of each kilogram. */
  readonly mass?: number;
  /** True if it turns about a point: then its angle is a column. */
  readonly turns?: boolean;
  readonly fit: readonly string[];
  readonly start: Readonly<Record<string, number>>;
}

/** Columns that gravity makes worth a graph. */
const OF_HEIGHTS: readonly string[] = ['height', 'potential', 'energy'];

/**
 * Place, speed and acceleration as an estimate's film shows them, in the world, m: x to the right, y upwards. Their noise is
 * what the film and the fitted model are apart, so that what the model lacks makes bars larger; in proportion to what the film
 * states of each frame, so that one with a bounce counts little.
 * @throws where too little is seen.
 */
function courseOf(known: SeenPositions, { mass, turns = false }: CourseOptions): Omit<Course, 'fits'> {
  const { seconds, x, y, seenX, seenY, seenError, gravity } = known;
  const frames = seconds.flatMap((_, k) => (seenX[k] === null || seenY[k] === null ? [] : [k]));
  const squares = frames.reduce(
    (sum, k) => sum + ((seenX[k]! - x[k]) ** 2 + (seenY[k]! - y[k]) ** 2) / seenError[k] ** 2,
    0,
  );
  const larger = Math.max(Math.sqrt(squares / Math.max(1, 2 * frames.length)), Number.MIN_VALUE);
  const pointAt = (frame: number, right: number, up: number): SeenPoint => {
    const [time, error] = [seconds[frame], larger * seenError[frame]];
    return { frame, time, x: right, y: -up, error, isMark: false };
  };
  const motionOf = (points: readonly SeenPoint[]): PlaneMotion => {
    const axes = { pixelsPerMetre: 1, origin: [0, 0], angle: 0 } as const;
    const own = planeMotion(points, { ...axes, mass: mass ?? 1, gravity: gravity === 0 ? undefined : gravity });
    // Without gravity heights have no energy.
    const columns = own.columns
      .filter(({ name }) => gravity !== 0 || !OF_HEIGHTS.includes(name))
      .map((column) => (mass === undefined && column.unit === 'J' ? { ...column, unit: 'J/kg' } : column));
    return { ...own, columns };
  };
  const points = frames.map((frame) => pointAt(frame, seenX[frame]!, seenY[frame]!));
  const own = motionOf(points);
  const motion = turns ? { ...own, columns: [...own.columns, angleOf(known, frames, larger)] } : own;
  const model = motionOf(seconds.map((_, frame) => pointAt(frame, x[frame], y[frame])));
  return { seen: { points }, motion, model };
}

/**
 * Motion as {@link courseOf} finds it, with the formulas that could be fitted, and why others could not be; without a motion
 * where too little is seen for speeds, of which curves of the model say what there is.
 */
export function courseIn(
  known: SeenPositions,
  options: CourseOptions,
): { readonly seen?: Course; readonly wrong: readonly unknown[] } {
  let course: Omit<Course, 'fits'>;
  try {
    course = courseOf(known, options);
  } catch {
    return { wrong: [] };
  }
  const wrong: unknown[] = [];
  const fits = options.fit.flatMap((text) => {
    try {
      return fitMotion(text, [course.motion], options.start);
    } catch (error) {
      wrong.push(error);
      return [];
    }
  });
  return { seen: { ...course, fits }, wrong };
}

/** Angle from straight down about the middle of the arc that the model runs along, degrees, counted on over whole turns. */
function angleOf(
  { x, y, seenX, seenY, seenError }: SeenPositions,
  frames: readonly number[],
  larger: number,
): PlaneMotion['columns'][number] {
  const [cx, cy, radius] = circleThrough(x, y);
  const degrees = 180 / Math.PI;
  const nearTo = (to: number, angle: number): number => angle + 2 * Math.PI * Math.round((to - angle) / (2 * Math.PI));
  const turned: number[] = [];
  for (const [k, across] of x.entries()) {
    const angle = Math.atan2(across - cx, cy - y[k]);
    turned.push(k === 0 ? angle : nearTo(2 * turned[k - 1] - (turned[k - 2] ?? turned[k - 1]), angle));
  }
  return {
    name: 'angle',
    unit: 'degrees',
    values: frames.map((k) => degrees * nearTo(turned[k], Math.atan2(seenX[k]! - cx, cy - seenY[k]!))),
    errors: frames.map((k) => (degrees * larger * seenError[k]) / radius),
  };
}

/** Circle through points: x^2 + y^2 = 2 a x + 2 b y + c, by least squares (Kasa 1976). */
function circleThrough(x: readonly number[], y: readonly number[]): readonly [number, number, number] {
  const found = linearLeastSquares(
    x.map((u, k) => [2 * u, 2 * y[k], 1]),
    x.map((u, k) => u ** 2 + y[k] ** 2),
  );
  if (!found) throw new GradsimError('gradsim/formula-wrong', 'The path is straight: there is no angle about a point.');
  const [a, b, c] = found;
  return [a, b, Math.sqrt(c + a ** 2 + b ** 2)];
}
