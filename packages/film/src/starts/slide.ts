import { cross, dot, normalize } from '@gradsim/base';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Track } from '@gradsim/video';
import type { FilmCamera } from '../film-camera.ts';
import { TRACKS } from '../tuning/tracks.ts';
import { leastSquares } from './least-squares.ts';
import type { State, V3 } from './path.ts';
import { unknownsInSight } from './sight.ts';
import { wholePoints } from './tracks.ts';

/** Options of {@link startOfSlide}. */
export interface SlideOptions {
  /** Plane on which the thing slides: a point, m, and its normal. */
  readonly plane: { readonly point: V3; readonly normal: V3 };
  /** Height of the thing's centre above the plane, m. Default 0. */
  readonly height?: number;
  /** Acceleration of gravity, a vector, m/s^2. Default [0, -9.81, 0]. */
  readonly gravity?: V3;
}

/** A slide that fits a track. */
export interface Slide extends State {
  /** Time of its first point, s, on the clock of the track; `position` and `velocity` refer to it. */
  readonly time: number;
  /** Constant acceleration vector, within the plane, m/s^2. */
  readonly acceleration: V3;
  /**
   * Coefficient of Coulomb friction that explains this acceleration, if gravity has a component along the plane or the
   * thing slows down.
   */
  readonly friction: number;
  /** Root mean square distance between track and fit, px. */
  readonly residual: number;
  /** Standard deviations of position, m, velocity, m/s, and acceleration, m/s^2, from the scatter of the track. */
  readonly deviations: State & { readonly acceleration: V3 };
  /** State at any time, s. */
  at(time: number): State;
}

/**
 * Start and velocity of something that slides on a plane, from its track: the motion of constant acceleration in the
 * plane whose projection by the camera best matches it: by linear least squares first, then fitted to pixel positions.
 *
 * ```ts
 * const tilt = (25 * Math.PI) / 180;
 * const plane = { point: [0, 0, 0], normal: [Math.sin(tilt), Math.cos(tilt), 0] };
 * const { position, velocity, friction } = startOfSlide(film.tracks[0], camera, { plane, height: 0.04 });
 * ```
 * @throws when the track has fewer than 4 points, or the camera looks along the plane.
 */
export function startOfSlide(track: Track, camera: FilmCamera, options: SlideOptions): Slide {
  refuseUnknownOptions<SlideOptions>('startOfSlide', options, { plane: 0, height: 0, gravity: 0 });
  const { plane, height = 0, gravity = [0, -9.81, 0] } = options;
  const length = Math.hypot(...plane.normal);
  if (!(length > 0))
    throw new GradsimError('film/option-out-of-range', 'startOfSlide: the normal of the plane is 0.', {
      hint: 'It must point away from the plane.',
    });
  const normal = plane.normal.map((c) => c / length);
  const points = wholePoints(track, 'a slide', TRACKS.fewest);
  const { time } = points[0];
  const origin = plane.point.map((c, k) => c + height * normal[k]);
  const axes = axesOf(normal);
  const powers = (when: number): number[] => [1, when - time, (when - time) ** 2 / 2];
  const guess = unknownsInSight(points, camera, (when) => ({
    constantPart: origin,
    derivatives: powers(when).flatMap((power) => axes.map((axis) => axis.map((c) => c * power))),
  }));
  if (!guess)
    throw new GradsimError(
      'film/track-undetermined',
      'The track does not determine a slide: it does not move, or the camera looks along the plane.',
    );
  const inWorld = ([a, b]: readonly number[]): number[] => axes[0].map((c, k) => a * c + b * axes[1][k]);
  const stateAt = (values: readonly number[], when: number): State => {
    const [, t, square] = powers(when);
    const [q, v, a] = [0, 2, 4].map((k) => inWorld(values.slice(k, k + 2)));
    return {
      position: origin.map((c, k) => c + q[k] + v[k] * t + a[k] * square),
      velocity: v.map((c, k) => c + a[k] * t),
    };
  };
  const residuals = (values: readonly number[]): number[] =>
    points.flatMap(({ x, y, time: when }) => {
      const [u, w] = camera.project(stateAt(values, when).position);
      return [(u - x) / TRACKS.place, (w - y) / TRACKS.place];
    });
  const { values, squares, deviations } = leastSquares(
    residuals,
    guess,
    guess.map((_, k) => (k < 2 ? TRACKS.length : TRACKS.speed)),
  );
  const acceleration = inWorld(values.slice(4));
  const start = stateAt(values, time);
  const spread = (from: number): V3 => {
    const [a, b] = deviations.slice(from, from + 2);
    return axes[0].map((c, k) => Math.hypot(a * c, b * axes[1][k]));
  };
  return {
    time,
    ...start,
    acceleration,
    friction: frictionOf(acceleration, start.velocity, gravity, normal),
    residual: TRACKS.place * Math.sqrt(squares / points.length),
    deviations: { position: spread(0), velocity: spread(2), acceleration: spread(4) },
    at: (when) => stateAt(values, when),
  };
}

/**
 * Coefficient of Coulomb friction mu for an acceleration a: a = g_t - mu |g_n| v / |v|, so mu = (g_t - a) v / (|g_n|
 * |v|).
 */
function frictionOf(acceleration: V3, velocity: V3, gravity: V3, normal: V3): number {
  const press = dot(gravity, normal);
  const slowing = gravity.map((g, k) => g - press * normal[k] - acceleration[k]);
  return dot(slowing, velocity) / (Math.abs(press) * Math.hypot(...velocity));
}

/** Two orthonormal directions in the plane. */
function axesOf(normal: V3): [V3, V3] {
  const other = Math.abs(normal[0]) < 0.5 ? [1, 0, 0] : [0, 0, 1];
  const first = normalize(cross(normal, other));
  return [first, cross(normal, first)];
}
