import type { Check, Observation } from '@gradsim/optim';
import type { Track, TrackPoint } from '@gradsim/video';
import { outlinesOf } from '@gradsim/video';
import type { Film } from '../film.ts';
import { outline, outlineReach } from './fields.ts';
import { DIRECTIONS, reachesOf } from './reach.ts';

/** An outline that is seen: the middle of its area, pixels from the left and the upper edge, and the root of its area over pi. */
export interface SeenOutline {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** How far it reaches from its middle in 24 directions, from the right on, clockwise. Pixels. Default not known. */
  readonly reaches?: readonly number[];
  /** To how many pixels middle, size and reaches are known. Default as masks tell them. */
  readonly doubt?: number;
}

/** What is compared of outlines. */
export interface OutlineTargetOptions {
  /** Whether sizes count: those of thin things are mostly rim. Default true. */
  readonly hasSizes?: boolean;
  /**
   * Whether the middle's column counts. Along a beam that lies level it says nothing of its bending, and pixels of both ends come
   * and go, whose scatter would be taken for that of its height. Default true.
   */
  readonly hasColumns?: boolean;
}

/** Middle and size of an outline are known to so much in each frame. Pixels. */
const DOUBT = 0.2;
/** And to this part of the way to the frames beside it: blur hides where an edge is. */
const BLUR_DOUBT = 0.1;

/**
 * Outlines as targets for `world.outline`, frame by frame; nothing of frames in which none is seen counts.
 */
export function outlineTargets(
  outlines: readonly (SeenOutline | null | undefined)[],
  { hasSizes = true, hasColumns = true }: OutlineTargetOptions = {},
): Observation {
  return {
    field: outline,
    isLeastNoise: isDoubted(outlines),
    target: outlines.flatMap((seen) => (seen ? [seen.x, seen.y, seen.size] : [0, 0, 0])),
    weights: outlines.flatMap((seen) => (seen ? [Number(hasColumns), 1, Number(hasSizes)] : [0, 0, 0])),
    noise: outlines.map((seen, frame) => {
      if (seen?.doubt !== undefined) return seen.doubt;
      const ways = [outlines[frame - 1], outlines[frame + 1]].map((beside) =>
        seen && beside ? Math.hypot(beside.x - seen.x, beside.y - seen.y) : 0,
      );
      return Math.hypot(DOUBT, BLUR_DOUBT * Math.max(...ways));
    }),
  };
}

/** Whether outlines say how far they may be off, which is what frames have in common too. */
const isDoubted = (outlines: readonly (SeenOutline | null | undefined)[]): boolean =>
  outlines.some((seen) => seen?.doubt !== undefined);

/** Reaches in single directions are known to so much: shadows and highlights pull some of them. Pixels. */
const REACH_DOUBT = 1.5;
/** Those of an outline that is known as a whole go together: some three ways to be off for 24 of them. Root of that share. */
const SHARED = 3;

/** Reaches of outlines as targets for `outlineRays.reach`: what tells how a thing is turned that is not round. */
export function reachTargets(outlines: readonly (SeenOutline | null | undefined)[]): Observation {
  const nothing = DIRECTIONS.map(() => 0);
  const reaches = outlines.map((seen) => seen?.reaches);
  return {
    field: outlineReach,
    isLeastNoise: isDoubted(outlines),
    target: reaches.flatMap((seen) => seen ?? nothing),
    weights: reaches.flatMap((seen) => nothing.map(() => Number(seen !== undefined))),
    noise: outlines.map((seen) => (seen?.doubt === undefined ? REACH_DOUBT : SHARED * seen.doubt)),
  };
}

/** A rim that is seen well is off by less, pixels; */
export const RIM_DOUBT = 0.4;
/** and by less than this part of the outline's size: what is dark on one side, or stands in a shadow, has no sharp one. */
export const SHAPE_DOUBT = 0.025;
/** The usual reach may be off by so many times both. */
export const OFF_SHAPE = 1.13;

/**
 * Whether the thing has the shape of the model: how far its outline reaches in each direction, in all frames, is held against
 * `outlineRays.reach`. Half of them are off by less than a good rim is, shadows at a foot or a highlight notwithstanding, or the
 * shape is another one. Shadows pull single reaches by several pixels.
 *
 * Area and middle say nothing of the shape, and hardly more do second moments: those of a regular pentagon are the same in all
 * directions, and make it 0.9 % larger than its area does, where its reach varies by 24 %.
 */
export function outlineCheck(outlines: readonly (SeenOutline | null | undefined)[]): Check {
  return {
    field: outlineReach,
    of: (values) => {
      const off: number[] = [];
      outlines.forEach((seen, frame) => {
        const doubt = Math.hypot(RIM_DOUBT, SHAPE_DOUBT * (seen?.size ?? 0));
        seen?.reaches?.forEach((reach, k) => {
          off.push(Math.abs(reach - values[DIRECTIONS.length * frame + k]) / doubt);
        });
      });
      const usual = off.sort((a, b) => a - b)[off.length >> 1] ?? 0;
      if (usual <= OFF_SHAPE) return undefined;
      const pixels = (usual * Math.hypot(RIM_DOUBT, SHAPE_DOUBT * meanSize(outlines))).toFixed(2);
      return {
        grave: true,
        note: `The outline in the film has another shape than the model's: half of its rim is off by more than ${pixels} pixels. What moves is something else, or its mask is wrong: look at both in the report.`,
      };
    },
  };
}

function meanSize(outlines: readonly (SeenOutline | null | undefined)[]): number {
  const sizes = outlines.flatMap((seen) => (seen ? [seen.size] : []));
  return sizes.reduce((sum, size) => sum + size / sizes.length, 0);
}

/**
 * The outlines of a track, by frame of its film. Of frames in which the thing is not seen, or not whole, there is none.
 *
 * @param track default: of what covers most in the film.
 * @throws when the track is not of the film's frames, or nothing moves in the film.
 */
export function outlinesIn(film: Film, track: Track = firstTrack(film)): (SeenOutline | undefined)[] {
  const { count } = film;
  const beyond = track.points.find(({ frame }) => frame >= count);
  if (beyond) throw new Error(`The track ${track.name} has frame ${beyond.frame}; the film has ${count} frames.`);
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

/** To where half of a pixel is covered. */
function reachesIn({ masks }: Film, { frame, x, y, blob }: TrackPoint): number[] {
  const { left, top, right, bottom } = blob!.bounds;
  const within = { x: left, y: top, width: right - left, height: bottom - top };
  return reachesOf(outlinesOf(masks, frame, within), x, y);
}

function firstTrack({ tracks }: Film): Track {
  if (tracks.length === 0) throw new Error('Nothing that moves is found in the film.');
  return tracks[0];
}
