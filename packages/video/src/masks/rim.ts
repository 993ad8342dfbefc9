import { mean as average } from '@gradsim/base';
import type { Size } from '../edit/resize.ts';
import type { PixelLight } from '../frames/color.ts';
import { dilate, erode, isRim, largestWithin, patchesOf } from '../frames/patches.ts';
import type { Region } from '../frames/region.ts';
import type { WorkSteps } from '../steps.ts';
import { coveredFraction } from './unmix.ts';

/** Region of a frame around its objects: colours, background, and which pixels are mostly covered. */
export interface MaskedPicture {
  readonly frame: number;
  readonly region: Region;
  /** 1 where an object covers most of a pixel, or a part of it that is as large as any nearby, else 0. */
  readonly body: Uint8Array;
  readonly light: PixelLight;
  readonly ground: PixelLight;
  /** Distance of each pixel's colour from the background's. */
  readonly backgroundDistance: Float32Array;
  /** 1 deep inside of the body, else 0: fully covered, unless motion blurs the object over more than its width. */
  readonly isDeepInside: Uint8Array;
  /** 1 where a deep pixel is of the body in the frames before and after too: fully covered. */
  readonly steady: Uint8Array;
}

/** Pixels at the edge of fully covered ones, row after row. */
interface EdgePixels {
  /** Column and row of each, and the mean colour of those around, in linear light. */
  readonly pixels: readonly { readonly x: number; readonly y: number; readonly colour: readonly number[] }[];
  /** Index of the first pixel of each row or of one below; one more at the end. */
  readonly starts: readonly number[];
}

/** Objects of a film where they are neither blurred nor at an edge. */
export interface WholeObjects {
  /** Mean colour, in linear light. */
  readonly colour: readonly number[];
  /** Width where they are narrow, px. */
  readonly width: number;
  /**
   * True if their colour tells whether a pixel is fully covered: the steady pixels, which are, count as such by it. False for
   * things of several colours, and grey ones before grey, whose shaded side is as a mixture with the background.
   */
  readonly isPlain: boolean;
}

/**
 * Distances from the rim of the mostly covered pixels at which a pixel is deep inside, px, tried in this order: the
 * smaller ones only for regions without pixels so deep inside.
 */
const INSIDE_DEPTHS = [3, 2, 1];
/**
 * Standard deviation of the Gaussian weight of a colour from inside the object, px, over how much farther its pixel is
 * than the nearest one.
 */
const RIM_WIDTH = 1.5;
/** Covered fraction of a pixel below which it counts as noise, and is set to 0. */
const MIN_FRACTION = 0.04;

/** Marks pixels deep inside of each region of a body with ones. */
export function deepInside(body: Uint8Array, size: Size): Uint8Array {
  const picture = new Uint8Array(body.length);
  let left = patchesOf(body, size);
  for (const depth of INSIDE_DEPTHS) {
    if (left.length === 0) break;
    const inside = erode(body, size, depth);
    const isDeep = (p: number): boolean => inside[p] === 1;
    for (const p of left.flat()) if (isDeep(p)) picture[p] = 1;
    left = left.filter((patch) => !patch.some(isDeep));
  }
  return picture;
}

/** Finds the pixels at the edge of fully covered ones. */
function edgeOf(whole: Uint8Array, light: PixelLight, size: Size): EdgePixels {
  const pixels: { x: number; y: number; colour: number[] }[] = [];
  const starts: number[] = [];
  for (let p = 0; p < whole.length; p++) {
    if (p % size.width === 0) starts.push(pixels.length);
    if (whole[p] === 0 || !isRim(whole, p, size)) continue;
    const x = p % size.width;
    const around = [p, x > 0 ? p - 1 : p, x < size.width - 1 ? p + 1 : p, p - size.width, p + size.width];
    const colours = around.filter((q) => whole[q] === 1).map(light);
    pixels.push({ x, y: Math.floor(p / size.width), colour: mean(colours) });
  }
  return { pixels, starts: [...starts, pixels.length] };
}

/** Number of steady pixels for each that is asked whether the colour tells that it is fully covered. */
const STEADY_STRIDE = 16;

/**
 * Finds the colour and width of objects where they are at rest or slow enough. If they nowhere are, the colour is that of the
 * mostly covered pixels that are farthest from the background. Undefined if no frame has an object.
 */
export function* wholeObjects(pictures: () => Iterable<MaskedPicture>): WorkSteps<WholeObjects | undefined> {
  const steadyPixels: { readonly seen: readonly number[]; readonly behind: readonly number[] }[] = [];
  const far: { readonly distance: number; readonly colour: readonly number[] }[] = [];
  let sums: number[] | undefined;
  let [edges, pixels, widths, narrowest] = [0, 0, 0, Number.POSITIVE_INFINITY];
  for (const picture of pictures()) {
    const { body, steady, light, ground, region, backgroundDistance } = picture;
    for (const { colour } of edgeOf(steady, light, region).pixels) {
      sums = sums ? sums.map((sum, c) => sum + colour[c]) : [...colour];
      edges++;
    }
    const covered: number[] = [];
    let [rim, slow] = [0, 0];
    for (let p = 0; p < body.length; p++) {
      if (body[p] === 0) continue;
      covered.push(p);
      rim += Number(isRim(body, p, region));
      if (steady[p] === 1 && slow++ % STEADY_STRIDE === 0) steadyPixels.push({ seen: light(p), behind: ground(p) });
    }
    const width = (2 * covered.length) / rim;
    narrowest = Math.min(narrowest, width);
    pixels += slow;
    widths += slow * width;
    if (!sums)
      for (const p of farthestFifth(covered, (k) => backgroundDistance[k]))
        far.push({ distance: backgroundDistance[p], colour: light(p) });
    yield;
  }
  if (sums) {
    const colour = sums.map((sum) => sum / edges);
    const parts = steadyPixels.map(({ seen, behind }) => coveredFraction(seen, colour, behind).fraction);
    return { colour, width: widths / pixels, isPlain: average(parts) > MIN_PLAIN };
  }
  if (far.length === 0) return undefined;
  return {
    colour: mean(farthestFifth(far, ({ distance }) => distance).map(({ colour }) => colour)),
    width: narrowest,
    isPlain: false,
  };
}

