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
