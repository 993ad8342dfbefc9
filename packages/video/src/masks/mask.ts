import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/base';
import { checkBackground } from '../background/check.ts';
import { distanceSteps } from '../background/departure.ts';
import { chooseLevels, type Levels, levelsAboveNoise, MIN_OBJECT_DISTANCE, noiseLevel } from '../background/levels.ts';
import type { Size } from '../edit/resize.ts';
import { linearise, type Transfer } from '../frames/color.ts';
import { type Frames, frameAt, frameCount, pictureInRegion, valuesInRegion } from '../frames/frames.ts';
import { boundsOf, copyRegion, fillHoles, forEachWithin, patchesOf, thresholdMask } from '../frames/patches.ts';
import type { Region } from '../frames/region.ts';
import { TiledFrames } from '../frames/tiled.ts';
import { refuseNoNumber } from '../options.ts';
import { runSteps, type WorkSteps } from '../steps.ts';
import type { RegionLight } from './edge-colours.ts';
import { deepInside, type MaskedPicture, type MaskedShape, wholeObjects, writeFractions } from './rim.ts';
import { EvenSample } from './sample-of.ts';
import { masksOf, writePart } from './write-part.ts';

/** Options of {@link objectMasks}. */
export interface MaskOptions {
  /**
   * True if the background times a common factor of red, green and blue, from 0.5 to 1.1, counts as shadow (or
   * brightening) rather than object. Set it to false for a grey object on a grey background. Default true.
   */
  shadows?: boolean;
  /** Transfer function from linear light to the film's values. Default `bt709`; `linear` for a film in linear light. */
  transfer?: Transfer;
  /**
   * Distance from the mostly covered pixels up to which partly covered ones are searched, px; at least the width of the
   * motion blur. Default 5.
   */
  rimDistance?: number;
}

/** Result of {@link objectMasks}. */
export interface ObjectMasks {
  /** Film of one channel: the fraction of each pixel that an object covers, in [0, 1]. */
  readonly masks: Frames;
  /**
   * Relative uncertainty of the mask's area, per frame, because the edge of an object may be shaded and its
   * surroundings in shadow. 0 where there is no object.
   */
  readonly areaErrors: Float64Array;
}

/** Area of a region, as a fraction of the largest region in any frame, below which it is removed as a speck. */
const MIN_RELATIVE_AREA = 0.05;
/** Minimum number of pixels of a region; smaller ones are removed. */
const MIN_PIXELS = 4;
/**
 * Distance of a pixel's colour from the background's, as a fraction of the largest such distance nearby, above which
 * the pixel counts as mostly covered.
 */
const MOSTLY_COVERED = 0.45;
/** Radius around a pixel within which the largest distance of a colour from the background's is searched, px. */
const SEARCH_RADIUS = 3;
/** Number of pixels of the regions around objects whose shapes are kept; those of further frames are computed again. */
const MOST_KEPT = 3e6;
/** Number of distances by which the levels of a film in tiles are chosen at most: of more, every so many are taken. */
const MOST_DISTANCES = 1 << 22;

/**
 * Masks of what moves before a still background: the fraction of each pixel that an object covers. Pixels along an
 * object's edge, blurred by motion or the lens, count in proportion, whatever the shading of the object and the shadows
 * around it. The colours of an object are taken from just inside its edge, those of what motion blurs over more than its
 * width from frames in which it is slower.
 *
 * A part of an object that looks like the background, or like the background in shadow, is found only where other parts
 * of the object surround it.
 *
 * @param background one frame of the same size, from {@link medianBackground} or a clean plate.
 *
 * @example
 * const { masks, areaErrors } = objectMasks(film, medianBackground(film));
 *
 * @throws GradsimError when the background has another size, nothing differs from it, or an option is no number.
 */
export function objectMasks(frames: Frames, background: Frames, options: MaskOptions = {}): ObjectMasks {
  return runSteps(objectMaskSteps(frames, background, options));
}

