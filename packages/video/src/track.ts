import { type Frames, frameAt, frameCount } from './frames.ts';

/** Where the largest thing in a mask is. */
export interface Blob2D {
  frame: number;
  /** Centre of the mask's weight, in pixels from the left edge of the picture; pixel i spans i to i + 1. */
  x: number;
  /** The same from the top edge. */
  y: number;
  /** Sum of the mask's values: an area in pixels. */
  area: number;
  /** Pixels that the blob spans, from the first to the last above the cut. */
  bounds: { left: number; top: number; right: number; bottom: number };
}

/**
 * The largest connected blob of every frame's mask, weighted by the mask, for starting values and for looking at what
 * a mask holds. Frames in which no pixel reaches the cut have none.
 *
 * @param cut pixels with a smaller mask value are not part of a blob. Default 0.2.
 *
 * @example
 * const track = trackBlobs(foregroundMasks(film, background));
 */
export function trackBlobs(masks: Frames, cut = 0.2): Blob2D[] {
  const blobs: Blob2D[] = [];
  for (let frame = 0; frame < frameCount(masks); frame++) {
    const blob = largestBlob(frameAt(masks, frame), masks.width, masks.height, cut);
    if (blob) blobs.push({ frame, ...blob });
  }
  return blobs;
}

function largestBlob(
  mask: Float32Array,
  width: number,
  height: number,
  cut: number,
): Omit<Blob2D, 'frame'> | undefined {
  const seen = new Uint8Array(mask.length);
  let largest: Omit<Blob2D, 'frame'> | undefined;
  for (let start = 0; start < mask.length; start++) {
    if (seen[start] || mask[start] < cut) continue;
    const blob = flood(mask, seen, start, { width, height, cut });
    if (!largest || blob.area > largest.area) largest = blob;
  }
  return largest;
}

/** Collects the pixels connected, across edges, to `start`. */
function flood(
  mask: Float32Array,
  seen: Uint8Array,
  start: number,
  { width, height, cut }: { width: number; height: number; cut: number },
): Omit<Blob2D, 'frame'> {
  const open = [start];
  seen[start] = 1;
  let area = 0;
  let sumX = 0;
  let sumY = 0;
  const bounds = { left: width, top: height, right: 0, bottom: 0 };
  const visit = (index: number) => {
    if (seen[index] || mask[index] < cut) return;
    seen[index] = 1;
    open.push(index);
  };
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const x = index % width;
    const y = (index - x) / width;
    area += mask[index];
    sumX += mask[index] * (x + 0.5);
    sumY += mask[index] * (y + 0.5);
    bounds.left = Math.min(bounds.left, x);
    bounds.right = Math.max(bounds.right, x + 1);
    bounds.top = Math.min(bounds.top, y);
    bounds.bottom = Math.max(bounds.bottom, y + 1);
    if (x > 0) visit(index - 1);
    if (x < width - 1) visit(index + 1);
    if (y > 0) visit(index - width);
    if (y < height - 1) visit(index + width);
  }
  return { x: sumX / area, y: sumY / area, area, bounds };
}
