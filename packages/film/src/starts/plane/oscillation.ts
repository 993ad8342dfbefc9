import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Track } from '@gradsim/video';
import type { FilmCamera } from '../../film-camera.ts';
import { TRACKS } from '../../tuning/tracks.ts';
import { leastSquares } from '../least-squares.ts';
import type { V3 } from '../path.ts';
import { sizedPoints, sizeOf, startIn } from '../tracks.ts';
import { facing } from './facing.ts';
import { sinusoidIn } from './sinusoid.ts';

/** Options of {@link startOfOscillation}. */
export interface OscillationOptions {
  /** Radius of the ball, m. */
  readonly radius: number;
}

/** An oscillation up and down that fits a track. */
export interface Oscillation {
  /** Position about which the ball oscillates, m. */
  readonly restPosition: V3;
  /** Radius of the ball as given, m. */
  readonly radius: number;
  /** Height above `restPosition`, m, and its rate, m/s, at time 0 of the film. */
  readonly displacement: number;
  readonly rate: number;
  /** Angular frequency, rad/s, and damping c, 1/s: amplitudes decay as exp(-c t). */
  readonly frequency: number;
  readonly damping: number;
  /** Amplitude at time 0, m. */
  readonly amplitude: number;
  /** Root mean square distance of the ball's heights from the fit, m. */
  readonly residual: number;
}

const { fewest } = TRACKS.oscillation;

/**
 * Damped oscillation up and down of a ball, from its track: the ball's size determines the depth, and the heights in the
 * vertical plane there are fitted by h + exp(-c t) (a cos w t + b sin w t), at the best of all frequencies w first.
 *
 * ```ts
 * const { rest, frequency } = startOfOscillation(film.tracks[0], camera, { radius: 0.03 });
 * ```
 * @throws when the track has fewer than 8 points with an area; when it shows less than about one swing up and down, or
 * another motion.
 */
export function startOfOscillation(track: Track, camera: FilmCamera, options: OscillationOptions): Oscillation {
  refuseUnknownOptions<OscillationOptions>('startOfOscillation', options, { radius: 0 });
  const { radius } = options;
  const points = sizedPoints(track, 'an oscillation', fewest);
  const plane = facing(points, camera, radius);
  const places = points.map((point) => plane.at(point));
  const heights = places.map(([, height]) => height);
  const times = points.map(({ time }) => time);
  const duration = times.at(-1)! - times[0];
  const best = sinusoidIn(times, heights);
  const [across] = [places.map(([s]) => s)].map((all) => Math.max(...all) - Math.min(...all));
  if (best.isNone || across > Math.max(...heights) - Math.min(...heights))
    throw new GradsimError('film/not-seen', `The track ${track.name} does not swing up and down.`, {
      hint: 'Choose the track of what hangs on the spring, by gradsim look.',
    });
  if (best.isSlowest)
    throw new GradsimError(
      'film/track-undetermined',
      `The track ${track.name} shows less than one swing up and down, from which no period follows.`,
      { hint: 'Film several swings.' },
    );
  const natural = radius / 10;
  const heightAt = ([h, a, b, w, c]: readonly number[], t: number): number =>
    h + Math.exp(-c * t) * (a * Math.cos(w * t) + b * Math.sin(w * t));
  const { values, squares } = leastSquares(
    (now: readonly number[]) => times.map((t, k) => (heightAt(now, t) - heights[k]) / natural),
    [...best.values, best.frequency, 0],
    [natural, natural, natural, 1 / duration, 1 / duration],
  );
  const [height, a, b, frequency, damping] = values;
  const side = places.reduce((sum, [s]) => sum + s / places.length, 0);
  return {
    restPosition: plane.place(side, height),
    radius,
    displacement: a,
    rate: b * frequency - a * damping,
    frequency: Math.abs(frequency),
    damping,
    amplitude: Math.hypot(a, b),
    residual: natural * Math.sqrt(squares / places.length),
  };
}

/**
 * Finds the ball on a spring in a film, and its oscillation.
 *
 * @param number number of the ball's track, from 1; null to search for it.
 * @param radius of the ball, m, or the radius that a ball of a track would have, as by `measuredScale`.
 * @throws as {@link startOfOscillation} does.
 */
export const oscillationIn = (
  tracks: readonly Track[],
  number: number | null,
  camera: FilmCamera,
  radius: number | ((track: Track) => number),
): { track: Track; start: Oscillation } =>
  startIn(tracks, number, (track) => startOfOscillation(track, camera, { radius: sizeOf(radius, track) }));
