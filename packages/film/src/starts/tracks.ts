import { GradsimError } from '@gradsim/core';
import type { Track, TrackPoint } from '@gradsim/video';

/**
 * Points of a track at which all of a thing is in the picture: where a part of it is not, its middle is elsewhere.
 *
 * @param what the points are for, in the message.
 * @throws for fewer points than that takes.
 */
export function wholePoints({ name, points }: Track, what: string, fewest: number): TrackPoint[] {
  const whole = points.filter(({ blob }) => blob?.isWhole ?? true);
  if (whole.length < fewest)
    throw new GradsimError(
      'film/track-too-short',
      `The track ${name} has ${whole.length} points of a whole thing; ${what} needs at least ${fewest}.`,
    );
  return whole;
}

/**
 * One track of all: in each frame what covers most. Where a single thing moves, a mask that falls apart in a frame makes two tracks
 * of it.
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
 * The track of a number, from 1: that of `gradsim look` and of the name of a track. Null: what covers most.
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

/** Least area of a track, as a share of the largest one's: smaller ones are mostly noise. */
const LARGE = 0.1;
/** Tracks that are so many times as far off the motion as the nearest one move otherwise. Origin: judged; shadows move alike. */
const ALIKE = 3;

/**
 * The track of what moves as a kind of thing does, with its start: of those whose start is nearest to what was seen the one that
 * covers most. What cannot move so has no start.
 *
 * ```ts
 * const { track, start } = startIn(film.tracks, null, (each) => startOfSwing(each, camera, { radius: 0.04 }));
 * ```
 * @param number the track that it is, as {@link trackIn} has it; null: it is looked for.
 * @param startOf throws where the track shows no such motion.
 * @throws as `startOf` does of what covers most, where no track shows such a motion; where there are no tracks.
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
    .filter((track) => covers(track) >= LARGE * covers(most))
    .flatMap((track) => {
      try {
        return [{ track, start: startOf(track) }];
      } catch {
        return [];
      }
    });
  if (found.length === 0) return { track: most, start: startOf(most) };
  const nearest = Math.min(...found.map(({ start }) => start.residual));
  return found.find(({ start }) => start.residual <= ALIKE * nearest)!;
}
