import { GradsimError, refuseUnknownOptions } from '@gradsim/base';
import { type Frames, frameCount, timeOf } from '../frames/frames.ts';
import { refuseNoNumber } from '../options.ts';
import { runSteps, type WorkSteps } from '../steps.ts';
import { type Blob2D, type BlobOptions, blobSteps } from './blobs.ts';

/** Position and area of an object in one frame. */
export interface TrackPoint {
  readonly frame: number;
  /** Time since frame 0, s. */
  readonly time: number;
  /**
   * Horizontal position of the centre in px from the left edge of the picture; the centre of the first pixel is at 0.5.
   */
  readonly x: number;
  /**
   * Vertical position of the centre in px from the top edge of the picture; the centre of the first pixel is at 0.5.
   */
  readonly y: number;
  /** Area in square pixels, if known. */
  readonly area?: number;
  /** Relative uncertainty of the area, if known. */
  readonly areaError?: number;
  /** Blob of the mask that the point was tracked by, if any. */
  readonly blob?: Blob2D;
}

/** Track of one object through the frames, in ascending order; frames in which it is not seen have no point. */
export interface Track {
  readonly name: string;
  readonly points: readonly TrackPoint[];
}

/** Options of {@link trackBlobs}. */
export interface TrackOptions extends BlobOptions {
  /** Maximum number of consecutive frames in which an object may be unseen. Default 5. */
  gap?: number;
  /** Minimum number of frames in which an object is seen; shorter tracks are dropped. Default 3. */
  shortest?: number;
  /** Relative uncertainty of the area per frame, see {@link ObjectMasks}; copied to the points. */
  areaErrors?: ArrayLike<number>;
}

/**
 * Maximum distance of an object from its predicted position, as a fraction of the picture's diagonal, to which twice
 * the length of its predicted step is added.
 */
const MAX_RELATIVE_DISTANCE = 0.35;

/**
 * Tracks moving objects through the masks of all frames. From frame to frame, each object is matched with the blob
 * nearest to its position predicted from its last step, and closest in area. Blobs need not overlap between frames. A
 * bounce is not predicted, so the match may be far away: up to 0.35 of the picture's diagonal plus twice the last step.
 *
 * @returns tracks, those with the largest sum of areas first.
 *
 * @example
 * const [ball] = trackBlobs(objectMasks(film, background).masks);
 *
 * @throws GradsimError when the masks have several channels, the length of areaErrors is not the number of frames, or
 * an option is no number.
 */
export function trackBlobs(masks: Frames, options: TrackOptions = {}): Track[] {
  return runSteps(trackSteps(masks, options));
}

/** Does the work of {@link trackBlobs} in steps, for `runStepsWithPauses`. */
export function* trackSteps(masks: Frames, options: TrackOptions = {}): WorkSteps<Track[]> {
  const { gap = 5, shortest = 3, areaErrors, ...blobOptions } = options;
  refuseUnknownOptions<TrackOptions>('trackBlobs', options, {
    threshold: true,
    peak: true,
    minArea: true,
    weights: true,
    gap: true,
    shortest: true,
    areaErrors: true,
  });
  refuseNoNumber('trackBlobs', { gap, shortest });
  if (areaErrors && areaErrors.length !== frameCount(masks))
    throw new GradsimError(
      'video/wrong-size',
      `trackBlobs has ${areaErrors.length} areaErrors for ${frameCount(masks)} frames; it needs one a frame.`,
    );
  const reach = MAX_RELATIVE_DISTANCE * Math.hypot(masks.width, masks.height);
  const things: BlobInFrame[][] = [];
  const found = yield* blobSteps(masks, blobOptions);
  found.forEach((blobs, frame) => {
    const alive = things.filter((thing) => frame - thing.at(-1)!.frame <= gap + 1);
    const free = new Set(blobs);
    const taken = new Set<BlobInFrame[]>();
    for (const { thing, blob } of candidatePairs(alive, blobs, frame, reach)) {
      if (taken.has(thing) || !free.has(blob)) continue;
      taken.add(thing);
      free.delete(blob);
      thing.push({ frame, blob });
    }
    for (const blob of free) things.push([{ frame, blob }]);
  });
  const covers = (thing: BlobInFrame[]): number => thing.reduce((sum, { blob }) => sum + blob.area, 0);
  return things
    .filter((thing) => thing.length >= shortest)
    .sort((a, b) => covers(b) - covers(a))
    .map((thing, k) => ({
      name: `${k + 1}`,
      points: thing.map(({ frame, blob }) => ({
        frame,
        time: timeOf(masks, frame),
        x: blob.x,
        y: blob.y,
        area: blob.area,
        blob,
        ...(areaErrors ? { areaError: areaErrors[frame] } : {}),
      })),
    }));
}

interface BlobInFrame {
  readonly frame: number;
  readonly blob: Blob2D;
}

/** Returns the candidate matches of objects and blobs, the most likely first. */
function candidatePairs(things: readonly BlobInFrame[][], blobs: readonly Blob2D[], frame: number, reach: number) {
  return things
    .flatMap((thing) => {
      const { x, y, step, area } = predictedPosition(thing, frame);
      const farthest = reach + 2 * step;
      return blobs.flatMap((blob) => {
        const away = Math.hypot(blob.x - x, blob.y - y);
        const alike = Math.abs(Math.log(blob.area / area));
        return away <= farthest ? [{ thing, blob, cost: away + alike * Math.sqrt(area) }] : [];
      });
    })
    .sort((a, b) => a.cost - b.cost);
}

/**
 * Predicts an object's position in a frame (px) by repeating its last step, scaled to the number of frames passed; with
 * the length of that step and the object's last area.
 */
function predictedPosition(
  thing: readonly BlobInFrame[],
  frame: number,
): { x: number; y: number; step: number; area: number } {
  const [last, before] = [thing.at(-1)!, thing.at(-2)];
  const { x, y, area } = last.blob;
  if (!before) return { x, y, step: 0, area };
  const part = (frame - last.frame) / (last.frame - before.frame);
  const [u, v] = [x - before.blob.x, y - before.blob.y];
  return { x: x + part * u, y: y + part * v, step: part * Math.hypot(u, v), area };
}
