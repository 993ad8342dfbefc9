import { GradsimError, refuseUnknownOptions } from '@gradsim/kernel';
import { type Blob2D, type BlobOptions, findBlobs } from './blobs.ts';

import { type Frames, frameCount } from './frames.ts';
import { refuseNoNumber } from './options.ts';

/** Position and shape of an object in one frame. */
export interface TrackPoint {
  readonly frame: number;
  /** Seconds since frame 0. */
  readonly time: number;
  /**
   * Horizontal position of the centre in px from the left edge of the picture; the middle of the first pixel is 0.5.
   */
  readonly x: number;
  /** Vertical position of the centre in px from the top edge; the middle of the first pixel is 0.5. */
  readonly y: number;
  /** Area in square pixels, if known. */
  readonly area?: number;
  /** Relative uncertainty of the area. */
  readonly areaError?: number;
  /** The blob, where it was tracked by its mask. */
  readonly blob?: Blob2D;
}

/** One thing through the frames, which ascend; there is no point where it is not seen. */
export interface Track {
  readonly name: string;
  readonly points: readonly TrackPoint[];
}

/** Options of matching blobs of neighbouring frames to one object. */
export interface TrackOptions extends BlobOptions {
  /** A thing may be unseen for so many frames. Default 5. */
  gap?: number;
  /** It is seen in so many frames. Default 3. */
  shortest?: number;
  /** See {@link ObjectMasks}; goes to the points. */
  areaErrors?: ArrayLike<number>;
}

/**
 * Maximum distance of an object from its predicted position, as a share of the picture's diagonal; twice its last step
 * is added.
 */
const REACH = 0.35;

/**
 * Things that move, through all frames of their masks: from frame to frame, each goes on as the blob nearest to where
 * its motion leads, and closest in area. Blobs need not overlap between frames. A thing that bounces is where its
 * motion does not lead: what is nearest may be far away, up to a third of the picture and twice the last step.
 *
 * @returns those that cover most first.
 *
 * @example
 * const [ball] = trackBlobs(objectMasks(film, background).masks);
 *
 * @throws GradsimError when the masks have several channels, areaErrors another number of frames, or an option is no
 * number.
 */
export function trackBlobs(masks: Frames, options: TrackOptions = {}): Track[] {
  const { gap = 5, shortest = 3, areaErrors, ...blobOptions } = options;
  refuseUnknownOptions<TrackOptions>('trackBlobs', options, {
    cut: true,
    peak: true,
    least: true,
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
  const reach = REACH * Math.hypot(masks.width, masks.height);
  const things: Seen[][] = [];
  findBlobs(masks, blobOptions).forEach((blobs, frame) => {
    const alive = things.filter((thing) => frame - thing.at(-1)!.frame <= gap + 1);
    const free = new Set(blobs);
    const taken = new Set<Seen[]>();
    for (const { thing, blob } of pairs(alive, blobs, frame, reach)) {
      if (taken.has(thing) || !free.has(blob)) continue;
      taken.add(thing);
      free.delete(blob);
      thing.push({ frame, blob });
    }
    for (const blob of free) things.push([{ frame, blob }]);
  });
  const covers = (thing: Seen[]): number => thing.reduce((sum, { blob }) => sum + blob.area, 0);
  return things
    .filter((thing) => thing.length >= shortest)
    .sort((a, b) => covers(b) - covers(a))
    .map((thing, k) => ({
      name: `${k + 1}`,
      points: thing.map(({ frame, blob }) => ({
        frame,
        time: frame / masks.frameRate,
        x: blob.x,
        y: blob.y,
        area: blob.area,
        blob,
        ...(areaErrors ? { areaError: areaErrors[frame] } : {}),
      })),
    }));
}

interface Seen {
  readonly frame: number;
  readonly blob: Blob2D;
}

/** Returns the candidate matches of objects and blobs, the likeliest pairs first. */
function pairs(things: readonly Seen[][], blobs: readonly Blob2D[], frame: number, reach: number) {
  return things
    .flatMap((thing) => {
      const { x, y, step, area } = expected(thing, frame);
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
 * Predicts an object's position from its motion, with the length of its last step over as many frames, and its size.
 */
function expected(thing: readonly Seen[], frame: number): { x: number; y: number; step: number; area: number } {
  const [last, before] = [thing.at(-1)!, thing.at(-2)];
  const { x, y, area } = last.blob;
  if (!before) return { x, y, step: 0, area };
  const part = (frame - last.frame) / (last.frame - before.frame);
  const [u, v] = [x - before.blob.x, y - before.blob.y];
  return { x: x + part * u, y: y + part * v, step: part * Math.hypot(u, v), area };
}