/** The fifth of all with the largest distances. */
const farthestFifth = <T>(all: readonly T[], distanceOf: (one: T) => number): T[] =>
  all.toSorted((a, b) => distanceOf(b) - distanceOf(a)).slice(0, Math.ceil(all.length / 5));

/** Distance of a colour from those between an object's and the background's, relative to theirs, up to which it is a mixture. Judged. */
const MAX_OFF_MIXTURE = 0.15;
/** Covered fraction from which a pixel is fully covered: its rest is shading and noise. Judged. */
const FULLY = 0.97;
/** Mean of the fractions that a film's own colour gives for fully covered pixels, above which it tells these. Judged. */
const MIN_PLAIN = 0.98;

/**
 * Marks fully covered pixels with ones: steady ones, and other deep ones that are no mixture of the object's colour and the
 * background's, as motion blur makes them. Where colours do not tell, shade looks like a mixture; then a pixel is one only if
 * none as near as the object is wide has the object's own brightness.
 */
function fullyCovered(picture: MaskedPicture, { colour, width, isPlain }: WholeObjects): Uint8Array {
  const { body, isDeepInside, steady, light, ground, region } = picture;
  if (isDeepInside.every((value, p) => value === steady[p])) return isDeepInside;
  const fixed = Float32Array.from(body, (value, p) =>
    value === 0 ? 0 : coveredFraction(light(p), colour, ground(p)).fractionAtFixedBrightness,
  );
  const most = isPlain ? fixed : largestWithin(fixed, region, Math.ceil(2 * width));
  return isDeepInside.map((value, p) => {
    if (value === 0 || steady[p] === 1 || most[p] >= FULLY) return value;
    const [seen, behind] = [light(p), ground(p)];
    let [off, span] = [0, 0];
    for (let c = 0; c < colour.length; c++) {
      off += (seen[c] - behind[c] - fixed[p] * (colour[c] - behind[c])) ** 2;
      span += (colour[c] - behind[c]) ** 2;
    }
    return off > MAX_OFF_MIXTURE ** 2 * span ? 1 : 0;
  });
}

/**
 * Writes the covered fraction of every pixel, and returns the relative uncertainty of their sum. All fractions are 0
 * before.
 */
export function writeFractions(
  picture: MaskedPicture,
  objects: WholeObjects,
  rimDistance: number,
  target: Float32Array,
): number {
  const { body, light, ground, region: size } = picture;
  const whole = fullyCovered(picture, objects);
  const edge = edgeOf(objects.isPlain ? picture.steady : whole, light, size);
  let [area, rigidArea] = [0, 0];
  dilate(body, size, rimDistance).forEach((isNear, p) => {
    if (isNear === 0) return;
    if (whole[p] === 1) {
      target[p] = 1;
      area++;
      rigidArea++;
      return;
    }
    const colour = colourInsideNear(edge, p % size.width, Math.floor(p / size.width), rimDistance) ?? objects.colour;
    const { fraction: part, fractionAtFixedBrightness: rigid } = coveredFraction(light(p), colour, ground(p));
    target[p] = part < MIN_FRACTION ? 0 : part;
    area += target[p];
    rigidArea += rigid < MIN_FRACTION ? 0 : rigid;
  });
  return area > 0 ? Math.abs(area - rigidArea) / area : 0;
}

/**
 * Returns the weighted mean of the colours inside the object nearest to a pixel; undefined if they are so far away that
 * they are of another object.
 */
function colourInsideNear({ pixels, starts }: EdgePixels, x: number, y: number, reach: number): number[] | undefined {
  /** Pixels of the rows that are no farther than a distance. */
  const within = (distance: number): readonly [from: number, to: number] => [
    starts[Math.max(0, y - Math.floor(distance))],
    starts[Math.min(starts.length - 1, y + Math.floor(distance) + 1)],
  ];
  const most = reach + 2 * INSIDE_DEPTHS[0];
  let least = Number.POSITIVE_INFINITY;
  const [from, to] = within(most);
  for (let k = from; k < to; k++) {
    const [across, down] = [pixels[k].x - x, pixels[k].y - y];
    const square = across * across + down * down;
    if (square < least) least = square;
  }
  const nearest = Math.sqrt(least);
  if (nearest > most) return undefined;
  const colour = pixels[0].colour.map(() => 0);
  let total = 0;
  // Most of an edge is far away, which its squares tell sooner.
  const far = (nearest + 4 * RIM_WIDTH + 1e-6) ** 2;
  const [first, last] = within(nearest + 4 * RIM_WIDTH);
  for (let k = first; k < last; k++) {
    const e = pixels[k];
    const across = e.x - x;
    const down = e.y - y;
    if (across * across + down * down > far) continue;
    const beyond = Math.hypot(across, down) - nearest;
    if (beyond > 4 * RIM_WIDTH) continue;
    const weight = Math.exp(-((beyond / RIM_WIDTH) ** 2) / 2);
    total += weight;
    for (let c = 0; c < colour.length; c++) colour[c] += weight * e.colour[c];
  }
  return colour.map((sum) => sum / total);
}

function mean(colours: readonly (readonly number[])[]): number[] {
  return colours[0].map((_, c) => colours.reduce((sum, colour) => sum + colour[c], 0) / colours.length);
}
