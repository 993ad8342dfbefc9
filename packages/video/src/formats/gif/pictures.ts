import type { GifImage, GifParts } from './parts.ts';

/** Maximum number of entries of the LZW table: codes have at most 12 bits. */
const MAX_CODES = 4096;

/**
 * Yields the pictures of a GIF in order, each its image drawn over what the previous ones left: red, green, blue, alpha
 * from 0 to 255 of every pixel, row by row. The array is reused for the next picture.
 *
 * @throws Error with the frame whose data is damaged or too short for its pixels; its message is the reason alone, to
 * which the caller adds the file and a code.
 */
export function* gifPictures({ width, height, images }: GifParts): Generator<Uint8Array> {
  const canvas = new Uint8Array(4 * width * height);
  for (const [number, image] of images.entries()) {
    const before = image.disposal === 3 ? canvas.slice() : undefined;
    draw(image, indicesOf(image, number), canvas, width, number);
    yield canvas;
    if (before) canvas.set(before);
    else if (image.disposal === 2) clear(image, canvas, width);
  }
}

function draw(image: GifImage, indices: Uint8Array, canvas: Uint8Array, width: number, number: number): void {
  const { colours, transparent } = image;
  const rows = image.isInterlaced ? interlacedRows(image.height) : undefined;
  let p = 0;
  for (let r = 0; r < image.height; r++) {
    const row = rows ? rows[r] : r;
    let o = 4 * ((image.top + row) * width + image.left);
    for (let x = 0; x < image.width; x++, p++, o += 4) {
      const index = indices[p];
      if (index === transparent) continue;
      if (3 * index >= colours.length) throw new Error(`frame ${number} uses colour ${index} of ${colours.length / 3}`);
      canvas[o] = colours[3 * index];
      canvas[o + 1] = colours[3 * index + 1];
      canvas[o + 2] = colours[3 * index + 2];
      canvas[o + 3] = 255;
    }
  }
}

function clear({ left, top, width: across, height }: GifImage, canvas: Uint8Array, width: number): void {
  for (let y = top; y < top + height; y++) canvas.fill(0, 4 * (y * width + left), 4 * (y * width + left + across));
}

/**
 * Returns the row numbers in the order in which an interlaced GIF stores them: every eighth from 0, every eighth from
 * 4, every fourth from 2, and every second from 1.
 */
function interlacedRows(height: number): number[] {
  const passes = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ];
  return passes.flatMap(([first, step]) =>
    Array.from({ length: Math.max(0, Math.ceil((height - first) / step)) }, (_, k) => first + k * step),
  );
}

/** Decodes the colour indices of all pixels: LZW with codes of growing length (appendix F of the format). */
function indicesOf({ width, height, codeSize, data }: GifImage, number: number): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const [clearCode, endCode] = [2 ** codeSize, 2 ** codeSize + 1];
  // Each code stands for that of a shorter string plus one colour.
  const prefix = new Int16Array(MAX_CODES);
  const last = new Uint8Array(MAX_CODES);
  const lengths = new Uint16Array(MAX_CODES);
  for (let code = 0; code < clearCode; code++) {
    last[code] = code;
    lengths[code] = 1;
  }
  let [next, bits, previous] = [endCode + 1, codeSize + 1, -1];
  let [held, holds, filled] = [0, 0, 0];
  let at = 0;
  while (filled < pixels.length) {
    while (holds < bits) {
      if (at === data.length) throw new Error(`frame ${number} has data for ${filled} of its ${pixels.length} pixels`);
      held |= data[at++] << holds;
      holds += 8;
    }
    const code = held & (2 ** bits - 1);
    held >>>= bits;
    holds -= bits;
    if (code === clearCode) {
      [next, bits, previous] = [endCode + 1, codeSize + 1, -1];
      continue;
    }
    if (code === endCode) throw new Error(`frame ${number} ends after ${filled} of its ${pixels.length} pixels`);
    if (code > next || (code === next && previous < 0) || (previous < 0 && code > endCode))
      throw new Error(`frame ${number} has the code ${code}, which stands for nothing yet`);
    if (previous >= 0 && next < MAX_CODES) {
      prefix[next] = previous;
      last[next] = firstOf(code === next ? previous : code, prefix, lengths, last);
      lengths[next] = lengths[previous] + 1;
      next++;
      if (next === 2 ** bits && bits < 12) bits++;
    } else if (code >= next) {
      throw new Error(`frame ${number} has the code ${code}, which stands for nothing yet`);
    }
    // From its end to its beginning; pixels beyond the picture are dropped.
    const length = lengths[code];
    for (let k = length - 1, c = code; k >= 0; k--, c = prefix[c])
      if (filled + k < pixels.length) pixels[filled + k] = last[c];
    filled += length;
    previous = code;
  }
  return pixels;
}

function firstOf(code: number, prefix: Int16Array, lengths: Uint16Array, last: Uint8Array): number {
  let c = code;
  while (lengths[c] > 1) c = prefix[c];
  return last[c];
}
