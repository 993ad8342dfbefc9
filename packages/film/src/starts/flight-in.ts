import { dot } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Track } from '@gradsim/video';
import type { Film } from '../film.ts';
import type { FilmCamera } from '../film-camera.ts';
import { type BounceOptions, flightOf } from './bounce.ts';
import type { Flight } from './fit-flight.ts';
import { startIn } from './tracks.ts';

/** A thing that flies in a film. */
export interface Flown {
  readonly track: Track;
  readonly flight: Flight;
  /** Number of frames, from the first, in which it flies freely: all that come before it touches something. */
  readonly frames: number;
}

/** Share of its speed of falling that a thing keeps at most where it lands. */
const MAX_LANDED_SPEED = 0.5;
/** Least number of frames of a flight. */
const MIN_FRAMES = 5;

/**
 * Finds the ball in a film that flies, and the frames before it touches anything.
 *
 * ```ts
 * const { flight, frames } = flightIn(film, null, camera, { radius: 0.1 });
 * ```
 * @param number number of the ball's track, from 1; null to search for it.
 * @throws as {@link startOfFlight} does, and if it touches something in one of the first frames.
 */
export function flightIn(
  { tracks, times, frameRate }: Pick<Film, 'tracks' | 'times' | 'frameRate'>,
  number: number | null,
  camera: FilmCamera,
  options: BounceOptions,
): Flown {
  const { track, start: flight } = startIn(tracks, number, (each) => flightOf(each, camera, options));
  // Where it lands, its fall ends; corners that noise makes in a flight leave it as it is.
  const fall = (velocity: readonly number[]): number => dot(velocity, options.gravity ?? [0, -9.81, 0]);
  const touch = flight.contacts.find(
    ({ before, after }) => fall(after) < MAX_LANDED_SPEED * fall(before) && fall(before) > 0,
  );
  // A frame in which it touches shows both flights.
  const frames = touch ? times.filter((time) => time + 1 / frameRate <= touch.time).length : times.length;
  if (frames < MIN_FRAMES)
    throw new GradsimError('film/not-seen', `The thing of track ${track.name} flies freely in ${frames} frames only.`, {
      hint: `A flight takes ${MIN_FRAMES}: begin with its first frame, by first.`,
    });
  return { track, flight, frames };
}
