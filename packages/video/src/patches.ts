import type { Size } from './resize.ts';

/** Ones where a value is above another, or equal to it. */
export function above(values: Float32Array, level: number): Uint8Array {
  const picture = new Uint8Array(values.length);
  for (let p = 0; p < values.length; p++) if (values[p] >= level) picture[p] = 1;
  return picture;
}

/** Places of the ones of a picture that are connected along sides, patch by patch, in the order of their first pixels. */
export function patchesOf(picture: Uint8Array, size: Size): number[][] {
  const left = picture.slice();
  const patches: number[][] = [];
  for (let p = 0; p < left.length; p++) if (left[p] === 1) patches.push(take(left, p, size));
  return patches;
}

/** The picture with ones for all zeros from which no way over zeros leads to its border. */
export function withoutHoles(picture: Uint8Array, size: Size): Uint8Array {
  const { width, height } = size;
  const outside = picture.map((value) => 1 - value);
  for (let p = 0; p < outside.length; p++) {
    const [x, y] = [p % width, Math.floor(p / width)];
    const isBorder = x === 0 || y === 0 || x === width - 1 || y === height - 1;
    if (isBorder && outside[p] === 1) take(outside, p, size);
  }
  // What was not taken are holes.
  return picture.map((value, p) => value | outside[p]);
}

/** Takes a patch of ones out of a picture, which become zeros, and gives their places. */
function take(picture: Uint8Array, from: number, { width }: Size): number[] {
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

/** Ones wherever a one is no further than a radius. */
export function grown(picture: Uint8Array, size: Size, radius: number): Uint8Array {
  const out = picture.slice();
  for (let p = 0; p < picture.length; p++) {
    if (picture[p] === 1 && isRim(picture, p, size)) eachWithin(p, size, radius, (q) => (out[q] = 1));
  }
  return out;
}

/** Ones wherever no zero is nearer than a radius; what is outside of the picture does not count. */
export function shrunk(picture: Uint8Array, size: Size, radius: number): Uint8Array {
  return grown(
    picture.map((value) => 1 - value),
    size,
    radius,
  ).map((value) => 1 - value);
}

/** Visits the pixels within a radius of one, itself included. */
export function eachWithin(p: number, { width, height }: Size, radius: number, visit: (q: number) => void): void {
  const [x, y] = [p % width, Math.floor(p / width)];
  const whole = Math.floor(radius);
  for (let v = Math.max(y - whole, 0); v <= Math.min(y + whole, height - 1); v++) {
    for (let u = Math.max(x - whole, 0); u <= Math.min(x + whole, width - 1); u++) {
      if ((u - x) ** 2 + (v - y) ** 2 <= radius * radius) visit(v * width + u);
    }
  }
}

/** Whether a pixel has a zero beside it. */
export function isRim(picture: Uint8Array, p: number, { width }: Size): boolean {
  const x = p % width;
  return (
    (x > 0 && picture[p - 1] === 0) ||
    (x < width - 1 && picture[p + 1] === 0) ||
    picture[p - width] === 0 ||
    picture[p + width] === 0
  );
}
