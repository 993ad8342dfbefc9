import { linearLeastSquares } from '@gradsim/base';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Track } from '@gradsim/video';
import type { FilmCamera } from '../../film-camera.ts';
import { TRACKS } from '../../tuning/tracks.ts';
import { leastSquares } from '../least-squares.ts';
import { fly, type V3 } from '../path.ts';
import { sizedPoints, sizeOf, startIn } from '../tracks.ts';
import { facing } from './facing.ts';

/** Options of {@link startOfFall}. */
export interface FallOptions {
  /** Radius that a ball as large would have, m. */
  readonly radius: number;
  /** Gravity, m/s^2. */
  readonly gravity: number;
}

/** A fall in air that fits the heights of a track, in the vertical plane that faces the camera. */
export interface Fall {
  /** Position, m, and velocity upwards, m/s, at time 0 of the film. */
  readonly position: V3;
  readonly rate: number;
  /** Speed at which drag balances gravity, m/s; of what is hardly braked a high one. */
  readonly terminal: number;
  /** Radius as given, m. */
  readonly radius: number;
  /** Root mean square distance of the heights from the fit, m. */
  readonly residual: number;
}

const { fewest, way, leaves, starts, fastest } = TRACKS.fall;
const { upright } = TRACKS.motions;

/**
 * Start and terminal speed of something light that falls straight down, from the heights of its track: y'' = -g + c y'^2, with
 * the terminal speed sqrt(g / c). It may sway meanwhile.
 *
 * ```ts
 * const { terminal } = startOfFall(film.tracks[0], camera, { radius: 0.05, gravity: 9.81 });
 * ```
 * @throws when the track has fewer than 6 points with an area, or does not fall.
 */
export function startOfFall(track: Track, camera: FilmCamera, options: FallOptions): Fall {
  refuseUnknownOptions<FallOptions>('startOfFall', options, { radius: 0, gravity: 0 });
  const { radius, gravity } = options;
  const points = sizedPoints(track, 'a fall', fewest);
  const plane = facing(points, camera, radius);
  const places = points.map((point) => plane.at(point));
  const heights = places.map(([, height]) => height);
  const times = points.map(({ time }) => time);
  const covered = Math.max(...heights) - Math.min(...heights);
  const [height, rate] = linearLeastSquares(
    times.map((t) => [1, t, (t * t) / 2]),
    heights,
  ) ?? [0, 0];
  const natural = radius / 10;
  const offFrom = ([at, speed, terminal]: readonly number[]): number[] => {
    const forces = { gravity: [0, -gravity, 0], drag: gravity / Math.exp(2 * terminal) };
    let [state, last] = [{ position: [0, at, 0] as V3, velocity: [0, speed, 0] as V3 }, 0];
    return times.map((t, k) => {
      [state, last] = [fly(state, t - last, forces), t];
      return (state.position[1] - heights[k]) / natural;
    });
  };
  const usual = covered / (times.at(-1)! - times[0]);
  const found = starts.map((times) =>
    leastSquares(offFrom, [height, Math.min(rate, 0), Math.log(times * usual)], [natural, usual, 1]),
  );
  const best = found.reduce((near, each) => (each.squares < near.squares ? each : near));
  const residual = natural * Math.sqrt(best.squares / times.length);
  const [across] = [places.map(([s]) => s)].map((all) => Math.max(...all) - Math.min(...all));
  if (
    covered < way * radius ||
    across > upright * covered ||
    !(residual < leaves * covered) ||
    heights.at(-1)! > heights[0]
  )
    throw new GradsimError('film/not-seen', `The track ${track.name} does not fall as something light does.`, {
      hint: 'Cut the film by first and last to the fall, or choose another track, by gradsim look.',
    });
  const [at, speed, terminal] = best.values;
  const side = places.reduce((sum, [s]) => sum + s / places.length, 0);
  return {
    position: plane.place(side, at),
    rate: speed,
    terminal: Math.min(Math.exp(terminal), fastest * usual),
    radius,
    residual,
  };
}

/**
 * Finds what falls in a film, and its fall.
 *
 * @param number number of its track, from 1; null to search for it.
 * @param radius of a ball as large, m, or the one of each track, as by `measuredScale`.
 * @throws as {@link startOfFall} does.
 */
export const fallIn = (
  tracks: readonly Track[],
  number: number | null,
  camera: FilmCamera,
  radius: number | ((track: Track) => number),
  gravity: number,
): { track: Track; start: Fall } =>
  startIn(tracks, number, (track) => startOfFall(track, camera, { radius: sizeOf(radius, track), gravity }));
