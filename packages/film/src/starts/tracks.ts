import { GradsimError } from '@gradsim/core';
import type { Track, TrackPoint } from '@gradsim/video';

/**
 * Points of a track at which the whole thing is in the picture: the middle of a partly visible thing is displaced.
 *
 * @param purpose what the points are for, named in the message.
 * @throws for fewer points than needed.
 */
export function wholePoints({ name, points }: Track, purpose: string, minPoints: number): TrackPoint[] {
  const whole = points.filter(({ blob }) => blob?.isWhole ?? true);
  if (whole.length < minPoints)
    throw new GradsimError(
      'film/track-too-short',
      `The track ${name} has ${whole.length} points of a whole thing; ${purpose} needs at least ${minPoints}.`,
    );
  return whole;
}

/**
 * Points of a track at which the whole thing is in the picture and its area is known, which tells the distance.
 *
 * @param purpose what the points are for, named in the message.
 * @throws for fewer points than needed.
 */
export function sizedPoints({ name, points }: Track, purpose: string, minPoints: number): TrackPoint[] {
  const whole = points.filter(({ area, blob }) => area !== undefined && (blob?.isWhole ?? true));
  if (whole.length < minPoints)
    throw new GradsimError(
      'film/track-too-short',
      `The track ${name} has ${whole.length} points of a whole thing with an area; ${purpose} needs at least ${minPoints}.`,
    );
  return whole;
}

/**
 * Joins all tracks to one, with the largest thing of each frame. Where a single thing moves, a mask that falls apart in
 * a frame makes two tracks of it.
 *
 * ```ts
 * const flight = flightOfBox(largestIn(film.tracks), camera, { size: [0.1, 0.06, 0.04] });
 * ```
 * @throws when there is no track.
 */
export function largestIn(tracks: readonly Track[]): Track {
  const [first] = tracks;
  if (!first) throw new GradsimError('film/not-seen', 'Nothing that moves is found in the film.');
  const largest = new Map<number, TrackPoint>();
  for (const { points } of tracks)
    for (const point of points)
      if ((point.area ?? 0) >= (largest.get(point.frame)?.area ?? 0)) largest.set(point.frame, point);
  return { name: first.name, points: [...largest.values()].sort((a, b) => a.frame - b.frame) };
}

/**
 * Track by its number, counted from 1 as in `gradsim look` and in the track's name; for null the one with the largest
 * area.
 * @throws when there is none.
 */
export function trackIn(tracks: readonly Track[], number: number | null): Track {
  const [first] = tracks;
  if (!first) throw new GradsimError('film/not-seen', 'Nothing that moves is found in the film.');
  if (number === null) return first;
  const track = tracks.find(({ name }) => name === String(number));
  if (!track)
    throw new GradsimError('film/no-such-track', `There is no track ${number} in the film.`, {
      hint: `It has ${tracks.map(({ name }) => name).join(', ')}.`,
    });
  return track;
}

/** Size of a thing, m: as given, or by its track. */
export const sizeOf = (size: number | ((track: Track) => number), track: Track): number =>
  typeof size === 'number' ? size : size(track);

/** Minimum ratio of a track's area to the largest track's area: smaller tracks are mostly noise. */
const MIN_AREA_RATIO = 0.1;
/**
 * Maximum ratio of a track's residual to the smallest residual for tracks that count as fitting equally well, as those
 * of a thing and its shadow do. Origin: judged.
 */
const MAX_RESIDUAL_RATIO = 3;

/**
 * Finds the track that fits a kind of motion, and its start: among the tracks with nearly the smallest residual the one
 * with the largest area. Tracks for which `startOf` throws are left out.
 *
 * ```ts
 * const { track, start } = startIn(film.tracks, null, (each) => startOfSwing(each, camera, { radius: 0.04 }));
 * ```
 * @param number number of the track, as for {@link trackIn}; null to search for it.
 * @param startOf throws where the track shows no such motion.
 * @throws as `startOf` does for the largest track, if no track shows such a motion; if there are no tracks.
 */
export function startIn<S extends { readonly residual: number }>(
  tracks: readonly Track[],
  number: number | null,
  startOf: (track: Track) => S,
): { track: Track; start: S } {
  const most = trackIn(tracks, number);
  if (number !== null) return { track: most, start: startOf(most) };
  const covers = ({ points }: Track): number => points.reduce((sum, { area = 0 }) => sum + area, 0);
  const found = tracks
    .filter((track) => covers(track) >= MIN_AREA_RATIO * covers(most))
    .flatMap((track) => {
      try {
        return [{ track, start: startOf(track) }];
      } catch {
        return [];
      }
    });
  if (found.length === 0) return { track: most, start: startOf(most) };
  const nearest = Math.min(...found.map(({ start }) => start.residual));
  return found.find(({ start }) => start.residual <= MAX_RESIDUAL_RATIO * nearest)!;
}
