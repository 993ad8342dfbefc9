import type { Size } from '../edit/resize.ts';
import type { PixelLight } from '../frames/color.ts';
import { dilate, erode, isRim, patchesOf } from '../frames/patches.ts';
import type { Region } from '../frames/region.ts';
import type { WorkSteps } from '../steps.ts';
import { coveredFraction } from './unmix.ts';

/** Region of a frame around its objects: colours, background, and which pixels are mostly and fully covered. */
export interface MaskedPicture {
  readonly frame: number;
  readonly region: Region;
  /** 1 where an object covers most of a pixel, else 0. */
  readonly body: Uint8Array;
  readonly light: PixelLight;
  readonly ground: PixelLight;
  /** Distance of each pixel's colour from the background's. */
  readonly backgroundDistance: Float32Array;
  readonly inside: CoveredPixels;
}

/** Pixels that an object covers fully. */
export interface CoveredPixels {
  /** 1 where a pixel is fully covered, else 0. */
  readonly picture: Uint8Array;
  /**
   * Pixels at the edge of the fully covered ones: column and row, and the mean colour of the fully covered pixels
   * around, in linear light.
   */
  readonly edge: readonly { readonly x: number; readonly y: number; readonly colour: readonly number[] }[];
}

/**
 * Distances from the rim of the mostly covered pixels at which a pixel is fully covered, px, tried in this order: the
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

/** Finds the fully covered pixels of a region, and the colours along their edge. */
export function coveredPixels(body: Uint8Array, light: PixelLight, size: Size): CoveredPixels {
  const picture = deepInside(body, size);
  const edge: { x: number; y: number; colour: number[] }[] = [];
  for (let p = 0; p < picture.length; p++) {
    if (picture[p] === 0 || !isRim(picture, p, size)) continue;
    const x = p % size.width;
    const around = [p, x > 0 ? p - 1 : p, x < size.width - 1 ? p + 1 : p, p - size.width, p + size.width];
    const colours = around.filter((q) => picture[q] === 1).map(light);
    edge.push({ x, y: Math.floor(p / size.width), colour: mean(colours) });
  }
  return { picture, edge };
}

function deepInside(body: Uint8Array, size: Size): Uint8Array {
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

/**
 * Returns the colour of objects, for places without fully covered pixels nearby, as where the object is small or
 * blurred: the mean over all frames of the colours along edges; if there are none, the mean of the fifth of mostly
 * covered pixels farthest from the background. Undefined if no frame has an object.
 */
export function* meanObjectColour(pictures: () => Iterable<MaskedPicture>): WorkSteps<number[] | undefined> {
  return (
    (yield* meanOver(pictures(), ({ inside }) => inside.edge.map(({ colour }) => colour))) ??
    (yield* meanOver(pictures(), ({ body, light, backgroundDistance: away }) => {
      const pixels = Array.from(body.keys())
        .filter((p) => body[p] === 1)
        .sort((a, b) => away[b] - away[a]);
      return pixels.slice(0, Math.ceil(pixels.length / 5)).map(light);
    }))
  );
}

/** Mean of the colours in all pictures; undefined if there are none. */
function* meanOver(
  pictures: Iterable<MaskedPicture>,
  coloursOf: (picture: MaskedPicture) => readonly (readonly number[])[],
): WorkSteps<number[] | undefined> {
  let sums: number[] | undefined;
  let count = 0;
  for (const picture of pictures) {
    for (const colour of coloursOf(picture)) {
      sums = sums ? sums.map((sum, c) => sum + colour[c]) : [...colour];
      count++;
    }
    yield;
  }
  return sums?.map((sum) => sum / count);
}

/**
 * Writes the covered fraction of every pixel, and returns the relative uncertainty of their sum. All fractions are 0
 * before.
 */
export function writeRimFractions(
  picture: MaskedPicture,
  defaultColour: readonly number[],
  reach: number,
  into: Float32Array,
): number {
  const { body, light, ground, region: size, inside } = picture;
  let [area, rigidArea] = [0, 0];
  dilate(body, size, reach).forEach((isNear, p) => {
    if (isNear === 0) return;
    if (inside.picture[p] === 1) {
      into[p] = 1;
      area++;
      rigidArea++;
      return;
    }
    const colour = colourInsideNear(inside, p % size.width, Math.floor(p / size.width), reach) ?? defaultColour;
    const { fraction: part, fractionAtFixedBrightness: rigid } = coveredFraction(light(p), colour, ground(p));
    into[p] = part < MIN_FRACTION ? 0 : part;
    area += into[p];
    rigidArea += rigid < MIN_FRACTION ? 0 : rigid;
  });
  return area > 0 ? Math.abs(area - rigidArea) / area : 0;
}

/**
 * Returns the weighted mean of the colours inside the object nearest to a pixel; undefined if they are so far away that
 * they are of another object.
 */
function colourInsideNear({ edge }: CoveredPixels, x: number, y: number, reach: number): number[] | undefined {
  let least = Number.POSITIVE_INFINITY;
  for (const e of edge) {
    const across = e.x - x;
    const down = e.y - y;
    const square = across * across + down * down;
    if (square < least) least = square;
  }
  const nearest = Math.sqrt(least);
  if (nearest > reach + 2 * INSIDE_DEPTHS[0]) return undefined;
  const colour = edge[0].colour.map(() => 0);
  let total = 0;
  // Most of an edge is far away, which its squares tell sooner.
  const far = (nearest + 4 * RIM_WIDTH + 1e-6) ** 2;
  for (const e of edge) {
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
