import { linearLeastSquares } from '@gradsim/base';
import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Track } from '@gradsim/video';
import type { FilmCamera } from '../../film-camera.ts';
import { TRACKS } from '../../tuning/tracks.ts';
import { leastSquares } from '../least-squares.ts';
import type { V3 } from '../path.ts';
import { sizedPoints, sizeOf, startIn } from '../tracks.ts';
import { facing } from './facing.ts';
import { sinusoidIn } from './sinusoid.ts';

/** Options of {@link startOfSwing}. */
export interface SwingOptions {
  /** Radius of the pendulum's ball, m. */
  readonly radius: number;
  /** Length from the pivot to the ball's centre, m. Default: computed from the arc. */
  readonly length?: number;
}

/** A swing that fits a track, in the vertical plane that faces the camera. */
export interface Swing {
  /** Time of its first point, s, on the clock of the track; `angle` and `rate` refer to it. */
  readonly time: number;
  /** Position of the pivot, m. */
  readonly pivot: V3;
  readonly length: number;
  /** Radius of the ball as given, m. */
  readonly radius: number;
  /**
   * Rotation of the swing's plane about the vertical, rad: positive angles of the pendulum point towards (cos turn, 0,
   * -sin turn).
   */
  readonly planeRotation: number;
  /** Angle of the pendulum from the vertical, rad, and its angular velocity, rad/s, at `time`. */
  readonly angle: number;
  readonly rate: number;
  /** Gravity by the period of the swing, m/s^2; null where less than about one swing is seen. */
  readonly pull: number | null;
  /** Root mean square distance of the ball's positions from the arc, m. */
  readonly residual: number;
}

const MIN_POINTS = TRACKS.fewestOfSwing;

/**
 * Pivot and initial swing of a pendulum, from the track of its ball: the ball's size determines the depth; then a
 * circle is fitted to its points in the vertical plane at that depth that faces the camera. The result is a start for
 * an estimate, whose unknowns may include the plane's rotation.
 *
 * ```ts
 * const { pivot, angle, rate } = startOfSwing(film.tracks[0], camera, { radius: 0.04, length: 0.7 });
 * ```
 * @throws for a radius or length that is not above 0; when the track has fewer than 6 points with an area, or no arc is
 * in them.
 */
export function startOfSwing(track: Track, camera: FilmCamera, options: SwingOptions): Swing {
  refuseUnknownOptions<SwingOptions>('startOfSwing', options, { radius: 0, length: 0 });
  const { radius, length: given } = options;
  for (const [name, value] of Object.entries({ radius, length: given ?? 1 }))
    if (!(value > 0))
      throw new GradsimError('film/option-out-of-range', `startOfSwing: ${name} is ${describeValue(value)}.`, {
        field: name,
        hint: 'It must be a number above 0, in metres.',
      });
  const points = sizedPoints(track, 'a swing', MIN_POINTS);
  const plane = facing(points, camera, radius);
  const places = points.map((point) => plane.at(point));
  const lowest = places.reduce((low, place) => (place[1] < low[1] ? place : low));
  const guess = given ?? curvatureOf(places);
  if (!(guess > 0 && Number.isFinite(guess)))
    throw new GradsimError(
      'film/track-undetermined',
      'The track shows no arc of a pendulum: its ball does not rise to the sides.',
    );
  const circle = leastSquares(
    ([x, y, l]: readonly number[]) => places.map(([s, h]) => (Math.hypot(s - x, h - y) - (given ?? l)) / radius),
    [lowest[0], lowest[1] + guess, ...(given === undefined ? [guess] : [])],
    [radius, radius, ...(given === undefined ? [guess] : [])],
  );
  const [x, y, found] = circle.values;
  const length = given ?? found;
  const angles = places.map(([s, h]) => Math.atan2(s - x, y - h));
  const { time } = points[0];
  // A parabola, since it swings on meanwhile.
  const [angle, rate] = linearLeastSquares(
    points.slice(0, MIN_POINTS).map((point) => [1, point.time - time, (point.time - time) ** 2]),
    angles.slice(0, MIN_POINTS),
  )!;
  return {
    time,
    pivot: plane.place(x, y),
    length,
    radius,
    planeRotation: plane.turn,
    angle,
    rate,
    pull: pullOf(
      points.map((point) => point.time - time),
      angles,
      length,
    ),
    residual: radius * Math.sqrt(circle.squares / places.length),
  };
}

/**
 * Gravity from the angular frequency w of a swing of amplitude A, w = sqrt(g / l) (1 - A^2 / 16) to second order in A; null if
 * no full swing is seen.
 */
function pullOf(times: readonly number[], angles: readonly number[], length: number): number | null {
  const { frequency, values, isNone, isSlowest } = sinusoidIn(times, angles);
  if (isNone || isSlowest) return null;
  const slower = 1 - (values[1] ** 2 + values[2] ** 2) / 16;
  return length * (frequency / slower) ** 2;
}

/**
 * Finds the ball of a pendulum in a film, and its swing: among all tracks the one closest to an arc.
 *
 * @param number number of the ball's track, from 1; null to search for it.
 * @param options as of {@link startOfSwing}; the radius may depend on the track, as by `measuredScale`.
 * @throws as {@link startOfSwing} does.
 */
export const swingIn = (
  tracks: readonly Track[],
  number: number | null,
  camera: FilmCamera,
  { radius, length }: Omit<SwingOptions, 'radius'> & { readonly radius: number | ((track: Track) => number) },
): { track: Track; start: Swing } =>
  startIn(tracks, number, (track) => startOfSwing(track, camera, { radius: sizeOf(radius, track), length }));

/**
 * Radius of curvature of the circle x^2 + y^2 + a x + b y + c = 0 that best fits points (algebraic fit, I. Kasa, 1976).
 */
function curvatureOf(places: readonly (readonly number[])[]): number {
  const [mx, my] = [0, 1].map((c) => places.reduce((sum, place) => sum + place[c] / places.length, 0));
  const moved = places.map(([x, y]) => [x - mx, y - my]);
  const sum = (of: (x: number, y: number) => number): number => moved.reduce((s, [x, y]) => s + of(x, y), 0);
  const [xx, xy, yy] = [sum((x) => x * x), sum((x, y) => x * y), sum((_, y) => y * y)];
  const [p, q] = [sum((x, y) => x * (x * x + y * y)), sum((x, y) => y * (x * x + y * y))];
  const det = 2 * (xx * yy - xy * xy);
  const [a, b] = [(p * yy - q * xy) / det, (q * xx - p * xy) / det];
  return Math.sqrt(a * a + b * b + (xx + yy) / places.length);
}