/** Does the work of {@link objectMasks} in steps, for `runStepsWithPauses`. */
export function* objectMaskSteps(
  frames: Frames,
  background: Frames,
  options: MaskOptions = {},
): WorkSteps<ObjectMasks> {
  refuseUnknownOptions('objectMasks', options, { shadows: true, transfer: true, rimDistance: true });
  const { shadows = true, transfer = 'bt709', rimDistance = 5 } = options;
  refuseNoNumber('objectMasks', { rimDistance });
  if (typeof shadows !== 'boolean')
    throw new GradsimError('video/unknown-choice', `objectMasks: shadows is ${describeValue(shadows)}.`, {
      field: 'shadows',
      hint: 'It must be true or false.',
    });
  const { awayIn, levels } = yield* differences(frames, background, shadows);
  const count = frameCount(frames);
  // Beyond the reach of a frame's objects nothing has to be examined.
  const bodies = yield* bodiesOf(count, awayIn, levels, Math.max(1, Math.ceil(rimDistance)));
  const { channels } = frames;
  const isBody = (frame: number, x: number, y: number): boolean => {
    const { region, bits } = bodies[frame] ?? {};
    if (!region || !bits) return false;
    const [column, row] = [x - region.x, y - region.y];
    const isInside = column >= 0 && row >= 0 && column < region.width && row < region.height;
    return isInside && bitAt(bits, row * region.width + column) === 1;
  };
  const shapeOf = (frame: number): MaskedShape | undefined => {
    const { region, bits } = bodies[frame] ?? {};
    if (!region || !bits) return undefined;
    const body = unpackBits(bits, region.width * region.height);
    const isDeepInside = deepInside(body, region);
    const steady = isDeepInside.map((value, p) => {
      if (value === 0) return 0;
      const [x, y] = [region.x + (p % region.width), region.y + Math.floor(p / region.width)];
      return isBody(frame - 1, x, y) && isBody(frame + 1, x, y) ? 1 : 0;
    });
    const { region: within, distance } = awayIn(frame)!;
    const part = { ...region, x: region.x - within.x, y: region.y - within.y };
    return { frame, region, body, backgroundDistance: copyRegion(distance, within, part), isDeepInside, steady };
  };
  const lightIn = (film: Frames, frame: number, region: Region): RegionLight => {
    const values = valuesInRegion(film, frame, region).slice();
    linearise(values, channels, transfer);
    return { values, channels, colours: Math.min(channels, 3) };
  };
  const known = new Map<number, MaskedShape | undefined>();
  let room = MOST_KEPT;
  function* pictures(): Iterable<MaskedPicture> {
    for (let frame = 0; frame < count; frame++) {
      const shape = known.has(frame) ? known.get(frame) : shapeOf(frame);
      room -= shape?.body.length ?? 0;
      if (room > 0) known.set(frame, shape);
      if (!shape) continue;
      const { region } = shape;
      yield { ...shape, light: lightIn(frames, frame, region), ground: lightIn(background, 0, region) };
    }
  }
  const objects = yield* wholeObjects(pictures);
  const masks = masksOf(frames, 0);
  const areaErrors = new Float64Array(count);
  for (const picture of objects ? pictures() : []) {
    const { frame, region } = picture;
    const covered = new Float32Array(picture.body.length);
    areaErrors[frame] = writeFractions(picture, objects!, rimDistance, covered);
    writePart(masks, frame, region, covered);
    yield;
  }
  return { masks, areaErrors };
}

/** Distances of the colours of a region from those of the background; outside of it a frame is like the background. */
interface BackgroundDistances {
  readonly region: Region;
  readonly distance: Float32Array;
}

/** Distances by frame, undefined in frames that are like the background; and the levels that divide them. */
function* differences(
  frames: Frames,
  background: Frames,
  shadows: boolean,
): WorkSteps<{ readonly awayIn: (frame: number) => BackgroundDistances | undefined; readonly levels: Levels }> {
  if (!(frames instanceof TiledFrames)) {
    const distance = yield* distanceSteps(frames, background, { shadows });
    const region = { x: 0, y: 0, width: frames.width, height: frames.height };
    return { awayIn: (frame) => ({ region, distance: frameAt(distance, frame) }), levels: chooseLevels(distance) };
  }
  checkBackground(frames, background);
  const { stillPixels: still } = frames;
  const awayIn = (frame: number): BackgroundDistances | undefined => {
    const region = frames.regionOf(frame);
    if (!region) return undefined;
    const [seen, plate] = [pictureInRegion(frames, frame, region), pictureInRegion(background, 0, region)];
    const { data } = runSteps(distanceSteps(seen, plate, { shadows }));
    return { region, distance: data };
  };
  const low = still
    ? noiseLevel(runSteps(distanceSteps(still.frames, still.background, { shadows })))
    : MIN_OBJECT_DISTANCE;
  const sample = new EvenSample(MOST_DISTANCES);
  for (let frame = 0; frame < frames.count; frame++) {
    const away = awayIn(frame);
    if (away) sample.addAbove(low, away.distance);
    yield;
  }
  return { awayIn, levels: levelsAboveNoise(low, sample.values) };
}

