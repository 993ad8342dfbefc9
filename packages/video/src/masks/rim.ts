import { mean as average } from '@gradsim/base';
import type { Size } from '../edit/resize.ts';
import { dilate, erode, isRim, largestWithin, patchesOf } from '../frames/patches.ts';
import type { Region } from '../frames/region.ts';
import type { WorkSteps } from '../steps.ts';
import { EdgeColours, type RegionLight } from './edge-colours.ts';
import { coveredFraction } from './unmix.ts';

/** Region of a frame around its objects, and which of its pixels are mostly covered. */
export interface MaskedShape {
  readonly frame: number;
  readonly region: Region;
  /** 1 where an object covers most of a pixel, or a part of it that is as large as any nearby, else 0. */
  readonly body: Uint8Array;
  /** Distance of each pixel's colour from the background's. */
  readonly backgroundDistance: Float32Array;
  /** 1 deep inside of the body, else 0: fully covered, unless motion blurs the object over more than its width. */
  readonly isDeepInside: Uint8Array;
  /** 1 where a deep pixel is of the body in the frames before and after too: fully covered. */
  readonly steady: Uint8Array;
}

/** Such a region, with its light and the background's. */
export interface MaskedPicture extends MaskedShape {
  readonly light: RegionLight;
  readonly ground: RegionLight;
}

/** Objects of a film where they are neither blurred nor at an edge. */
export interface WholeObjects {
  /** Mean colour, in linear light. */
  readonly colour: Float64Array;
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
/** Depth of pixels deep inside a narrow part of a region, and their least distance from deeper ones, px. Judged. */
const [NARROW_DEPTH, NARROW_DISTANCE] = [2, 6];
/** Covered fraction of a pixel below which it counts as noise, and is set to 0. */
const MIN_FRACTION = 0.04;

/** Marks pixels deep inside of each region of a body with ones, and those of its narrow parts, such as a side seen obliquely. */
export function deepInside(body: Uint8Array, size: Size): Uint8Array {
  const picture = new Uint8Array(body.length);
  let left = patchesOf(body, size);
  for (const depth of INSIDE_DEPTHS) {
    const inside = erode(body, size, depth);
    const isDeep = (p: number): boolean => inside[p] === 1;
    if (depth === NARROW_DEPTH) {
      const near = dilate(picture, size, NARROW_DISTANCE);
      for (let p = 0; p < body.length; p++) if (isDeep(p) && near[p] === 0) picture[p] = 1;
    }
    for (const p of left.flat()) if (isDeep(p)) picture[p] = 1;
    left = left.filter((patch) => !patch.some(isDeep));
  }
  return picture;
}

/** Number of steady pixels for each that is asked whether the colour tells that it is fully covered. */
const STEADY_STRIDE = 16;

/**
 * Finds the colour and width of objects where they are at rest or slow enough. If they nowhere are, the colour is that of the
 * mostly covered pixels that are farthest from the background. Undefined if no frame has an object.
 */
export function* wholeObjects(pictures: () => Iterable<MaskedPicture>): WorkSteps<WholeObjects | undefined> {
  const steadyPixels: { readonly seen: Float32Array; readonly behind: Float32Array }[] = [];
  const far: { readonly distance: number; readonly colour: Float32Array }[] = [];
  const sums = new Float64Array(3);
  let [colours, edges, pixels, widths, narrowest] = [0, 0, 0, 0, Number.POSITIVE_INFINITY];
  for (const picture of pictures()) {
    const { body, steady, light, ground, region, backgroundDistance } = picture;
    const edge = new EdgeColours(steady, light, region);
    edge.addTo(sums);
    edges += edge.length;
    const covered: number[] = [];
    let [rim, slow] = [0, 0];
    for (let p = 0; p < body.length; p++) {
      if (body[p] === 0) continue;
      covered.push(p);
      rim += Number(isRim(body, p, region));
      if (steady[p] === 1 && slow++ % STEADY_STRIDE === 0)
        steadyPixels.push({ seen: colourOf(light, p), behind: colourOf(ground, p) });
    }
    const width = (2 * covered.length) / rim;
    narrowest = Math.min(narrowest, width);
    pixels += slow;
    widths += slow * width;
    colours = light.colours;
    if (edges === 0)
      for (const p of farthestFifth(covered, (k) => backgroundDistance[k]))
        far.push({ distance: backgroundDistance[p], colour: colourOf(light, p) });
    yield;
  }
  if (edges > 0) {
    const colour = sums.subarray(0, colours).map((sum) => sum / edges);
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
  const fixed = new Float32Array(body.length);
  for (let p = 0; p < body.length; p++)
    if (body[p] === 1)
      fixed[p] = coveredFraction(light.values, colour, ground.values, p * light.channels).fractionAtFixedBrightness;
  const most = isPlain ? fixed : largestWithin(fixed, region, Math.ceil(2 * width));
  return isDeepInside.map((value, p) => {
    if (value === 0 || steady[p] === 1 || most[p] >= FULLY) return value;
    const at = p * light.channels;
    let [off, span] = [0, 0];
    for (let c = 0; c < colour.length; c++) {
      const behind = ground.values[at + c];
      off += (light.values[at + c] - behind - fixed[p] * (colour[c] - behind)) ** 2;
      span += (colour[c] - behind) ** 2;
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
  const edge = new EdgeColours(objects.isPlain ? picture.steady : whole, light, size);
  const farthest = rimDistance + 2 * INSIDE_DEPTHS[0];
  const near = new Float64Array(light.colours);
  let [area, rigidArea] = [0, 0];
  dilate(body, size, rimDistance).forEach((isNear, p) => {
    if (isNear === 0) return;
    if (whole[p] === 1) {
      target[p] = 1;
      area++;
      rigidArea++;
      return;
    }
    const isOwn = edge.writeNear(p % size.width, Math.floor(p / size.width), farthest, near);
    const colour = isOwn ? near : objects.colour;
    const { fraction, fractionAtFixedBrightness } = coveredFraction(
      light.values,
      colour,
      ground.values,
      p * light.channels,
    );
    target[p] = fraction < MIN_FRACTION ? 0 : fraction;
    area += target[p];
    rigidArea += fractionAtFixedBrightness < MIN_FRACTION ? 0 : fractionAtFixedBrightness;
  });
  return area > 0 ? Math.abs(area - rigidArea) / area : 0;
}

const colourOf = ({ values, channels, colours }: RegionLight, p: number): Float32Array =>
  values.slice(p * channels, p * channels + colours);

function mean(colours: readonly Float32Array[]): Float64Array {
  return Float64Array.from(colours[0], (_, c) => colours.reduce((sum, colour) => sum + colour[c], 0) / colours.length);
}
