import { GradsimError, refuseUnknownOptions, refuseWrongType } from '@gradsim/base';

import { type Frames, frameCount, regionAt, valuesInRegion } from '../frames/frames.ts';
import { patchesOf, thresholdMask } from '../frames/patches.ts';
import type { Region } from '../frames/region.ts';
import { refuseNoNumber } from '../options.ts';
import { runSteps, type WorkSteps } from '../steps.ts';

/** Connected region of a mask, with its centroid, area and second moments. */
export interface Blob2D {
  /** x of the centroid, weighted by the mask, in pixels from the left edge of the picture; pixel i spans i to i + 1. */
  readonly x: number;
  /** y of the centroid, weighted by the mask, in pixels from the top edge of the picture. */
  readonly y: number;
  /** Sum of the mask's values in the blob: its area in square pixels. */
  readonly area: number;
  /** Second central moments of the mask's weight, divided by the area, in square pixels. */
  readonly xx: number;
  readonly xy: number;
  readonly yy: number;
  /**
   * Bounding box in pixels from the upper left corner of the picture: left and top inclusive, right and bottom
   * exclusive.
   */
  readonly bounds: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
  /**
   * True if the blob touches neither the border of the picture, beyond which it could continue, nor a pixel of weight 0.
   */
  readonly isWhole: boolean;
}

/** Options of {@link findBlobs}. */
export interface BlobOptions {
  /** Minimum mask value of a pixel that belongs to a blob. Default 0.03. */
  threshold?: number;
  /** Minimum of the largest mask value in a blob. Default 0.5. */
  peak?: number;
  /** Minimum area of a blob, in square pixels. Default 0. */
  minArea?: number;
  /** Weights of pixels, a film of one channel: what pixels of weight 0 show is unknown. Default 1. */
  weights?: Frames;
}

/**
 * Finds the blobs of every frame's mask, frame by frame, the largest first: pixels connected across edges (not
 * corners), weighted by the mask.
 *
 * @example
 * const [largest] = findBlobs(masks)[0];
 *
 * @throws GradsimError when the masks have several channels, the weights have another size, or an option is no number.
 */
export function findBlobs(masks: Frames, options: BlobOptions = {}): Blob2D[][] {
  return runSteps(blobSteps(masks, options));
}

/** Does the work of {@link findBlobs} in steps. */
export function* blobSteps(masks: Frames, options: BlobOptions = {}): WorkSteps<Blob2D[][]> {
  refuseUnknownOptions('findBlobs', options, { threshold: true, peak: true, minArea: true, weights: true });
  if (masks.channels !== 1)
    throw new GradsimError(
      'video/wrong-channels',
      `findBlobs needs masks of 1 channel, not a film of ${masks.channels}.`,
    );
  const { threshold = 0.03, peak = 0.5, minArea = 0, weights } = options;
  refuseWrongType('findBlobs: weights', weights, 'frames', weights === undefined || ArrayBuffer.isView(weights?.data));
  const pixelsOf = (frames: Frames): number => frames.width * frames.height * frameCount(frames);
  if (weights && pixelsOf(weights) !== pixelsOf(masks))
    throw new GradsimError(
      'video/wrong-size',
      `findBlobs has ${pixelsOf(weights)} weights for ${pixelsOf(masks)} pixels of masks.`,
    );
  refuseNoNumber('findBlobs', { threshold, peak, minArea });
  const found: Blob2D[][] = [];
  for (let f = 0; f < frameCount(masks); f++) {
    const region = regionAt(masks, f);
    const mask = region ? valuesInRegion(masks, f, region) : new Float32Array();
    const patches = region ? patchesOf(thresholdMask(mask, threshold), region) : [];
    found.push(
      patches
        .filter((patch) => patch.some((p) => mask[p] >= peak))
        .map((patch) => measure(mask, patch, masks, region!, weights && valuesInRegion(weights, f, region!)))
        .filter((blob) => blob.area >= minArea)
        .sort((a, b) => b.area - a.area),
    );
    yield;
  }
  return found;
}

/** Measures a patch of a region of the picture. */
function measure(
  mask: Float32Array,
  patch: readonly number[],
  { width, height }: Frames,
  region: Region,
  weights: Float32Array | undefined,
): Blob2D {
  const across = region.width;
  let [area, sumX, sumY] = [0, 0, 0];
  const bounds = { left: width, top: height, right: 0, bottom: 0 };
  for (const p of patch) {
    const [x, y] = [region.x + (p % across), region.y + Math.floor(p / across)];
    area += mask[p];
    sumX += mask[p] * (x + 0.5);
    sumY += mask[p] * (y + 0.5);
    bounds.left = Math.min(bounds.left, x);
    bounds.right = Math.max(bounds.right, x + 1);
    bounds.top = Math.min(bounds.top, y);
    bounds.bottom = Math.max(bounds.bottom, y + 1);
  }
  const [x, y] = [sumX / area, sumY / area];
  let [xx, xy, yy] = [0, 0, 0];
  for (const p of patch) {
    const [u, v] = [region.x + (p % across) + 0.5 - x, region.y + Math.floor(p / across) + 0.5 - y];
    xx += (mask[p] * u * u) / area;
    xy += (mask[p] * u * v) / area;
    yy += (mask[p] * v * v) / area;
  }
  const isInside = bounds.left > 0 && bounds.top > 0 && bounds.right < width && bounds.bottom < height;
  const isKnown = (p: number): boolean => [p, p - 1, p + 1, p - across, p + across].every((q) => weights?.[q] !== 0);
  const isWhole = isInside && (!weights || patch.every(isKnown));
  return { x, y, area, xx, xy, yy, bounds, isWhole };
}
