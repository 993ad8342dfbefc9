import { refuseUnknownOptions } from '@gradsim/core';
import type { Track } from '@gradsim/video';
import type { FilmCamera } from './camera.ts';
import { type Flight, startOfFlight } from './flight.ts';

/** What is known of a box that flies above a floor. */
export interface BoxFlightOptions {
  /** Of the box, along its axes, m. */
  readonly size: readonly number[];
  /** In m/s^2. Default 9.81, downwards. */
  readonly gravity?: number;
  /** Height of the floor, m. Default 0. */
  readonly floor?: number;
}

/** The flight of a box before anything can touch. */
export interface BoxFlight extends Flight {
  /** The frame after the last in which its middle is so high that no corner can touch the floor. */
  readonly end: number;
}

/** A box shows an area that differs by so much from its mean over all directions, as a part of it. */
const AREA_DOUBT = 0.3;
const FEWEST = 5;

/**
 * How the middle of a box flies before any of its corners can touch the floor, from its track. Its outline's area tells how far
 * away it is, roughly: the mean over all directions is a quarter of its surface (Cauchy). Impacts are not looked for, as
 * `startOfFlight` does: the middle of the outline of what turns wanders beside that of the box.
 *
 * ```ts
 * const flight = flightOfBox(film.tracks[0], camera, { size: [0.1, 0.06, 0.04] });
 * ```
 * @throws when the box is within reach of the floor after fewer than 5 frames.
 */
export function flightOfBox(track: Track, camera: FilmCamera, options: BoxFlightOptions): BoxFlight {
  refuseUnknownOptions<BoxFlightOptions>('flightOfBox', options, { size: 0, gravity: 0, floor: 0 });
  const { size, gravity = 9.81, floor = 0 } = options;
  if (size.length !== 3 || !size.every((side) => side > 0 && Number.isFinite(side)))
    throw new Error(`flightOfBox: size is (${size.join(', ')}); give three lengths above 0, in metres.`);
  const [a, b, c] = size;
  const known = {
    ...{ gravity: [0, -gravity, 0], contacts: false },
    radius: Math.sqrt((a * b + b * c + c * a) / (2 * Math.PI)),
  };
  const points = track.points
    .filter(({ blob }) => blob?.isWhole ?? true)
    .map((point) => ({ ...point, areaError: AREA_DOUBT }));
  const reach = Math.hypot(...size) / 2;
  let flight: Flight | undefined;
  let count = FEWEST;
  for (; count <= points.length; count++) {
    const longer = startOfFlight({ ...track, points: points.slice(0, count) }, camera, known);
    if (longer.at(points[count - 1].time).position[1] - floor < reach) break;
    flight = longer;
  }
  if (!flight)
    throw new Error(
      `The track ${track.name} has fewer than ${FEWEST} points of a box that is more than ${reach.toFixed(3)} m above the floor, which a corner may reach: begin earlier in the film, or look at sizes and camera.`,
    );
  return { ...flight, end: points[count - 2].frame + 1 };
}
