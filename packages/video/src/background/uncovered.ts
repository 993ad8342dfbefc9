import { type Frames, frameAt } from '../frames/frames.ts';
import { patchesOf } from '../frames/patches.ts';
import type { Size } from '../frames/size.ts';
import type { WorkSteps } from '../steps.ts';
import { MIN_OBJECT_DISTANCE } from './levels.ts';

/** Number of values between two steps. */
const VALUES_PER_STEP = 1 << 14;
/** Minimum number of frames of a sample in which a pixel has another colour than the median. */
const MIN_FRAMES = 3;
/** Minimum part of the frames in which a pixel has one colour before a moment and another after it. */
const MIN_AGREEMENT = 0.9;
/** Part of the frames from which on another colour counts without such a moment: noise may hide it. */
const MIN_SHARE_WITHOUT_MOMENT = 0.3;
/** Least number of pixels of a place where a thing rests: smaller ones are traces of compression. */
const MIN_PLACE_PIXELS = 16;
/** Pixels between the edge of a place and where colours on either side of it are compared: edges are blurred. */
const COMPARED_OFFSET = 2;
/** Maximum contrast along the edge of an empty place, as a part of that with a thing on it. */
const MAX_CONTRAST_RATIO = 0.6;

/**
 * Colours that pixels have before a moment, or after it, and that are not their medians: of the background, where a thing
 * rests in more than half of the frames, or of a thing that rests in fewer. Writes NaN where there are none.
 *
 * @param views pictures of a sample of frames, in their order.
 * @param median their median over time; changed where it is between two colours that a pixel has in half of the frames each.
 */
export function* findOtherColours(
  views: readonly Float32Array[],
  median: Float32Array,
  channels: number,
  target: Float32Array,
): WorkSteps<void> {
  const colours = Math.min(channels, 3);
  const count = views.length;
  const isAway = new Uint8Array(count);
  const values = new Float32Array(count);
  const write = (colour: Float32Array, at: number, frames: readonly number[]): void => {
    for (let c = at; c < at + channels; c++) {
      frames.forEach((k, i) => {
        values[i] = views[k][c];
      });
      colour[c] = values.subarray(0, frames.length).sort()[frames.length >> 1];
    }
  };
  target.fill(Number.NaN);
  for (let at = 0; at < median.length; at += channels) {
    let away = 0;
    for (let k = 0; k < count; k++) {
      isAway[k] = Number(distance(views[k], at, median, at, colours) > MIN_OBJECT_DISTANCE);
      away += isAway[k];
    }
    const range = away < MIN_FRAMES ? undefined : rangeOf(isAway, away);
    if (range) {
      const all = [...isAway.keys()].filter((k) => isAway[k] === 1 && k >= range[0] && k < range[1]);
      // Around the moment itself the thing may pass.
      const half = Math.max(MIN_FRAMES, all.length >> 1);
      const [early, late] = [all.slice(0, half), all.slice(-half)];
      write(target, at, range[0] > 0 ? late : early);
      // Half of the frames have one colour, half the other: the median is neither.
      if (away >= MIN_AGREEMENT * count) write(median, at, late);
    }
    if (at % VALUES_PER_STEP < channels) yield;
  }
}

/**
 * Frames of a beginning or an end in which a pixel is away from its median, as it is in no others; all, if it is away in many
 * others; undefined if it is in few.
 */
function rangeOf(isAway: Uint8Array, away: number): readonly [from: number, to: number] | undefined {
  const count = isAway.length;
  let best = { agree: MIN_AGREEMENT * count, range: undefined as readonly [number, number] | undefined };
  let before = 0;
  for (let k = 0; k <= count; k++) {
    // Away in the first k frames and only there, or in all others.
    const first = before + (count - k - (away - before));
    if (first >= best.agree && before >= MIN_FRAMES) best = { agree: first, range: [0, k] };
    if (count - first >= best.agree && away - before >= MIN_FRAMES) best = { agree: count - first, range: [k, count] };
    before += k < count ? isAway[k] : 0;
  }
  return best.range ?? (away > MIN_SHARE_WITHOUT_MOMENT * count ? [0, count] : undefined);
}

function distance(a: Float32Array, i: number, b: Float32Array, j: number, colours: number): number {
  let squares = 0;
  for (let c = 0; c < colours; c++) squares += (a[i + c] - b[j + c]) ** 2;
  return Math.sqrt(squares);
}

/**
 * Replaces places of a background where a thing rests by other colours that they have: those of a thing stand out from what
 * is beside them, those of the background go on there. Pixels are decided from the edge of such a place inwards, each by
 * its neighbours, since a thing may wait where another one comes to rest beside it.
 *
 * @param otherColours colours by {@link findOtherColours}, of the same shape.
 * @param minObjectPixels number of pixels of such a place.
 */
