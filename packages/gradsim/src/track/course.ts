import { linearLeastSquares } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import { type PlaneMotion, planeMotion, type SeenPoint } from '@gradsim/film';
import type { Motion } from '../experiment/motion/motion.ts';
import { fitMotion, type MotionFit } from './fit.ts';

/** Motion that the film of an estimate shows, without its model, and formulas that are fitted to it. */
export interface Course {
  readonly seen: { readonly points: readonly SeenPoint[] };
  readonly motion: PlaneMotion;
  readonly fits: readonly MotionFit[];
}

/** Options of {@link courseOf}. */
export interface CourseOptions {
  /** Mass of the thing, kg. Default: unknown, and there are no energies. */
  readonly mass?: number;
  /** True if it turns about a point: then its angle is a column. */
  readonly turns?: boolean;
  readonly fit: readonly string[];
  readonly start: Readonly<Record<string, number>>;
}

/**
 * Place, speed and acceleration as an estimate's film shows them, in the world, m: x to the right, y upwards. Their noise is
 * what the film and the fitted model are apart, so that what the model lacks makes bars larger.
 * @throws for formulas that are wrong, and where too little is seen.
 */
export function courseOf(known: Motion, { mass, turns = false, fit, start }: CourseOptions): Course {
  const { seconds, x, y, seenX, seenY, gravity } = known;
  const frames = seconds.flatMap((_, k) => (seenX[k] === null || seenY[k] === null ? [] : [k]));
  const squares = frames.reduce((sum, k) => sum + (seenX[k]! - x[k]) ** 2 + (seenY[k]! - y[k]) ** 2, 0);
  const error = Math.max(Math.sqrt(squares / Math.max(1, 2 * frames.length)), Number.MIN_VALUE);
  const points = frames.map(
    (frame): SeenPoint => ({ frame, time: seconds[frame], x: seenX[frame]!, y: -seenY[frame]!, error, isMark: false }),
  );
  const axes = { pixelsPerMetre: 1, origin: [0, 0], angle: 0 } as const;
  const own = planeMotion(points, { ...axes, gravity, ...(mass === undefined ? {} : { mass }) });
  const motion = turns ? { ...own, columns: [...own.columns, angleOf(known, frames, error)] } : own;
  return { seen: { points }, motion, fits: fit.map((text) => fitMotion(text, [motion], start)) };
}

/** Angle from straight down about the middle of the arc that the model runs along, degrees. */
function angleOf(
  { x, y, seenX, seenY }: Motion,
  frames: readonly number[],
  error: number,
): PlaneMotion['columns'][number] {
  const [cx, cy, radius] = circleThrough(x, y);
  const degrees = 180 / Math.PI;
  return {
    name: 'angle',
    unit: 'degrees',
    values: frames.map((k) => degrees * Math.atan2(seenX[k]! - cx, cy - seenY[k]!)),
    errors: frames.map(() => (degrees * error) / radius),
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
