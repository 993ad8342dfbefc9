import type { Region } from './region.ts';
import type { Size } from './size.ts';

/** Returns a picture with ones where a value is at least the threshold, zeros elsewhere. */
export function thresholdMask(values: Float32Array, level: number): Uint8Array {
  const picture = new Uint8Array(values.length);
  for (let p = 0; p < values.length; p++) if (values[p] >= level) picture[p] = 1;
  return picture;
}

/**
 * Returns the connected regions of ones (4-neighbourhood), each as a list of pixel indices, in the order of their first
 * pixels.
 */
export function patchesOf(picture: Uint8Array, size: Size): number[][] {
  const left = picture.slice();
  const patches: number[][] = [];
  for (let p = left.indexOf(1); p >= 0; p = left.indexOf(1, p + 1)) patches.push(takePatch(left, p, size));
  return patches;
}

/** Returns a picture with its holes filled: zeros that no path over zeros connects to the border. */
export function fillHoles(picture: Uint8Array, size: Size): Uint8Array {
  const out = picture.slice();
  const bounds = boundsOf(picture, size, 1);
  if (!bounds) return out;
  const { width, height } = bounds;
  const outside = copyRegion(picture, size, bounds).map((value) => 1 - value);
  const flood = (p: number): void => {
    if (outside[p] === 1) takePatch(outside, p, bounds);
  };
  // The region is surrounded by zeros, or the picture's border.
  for (let x = 0; x < width; x++) for (const y of [0, height - 1]) flood(y * width + x);
  for (let y = 0; y < height; y++) for (const x of [0, width - 1]) flood(y * width + x);
  // Pixels that were not reached are holes.
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (outside[y * width + x] === 1) out[(bounds.y + y) * size.width + bounds.x + x] = 1;
  return out;
}

/**
 * Returns the bounding box of non-zero pixels, enlarged by `margin` pixels within the picture; undefined if all are 0.
 */
export function boundsOf(picture: Uint8Array, { width, height }: Size, margin: number): Region | undefined {
  const first = picture.indexOf(1);
  if (first < 0) return undefined;
  const [top, bottom] = [Math.floor(first / width), Math.floor(picture.lastIndexOf(1) / width)];
  let [left, right] = [width, -1];
  for (let y = top; y <= bottom; y++) {
    const row = picture.subarray(y * width, (y + 1) * width);
    const from = row.indexOf(1);
    if (from < 0) continue;
    left = Math.min(left, from);
    right = Math.max(right, row.lastIndexOf(1));
  }
  const [x, y] = [Math.max(left - margin, 0), Math.max(top - margin, 0)];
  return {
    x,
    y,
    width: Math.min(right + margin, width - 1) + 1 - x,
    height: Math.min(bottom + margin, height - 1) + 1 - y,
  };
}

/** Returns a copy of a rectangular region of a picture with `channels` values per pixel. */
export function copyRegion<A extends Uint8Array | Float32Array>(picture: A, size: Size, part: Region, channels = 1): A {
  const ArrayOf = picture.constructor as new (length: number) => A;
  const row = part.width * channels;
  const out = new ArrayOf(row * part.height);
  for (let y = 0; y < part.height; y++) {
    const from = ((part.y + y) * size.width + part.x) * channels;
    out.set(picture.subarray(from, from + row), y * row);
  }
  return out;
}

/** Removes the region of ones connected to pixel `from` from the picture, and returns the indices of its pixels. */
function takePatch(picture: Uint8Array, from: number, { width }: Size): number[] {
  const patch = [from];
  picture[from] = 0;
  for (let k = 0; k < patch.length; k++) {
    const p = patch[k];
    const x = p % width;
    for (const q of [x > 0 ? p - 1 : p, x < width - 1 ? p + 1 : p, p - width, p + width]) {
      if (picture[q] !== 1) continue;
      picture[q] = 0;
      patch.push(q);
    }
  }
  return patch;
}

/** Dilates a picture: ones wherever a one is within `radius` pixels. */
export const dilate = (picture: Uint8Array, size: Size, radius: number): Uint8Array => spread(picture, size, radius, 1);

/** Erodes a picture: ones wherever no zero is within `radius` pixels; pixels outside the picture do not count. */
export const erode = (picture: Uint8Array, size: Size, radius: number): Uint8Array => spread(picture, size, radius, 0);

/** Writes a value, 0 or 1, wherever a pixel that has it is within `radius` pixels. */
function spread(picture: Uint8Array, { width, height }: Size, radius: number, value: number): Uint8Array {
  const out = picture.slice();
  const whole = Math.floor(radius);
  // Half the width of the disc in each of its rows, from its middle on.
  const halves = Array.from({ length: whole + 1 }, (_, v) => Math.floor(Math.sqrt(radius * radius - v * v)));
  for (let y = 0; y < height; y++)
    for (let x = 0, p = y * width; x < width; x++, p++) {
      if (picture[p] !== value) continue;
      const isInside =
        (x === 0 || picture[p - 1] === value) &&
        (x === width - 1 || picture[p + 1] === value) &&
        (y === 0 || picture[p - width] === value) &&
        (y === height - 1 || picture[p + width] === value);
      if (isInside) continue;
      for (let v = Math.max(y - whole, 0); v <= Math.min(y + whole, height - 1); v++) {
        const half = halves[Math.abs(v - y)];
        out.fill(value, v * width + Math.max(x - half, 0), v * width + Math.min(x + half + 1, width));
      }
    }
  return out;
}

/** Largest value within a square around every pixel, of `halfWidth` pixels to each side. */
export function largestWithin(picture: Float32Array, { width, height }: Size, halfWidth: number): Float32Array {
  const along = (values: Float32Array, count: number, step: number, lines: number, across: number): Float32Array => {
    const out = new Float32Array(values.length);
    for (let line = 0; line < lines; line++)
      for (let k = 0; k < count; k++) {
        let most = Number.NEGATIVE_INFINITY;
        const last = Math.min(count - 1, k + halfWidth);
        for (let j = Math.max(0, k - halfWidth); j <= last; j++)
          most = Math.max(most, values[line * across + j * step]);
        out[line * across + k * step] = most;
      }
    return out;
  };
  return along(along(picture, width, 1, height, width), height, width, width, 1);
}

/** Calls a function with the index of every pixel within `radius` pixels of a pixel, itself included. */
export function forEachWithin(p: number, { width, height }: Size, radius: number, visit: (q: number) => void): void {
  const [x, y] = [p % width, Math.floor(p / width)];
  const whole = Math.floor(radius);
  for (let v = Math.max(y - whole, 0); v <= Math.min(y + whole, height - 1); v++) {
    for (let u = Math.max(x - whole, 0); u <= Math.min(x + whole, width - 1); u++) {
      if ((u - x) ** 2 + (v - y) ** 2 <= radius * radius) visit(v * width + u);
    }
  }
}

/** Returns whether a zero is next to a pixel (4-neighbourhood). */
export function isRim(picture: Uint8Array, p: number, { width }: Size): boolean {
  const x = p % width;
  return (
    (x > 0 && picture[p - 1] === 0) ||
    (x < width - 1 && picture[p + 1] === 0) ||
    picture[p - width] === 0 ||
    picture[p + width] === 0
  );
}
