import { GradsimError } from '@gradsim/core';
import type { Track, TrackPoint } from '@gradsim/video';
import { outlinesOf } from '@gradsim/video';
import type { Film } from '../film.ts';
import { reachesOf } from './reach.ts';

/** An outline in a frame: the middle of its area, pixels from the left and the upper edge, and the root of its area over pi. */
export interface SeenOutline {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Reaches from its middle in 24 directions, from the right, clockwise, px. Default unknown. */
  readonly reaches?: readonly number[];
  /** Standard deviation of middle, size and reaches, pixels. Default that of masks. */
  readonly uncertainty?: number;
}

/**
 * The outlines of a track, by frame of its film. Frames in which the thing is not visible, or not whole, have none.
 *
 * @param track default: the one with the largest area in the film.
 * @throws when the track is not of the film's frames, or nothing moves in the film.
 */
export function outlinesIn(film: Film, track: Track = firstTrack(film)): (SeenOutline | undefined)[] {
  const { count } = film;
  const beyond = track.points.find(({ frame }) => frame >= count);
  if (beyond)
    throw new GradsimError(
      'film/no-such-frame',
      `The track ${track.name} has frame ${beyond.frame}; the film has ${count} frames.`,
    );
  const outlines = Array<SeenOutline | undefined>(count).fill(undefined);
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

/** Reaches of a mask, to where half of a pixel is covered. */
function reachesIn({ masks }: Film, { frame, x, y, blob }: TrackPoint): number[] {
  const { left, top, right, bottom } = blob!.bounds;
  const within = { x: left, y: top, width: right - left, height: bottom - top };
  return reachesOf(outlinesOf(masks, frame, within), x, y);
}

function firstTrack({ tracks }: Film): Track {
  if (tracks.length === 0) throw new GradsimError('film/not-seen', 'Nothing that moves is found in the film.');
  return tracks[0];
}