export function replaceRestingObjects(
  background: Frames,
  otherColours: Frames,
  minObjectPixels = MIN_PLACE_PIXELS,
): void {
  const { channels } = background;
  const colours = Math.min(channels, 3);
  const [ground, instead] = [frameAt(background, 0), frameAt(otherColours, 0)];
  const median = ground.slice();
  const isOpen = Uint8Array.from({ length: median.length / channels }, (_, p) =>
    Number(!Number.isNaN(instead[p * channels])),
  );
  const isChanged = new Uint8Array(isOpen.length);
  const put = (p: number, from: Float32Array): void => {
    for (let c = p * channels; c < (p + 1) * channels; c++) ground[c] = from[c];
  };
  // The best decided first: those beside pixels that always show some of a thing are in doubt.
  const queue = new PixelHeap();
  const visit = (p: number): void => {
    for (const q of neighbours(p, background)) if (isOpen[q] === 1) queue.push(q, Math.min(...changes(q)));
  };
  /** Mean change of colour from a pixel to its decided neighbours, as it is and with the other colour. */
  const changes = (p: number): readonly [covered: number, empty: number] => {
    let [covered, empty, count] = [0, 0, 0];
    for (const q of neighbours(p, background)) {
      if (isOpen[q] === 1) continue;
      covered += distance(median, p * channels, ground, q * channels, colours);
      empty += distance(instead, p * channels, ground, q * channels, colours);
      count++;
    }
    return [covered / count, empty / count];
  };
  for (let p = 0; p < isOpen.length; p++) if (isOpen[p] === 0) visit(p);
  for (let p = queue.pop(); p !== undefined; p = queue.pop()) {
    if (isOpen[p] === 0) continue;
    const [covered, empty] = changes(p);
    isOpen[p] = 0;
    isChanged[p] = Number(empty < covered);
    if (empty < covered) put(p, instead);
    visit(p);
  }
  for (const patch of patchesOf(isChanged, background)) {
    const [covered, empty] = [median, instead].map((inside) => contrast(patch, inside, background));
    if (patch.length < minObjectPixels || !(empty < MAX_CONTRAST_RATIO * covered))
      for (const p of patch) put(p, median);
  }
}

/** Contrast along the edge of a place between colours inside and those of the background around it, summed over its pixels. */
function contrast(patch: readonly number[], inside: Float32Array, background: Frames): number {
  const { width, channels } = background;
  const outside = frameAt(background, 0);
  const within = new Set(patch);
  let sum = 0;
  for (const p of patch)
    for (const step of [1, -1, width, -width]) {
      const q = p + step;
      if (within.has(q) || !isInPicture(p, q, background)) continue;
      const [behind, beyond] = [p - COMPARED_OFFSET * step, q + COMPARED_OFFSET * step];
      const inner = within.has(behind) && isInPicture(p, behind, background) ? behind : p;
      const outer = !within.has(beyond) && isInPicture(q, beyond, background) ? beyond : q;
      sum += distance(inside, inner * channels, outside, outer * channels, Math.min(channels, 3));
    }
  return sum;
}

const neighbours = (p: number, size: Size): number[] =>
  [p - 1, p + 1, p - size.width, p + size.width].filter((q) => isInPicture(p, q, size));

/** True if a pixel that lies some steps along a row or column from another one is in the picture. */
const isInPicture = (p: number, q: number, { width, height }: Size): boolean =>
  q >= 0 && q < width * height && Math.abs((p % width) - (q % width)) <= COMPARED_OFFSET;

/** Numbers of pixels, of which the one of the lowest rank is taken first. Source: Williams 1964, a binary heap. */
class PixelHeap {
  readonly #pixels: number[] = [];
  readonly #ranks: number[] = [];

  push(pixel: number, rank: number): void {
    let at = this.#pixels.length;
    for (let up = (at - 1) >> 1; at > 0 && this.#ranks[up] > rank; at = up, up = (at - 1) >> 1) this.#put(at, up);
    this.#pixels[at] = pixel;
    this.#ranks[at] = rank;
  }

  pop(): number | undefined {
    const [first] = this.#pixels;
    const [pixel, rank] = [this.#pixels.pop(), this.#ranks.pop()];
    const count = this.#pixels.length;
    if (pixel === undefined || rank === undefined || count === 0) return first;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down + 1 < count && this.#ranks[down + 1] < this.#ranks[down]) down++;
      if (down >= count || this.#ranks[down] >= rank) break;
      this.#put(at, down);
      at = down;
    }
    this.#pixels[at] = pixel;
    this.#ranks[at] = rank;
    return first;
  }

  #put(at: number, from: number): void {
    this.#pixels[at] = this.#pixels[from];
    this.#ranks[at] = this.#ranks[from];
  }
}
