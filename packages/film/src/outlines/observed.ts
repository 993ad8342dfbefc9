import { GradsimError } from '@gradsim/core';
import type { Blob2D, Track, TrackPoint, WorkSteps } from '@gradsim/video';
import { outlinesOf } from '@gradsim/video';
import type { Film } from '../film.ts';
import { reachesOf } from './reach.ts';

/**
 * Outline observed in a frame: the centroid of its area, px from the left and the upper edge, and its size, the square
 * root of its area over pi, px.
 */
export interface ObservedOutline {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Distances from the middle to the rim in the 24 {@link DIRECTIONS}, px. Default: unknown. */
  readonly reaches?: readonly number[];
  /** False if the middle is compared, and not the size. Default true. */
  readonly isSized?: boolean;
  /** Standard deviation of middle, size and reaches, px. Default: that of outlines from masks. */
  readonly uncertainty?: number;
}

/**
 * Outlines of a track's masks, by frame of its film. Frames in which the thing is not wholly visible have none.
 *
 * @param track default: the one with the largest area in the film.
 * @throws when the track has frames that the film does not have, or nothing moves in the film.
 */
export function observedOutlines(film: Film, track: Track = firstTrack(film)): (ObservedOutline | undefined)[] {
  const { count } = film;
  const beyond = track.points.find(({ frame }) => frame >= count);
  if (beyond)
    throw new GradsimError(
      'film/no-such-frame',
      `The track ${track.name} has frame ${beyond.frame}; the film has ${count} frames.`,
    );
  const outlines = Array<ObservedOutline | undefined>(count).fill(undefined);
  for (const point of track.points)
    if (point.area !== undefined && point.blob?.isWhole !== false)
      outlines[point.frame] = {
        x: point.x,
        y: point.y,
        size: Math.sqrt(point.area / Math.PI),
        ...(point.blob ? { reaches: reachesIn(film, point) } : {}),
      };
  return outlines;
}

/** Reaches of blobs that were computed when their film was read. */
const reachesCache = new WeakMap<Blob2D, number[]>();

/** Computes what {@link observedOutlines} returns of the tracks of a film, in steps, so that it takes no time later. */
export function* reachSteps(film: Pick<Film, 'masks'>, tracks: readonly Track[]): WorkSteps<void> {
  for (const { points } of tracks)
    for (const point of points) {
      if (point.blob?.isWhole) reachesCache.set(point.blob, reachesIn(film, point));
      yield;
    }
}

/** Distances from the middle of a mask to its rim, where half of a pixel is covered, in the 24 directions, px. */
function reachesIn({ masks }: Pick<Film, 'masks'>, { frame, x, y, blob }: TrackPoint): number[] {
  const before = reachesCache.get(blob!);
  if (before) return before;
  const { left, top, right, bottom } = blob!.bounds;
  const within = { x: left, y: top, width: right - left, height: bottom - top };
  return reachesOf(outlinesOf(masks, frame, within), x, y);
}

function firstTrack({ tracks }: Film): Track {
  if (tracks.length === 0) throw new GradsimError('film/not-seen', 'Nothing that moves is found in the film.');
  return tracks[0];
}
