import { upperMedian } from '@gradsim/base';
import type { FilmInfo, Frames, Track } from '@gradsim/video';
import { frameAt, frameCount } from '@gradsim/video';

/** Sampling stride: every seventh channel value of a picture is compared. */
const STRIDE = 7;
/**
 * Median absolute change of channel values (0 to 1) between two frames, above which they may show different scenes.
 * Origin: judged.
 */
const OTHER_SCENE = 0.04;
/**
 * Ratio of the median change between two frames to the film's median change above which a cut is assumed. Origin:
 * judged.
 */
const TIMES_USUAL = 8;
/**
 * Ratio of an object's step between two frames to its steps before and after, above which it may be a jump. Origin:
 * judged.
 */
const MIN_JUMP_RATIO = 4;
/**
 * Minimum length of a jump, as a multiple of the diameter of a disc of the median area of the object. Origin: judged.
 */
const MIN_JUMP_DIAMETERS = 1.5;

/** Number of pixels that are decoded at most to search a film for cuts: some seconds of work. */
const MOST_DECODED = 4e8;

/** Last frame that is searched for cuts from a first one on: of a large film those that are decoded within seconds. */
export const lastSearched = (
  { width, height, frameCount }: Pick<FilmInfo, 'width' | 'height' | 'frameCount'>,
  first: number,
) => Math.min(frameCount - 1, first + Math.floor(MOST_DECODED / (width * height)));

/** Indices, among the frames read, of the first frames of new scenes, after a cut or where two films are joined. */
export function cutsIn(frames: Frames): number[] {
  const changes = Array.from({ length: frameCount(frames) - 1 }, (_, k) => {
    const [before, after] = [frameAt(frames, k), frameAt(frames, k + 1)];
    const off: number[] = [];
    for (let i = 0; i < after.length; i += STRIDE) off.push(Math.abs(after[i] - before[i]));
    return upperMedian(off);
  });
  const usual = upperMedian(changes);
  return changes.flatMap((change, k) => (change > Math.max(OTHER_SCENE, TIMES_USUAL * usual) ? [k + 1] : []));
}

/**
 * Frames in which a track has jumped, as where two films of one scene are joined. A bounce changes direction without a
 * jump.
 */
export function jumpsOf({ points }: Track): number[] {
  const width = 2 * Math.sqrt(upperMedian(points.map(({ area = 0 }) => area)) / Math.PI);
  const steps = points
    .slice(1)
    .map((point, k) => Math.hypot(point.x - points[k].x, point.y - points[k].y) / (point.frame - points[k].frame));
  return steps.flatMap((step, k) => {
    const beside = Math.max(steps[k - 1] ?? 0, steps[k + 1] ?? 0);
    const isInside = k > 0 && k < steps.length - 1;
    return isInside && step > Math.max(MIN_JUMP_RATIO * beside, MIN_JUMP_DIAMETERS * width)
      ? [points[k + 1].frame]
      : [];
  });
}

/** Sentence on a cut, naming the frames before and after it. */
export const cutRemark = (frame: number): string =>
  `Between frames ${frame - 1} and ${frame} all of the picture changes: a cut, or two films that were joined. Estimate from one part: frames to ${frame - 1} (last), or from ${frame} on (first).`;
