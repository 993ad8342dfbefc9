import { linearLeastSquares } from '@gradsim/base';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Track } from '@gradsim/video';
import type { FilmCamera } from '../../film-camera.ts';
import { TRACKS } from '../../tuning/tracks.ts';
import type { V3 } from '../path.ts';
import { sizedPoints, sizeOf, startIn } from '../tracks.ts';
import { facing } from './facing.ts';

/** Options of {@link startOfRoll}. */
export interface RollOptions {
  /** Radius of the ball, m. */
  readonly radius: number;
}

/** A motion of constant acceleration along a line that fits a track, in the vertical plane that faces the camera. */
export interface Roll {
  /** Position, m, and velocity downhill, m/s, at time 0 of the film. */
  readonly position: V3;
  readonly speed: number;
  /** Acceleration downhill, m/s^2. */
  readonly acceleration: number;
  /** Angle between the line and the horizontal, rad, and the side to which it descends: 1 to the right, or -1. */
  readonly angle: number;
  readonly side: number;
  /** Rotation of the plane about the vertical, rad: to its right is (cos turn, 0, -sin turn). */
  readonly planeRotation: number;
  /** Radius of the ball as given, m. */
  readonly radius: number;
  /** Root mean square distance of the ball's positions from the fit, m. */
  readonly residual: number;
}

const { fewest, way, leaves } = TRACKS.roll;

/**
 * Start, angle and acceleration of a ball that rolls along a straight incline, from its track: the ball's size determines
 * the depth; in the vertical plane there that faces the camera a line is fitted, and a parabola of time along it.
 *
 * ```ts
 * const { angle, acceleration } = startOfRoll(film.tracks[0], camera, { radius: 0.03 });
 * ```
 * @throws when the track has fewer than 6 points with an area, moves by less than the ball's diameter, or along no line.
 */
export function startOfRoll(track: Track, camera: FilmCamera, options: RollOptions): Roll {
  refuseUnknownOptions<RollOptions>('startOfRoll', options, { radius: 0 });
  const { radius } = options;
  const points = sizedPoints(track, 'a ball that rolls', fewest);
  const plane = facing(points, camera, radius);
  const places = points.map((point) => plane.at(point));
  const [across, up] = [0, 1].map((c) => places.reduce((sum, place) => sum + place[c] / places.length, 0));
  const moment = (of: (s: number, h: number) => number): number =>
    places.reduce((sum, [s, h]) => sum + of(s - across, h - up), 0);
  // Direction of the greatest scatter, downhill.
  const tilt =
    Math.atan2(
      2 * moment((s, h) => s * h),
      moment((s, h) => s * s - h * h),
    ) / 2;
  const side = tilt > 0 ? -1 : 1;
  const angle = Math.abs(tilt);
  const [right, down] = [side * Math.cos(angle), Math.sin(angle)];
  const downhill = places.map(([s, h]) => (s - across) * right - (h - up) * down);
  const fit = linearLeastSquares(
    points.map(({ time }) => [1, time, time ** 2 / 2]),
    downhill,
  );
  const covered = Math.max(...downhill) - Math.min(...downhill);
  if (!fit || covered < way * radius)
    throw new GradsimError('film/not-seen', `The track ${track.name} moves by less than its own size.`, {
      hint: 'Film more of its way, or choose another track, by gradsim look.',
    });
  const [start, speed, acceleration] = fit;
  const squares = places.map(([s, h], k) => {
    const { time } = points[k];
    const along = start + speed * time + (acceleration * time ** 2) / 2;
    return (s - across - along * right) ** 2 + (h - up + along * down) ** 2;
  });
  const residual = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
  if (residual > leaves * covered)
    throw new GradsimError(
      'film/not-seen',
      `The track ${track.name} does not move along a straight line, evenly faster or slower.`,
      {
        hint: 'Cut the film by first and last to that part of the motion, or choose another track. If the thing lingers where it turns, give a background, a picture without it.',
      },
    );
  return {
    position: plane.place(across + start * right, up - start * down),
    speed,
    acceleration,
    angle,
    side,
    planeRotation: plane.turn,
    radius,
    residual,
  };
}

/**
 * Unit vector in the picture, to the right and down, from a ball's middle to where it touches the incline.
 *
 * ```ts
 * const { outlines } = await fitBallOutlines(film, camera, { approximate, surface: surfaceSeen(start, camera) });
 * ```
 */
export function surfaceSeen(
  { position, angle, side, planeRotation, radius }: Roll,
  camera: FilmCamera,
): readonly [right: number, down: number] {
  const across = -side * radius * Math.sin(angle);
  const [x, y, z] = position;
  const touched = [
    x + across * Math.cos(planeRotation),
    y - radius * Math.cos(angle),
    z - across * Math.sin(planeRotation),
  ];
  const [from, to] = [camera.project(position), camera.project(touched)];
  const [right, down] = [to[0] - from[0], to[1] - from[1]];
  const far = Math.hypot(right, down);
  return [right / far, down / far];
}

/**
 * Finds the ball that rolls down an incline in a film.
 *
 * @param number number of the ball's track, from 1; null to search for it.
 * @param radius of the ball, m, or the radius that a ball of a track would have, as by `measuredScale`.
 * @throws as {@link startOfRoll} does.
 */
export const rollIn = (
  tracks: readonly Track[],
  number: number | null,
  camera: FilmCamera,
  radius: number | ((track: Track) => number),
): { track: Track; start: Roll } =>
  startIn(tracks, number, (track) => startOfRoll(track, camera, { radius: sizeOf(radius, track) }));
