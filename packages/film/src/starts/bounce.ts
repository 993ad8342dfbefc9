import { GradsimError } from '@gradsim/core';
import type { Track } from '@gradsim/video';
import type { FilmCamera } from '../film-camera.ts';
import { TRACKS } from '../tuning/tracks.ts';
import type { Contact, Flight } from './fit-flight.ts';
import { type FlightOptions, startOfFlight } from './flight.ts';
import { sizeOf, startIn } from './tracks.ts';

/** First bounce of a ball in a film, with the flights before and after it. */
export interface Bounce extends Pick<Contact, 'position' | 'time'> {
  readonly track: Track;
  readonly flight: Flight;
  /** Radius of the ball as given, m. */
  readonly radius: number;
  /**
   * Start values for a search: coefficients of restitution and friction shown by the velocity change at the bounce,
   * limited to the usual range of balls.
   */
  readonly restitution: number;
  readonly friction: number;
}

/** Options of {@link bounceIn}. */
export interface BounceOptions extends Omit<FlightOptions, 'radius'> {
  /** Radius of the ball, m, or the radius that a ball of a track would have, as by `measuredScale`. */
  readonly radius: number | ((track: Track) => number);
}

/** Lower and upper limit of the start value of restitution. */
const RESTITUTION_RANGE = [0.05, 0.95] as const;
/** Lower and upper limit of the start value of friction. */
const FRICTION_RANGE = [0.005, 1] as const;
/** Ratio of the friction at which the search starts to the friction that the bounce shows. */
const LESS_FRICTION = 0.95;
/** Part of its speed along the floor that a solid ball loses where it grips it without spinning before. */
const GRIPPED = 2 / 7;

const clamped = (value: number, [low, high]: readonly [number, number]): number => Math.min(Math.max(value, low), high);

/** True for a contact that turns a fall into a rise: a corner beside it, of a blurred frame, is none. */
const isBounce = ({ before, after }: Contact): boolean => before[1] < 0 && after[1] > 0;

/** Flight of a track up to its first contacts, for a radius that may depend on the track. */
export const flightOf = (track: Track, camera: FilmCamera, options: BounceOptions): Flight =>
  startOfFlight(track, camera, { contacts: TRACKS.contacts, ...options, radius: sizeOf(options.radius, track) });

/**
 * Finds the ball in a film, and its first bounce: among all tracks the one that flies and bounces.
 *
 * ```ts
 * const { flight, restitution } = bounceIn(film.tracks, null, camera, { radius: 0.1 });
 * ```
 * @param number number of the ball's track, from 1; null to search for it.
 * @throws as {@link startOfFlight} does, and if nothing bounces.
 */
export function bounceIn(
  tracks: readonly Track[],
  number: number | null,
  camera: FilmCamera,
  options: BounceOptions,
): Bounce {
  const { track, start: flight } = startIn(tracks, number, (each) => {
    const found = flightOf(each, camera, options);
    if (found.contacts.some(isBounce)) return found;
    throw new GradsimError('film/not-seen', 'No bounce is seen in the film.', {
      hint: 'It takes some frames before and after one.',
    });
  });
  const { position, time, before, after, restitution } = flight.contacts.find(isBounce)!;
  // A little less than the bounce shows, or than grips the floor: a ball that grips it does so with more friction too, where the
  // gradient is zero.
  const along = Math.hypot(before[0], before[2]);
  const braked = along - (before[0] * after[0] + before[2] * after[2]) / Math.max(along, 1e-9);
  const up = after[1] - before[1];
  const friction = clamped((LESS_FRICTION * Math.min(braked, GRIPPED * along)) / up, FRICTION_RANGE);
  return {
    track,
    flight,
    radius: flight.radius!,
    position,
    time,
    friction,
    restitution: clamped(restitution, RESTITUTION_RANGE),
  };
}