/** Region of a frame around its mostly covered pixels, and these as bits. */
interface Body {
  readonly region: Region;
  readonly bits: Uint8Array;
}

/**
 * Mostly covered pixels by frame, without regions that are small compared with the largest in any frame; undefined in frames
 * without any.
 * @param margin width by which a region is larger, px.
 */
function* bodiesOf(
  count: number,
  awayIn: (frame: number) => BackgroundDistances | undefined,
  levels: Levels,
  margin: number,
): WorkSteps<(Body | undefined)[]> {
  const bodies: (Body | undefined)[] = [];
  const sizes: number[][] = [];
  /** Body of a picture at a place in the frame. */
  const cropped = (picture: Uint8Array, at: Region): Body | undefined => {
    const part = boundsOf(picture, at, margin);
    if (!part) return undefined;
    return { region: { ...part, x: at.x + part.x, y: at.y + part.y }, bits: packBits(copyRegion(picture, at, part)) };
  };
  for (let frame = 0; frame < count; frame++) {
    const away = awayIn(frame);
    const body = away && cropped(mostlyCovered(away.distance, away.region, levels), away.region);
    sizes.push(body ? patchesIn(body).map(({ length }) => length) : []);
    bodies.push(body);
    yield;
  }
  let largest = 0;
  for (const own of sizes) for (const size of own) largest = Math.max(largest, size);
  const fewest = Math.max(MIN_PIXELS, MIN_RELATIVE_AREA * largest);
  for (let frame = 0; frame < count; frame++) {
    if (sizes[frame].every((size) => size >= fewest)) continue;
    const body = bodies[frame]!;
    const kept = new Uint8Array(body.region.width * body.region.height);
    for (const patch of patchesIn(body)) if (patch.length >= fewest) for (const p of patch) kept[p] = 1;
    bodies[frame] = cropped(kept, body.region);
    yield;
  }
  return bodies;
}

const patchesIn = ({ region, bits }: Body): number[][] =>
  patchesOf(unpackBits(bits, region.width * region.height), region);

/**
 * Marks mostly covered pixels with ones: those nearly as far from the background in colour as the farthest pixel
 * nearby.
 */
function mostlyCovered(
  distance: Float32Array,
  size: Size,
  { noiseDistance: low, objectDistance: object }: Levels,
): Uint8Array {
  const far = thresholdMask(distance, low);
  const body = new Uint8Array(far.length);
  for (const patch of patchesOf(far, size)) {
    // Compression leaves traces around and behind an object, which nowhere come near it in colour.
    if (!patch.some((p) => distance[p] > (low + object) / 2)) continue;
    for (const p of patch) {
      let farthest = 0;
      forEachWithin(p, size, SEARCH_RADIUS, (q) => {
        if (distance[q] > farthest) farthest = distance[q];
      });
      if (distance[p] > MOSTLY_COVERED * farthest) body[p] = 1;
    }
  }
  return fillHoles(body, size);
}

/** Bits of a picture of zeros and ones, eight pixels a byte. */
function packBits(picture: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(picture.length / 8));
  for (let p = 0; p < picture.length; p++) bits[p >> 3] |= picture[p] << (p & 7);
  return bits;
}

/** Inverse of {@link packBits}. */
function unpackBits(bits: Uint8Array, length: number): Uint8Array {
  const picture = new Uint8Array(length);
  bits.forEach((byte, k) => {
    // Most of a picture is background.
    for (let bit = 0; byte >> bit > 0; bit++) picture[8 * k + bit] = (byte >> bit) & 1;
  });
  return picture;
}

const bitAt = (bits: Uint8Array, p: number): number => (bits[p >> 3] >> (p & 7)) & 1;
