interface Size {
  readonly width: number;
  readonly height: number;
}

/** Parts that are smaller than this part of the largest one are specks. */
const SPECK = 0.1;

/** Of a picture of zeros and ones, the parts whose ones touch along sides, without specks, which become zeros. */
export function withoutSpecks(picture: Uint8Array, size: Size): Uint8Array {
  const left = picture.slice();
  const parts: number[][] = [];
  for (let p = 0; p < left.length; p++) if (left[p] === 1) parts.push(take(left, p, size));
  const largest = Math.max(...parts.map((part) => part.length));
  const out = new Uint8Array(picture.length);
  for (const part of parts) {
    if (part.length >= SPECK * largest) for (const p of part) out[p] = 1;
  }
  return out;
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

/** Takes a part of ones out of a picture, which become zeros, and gives their places. */
function take(picture: Uint8Array, from: number, { width, height }: Size): number[] {
  const part = [from];
  picture[from] = 0;
  for (let k = 0; k < part.length; k++) {
    const p = part[k];
    const x = p % width;
    const around = [x > 0 ? p - 1 : p, x < width - 1 ? p + 1 : p, p - width, p + width];
    for (const q of around) {
      if (q < 0 || q >= width * height || picture[q] === 0) continue;
      picture[q] = 0;
      part.push(q);
    }
  }
  return part;
}
