import { refuseUnknownOptions } from '@gradsim/kernel';
import { lightOf, type Transfer } from './color.ts';
import { colourDistance, departure } from './departure.ts';
import { VideoError } from './errors.ts';
import { createFrames, type Frames, frameAt, frameCount } from './frames.ts';
import { chooseLevels, type Levels } from './levels.ts';
import { refuseNoNumber } from './options.ts';
import { above, boundsOf, cutOut, eachWithin, patchesOf, withoutHoles } from './patches.ts';
import type { Size } from './resize.ts';
import { coverRim, insideOf, type Picture, usualColour } from './rim.ts';

/** How masks of moving objects are made. */
export interface MaskOptions {
  /**
   * What is the background times one factor for red, green and blue, from half of it up, is a shadow and no object.
   * Switch it off for an object that is grey before grey. Default true.
   */
  shadows?: boolean;
  /** Curve by which light was turned into the film's values. Default `bt709`; `linear` for a film in linear light. */
  transfer?: Transfer;
  /** How many pixels outside of what is surely object parts of it are looked for: motion blur reaches so far. Default 5. */
  reach?: number;
}

/** Masks of moving objects. */
export interface ObjectMasks {
  /** One channel: the part of each pixel that an object covers. */
  readonly masks: Frames;
  /**
   * By frame: how far the area of the masks may be off, as a part of it, because the rim of an object may be shaded and
   * what is around it in shadow. 0 where there is no object.
   */
  readonly areaErrors: Float64Array;
}

/** Patches smaller than this part of the largest one in any frame are specks. */
const SPECK = 0.05;
/** As are those of fewer pixels. */
const FEWEST = 4;
/** A pixel so much nearer to the background than the farthest around it is covered in part. */
const PARTLY = 0.45;
/** How far around. */
const AROUND = 3;

/**
 * Masks of what moves before a still background, with the area that it covers: pixels along the rim, blurred by motion
 * or the lens, count by the part of them that is covered, whatever the shading of the object and the shadows around it.
 * The colours of an object are those just inside of its rim.
 *
 * A part of an object that looks like the background, or like the background in shadow, is seen only where the rest
 * surrounds it.
 *
 * @param background one frame of the same size, from {@link medianBackground} or a clean plate.
 *
 * @example
 * const { masks, areaErrors } = objectMasks(film, medianBackground(film));
 *
 * @throws VideoError when the background has another size, nothing stands out from it, or an option is no number.
 */
export function objectMasks(frames: Frames, background: Frames, options: MaskOptions = {}): ObjectMasks {
  refuseUnknownOptions('objectMasks', options, { shadows: true, transfer: true, reach: true });
  const { shadows = true, transfer = 'bt709', reach = 5 } = options;
  refuseNoNumber('objectMasks', { reach });
  if (typeof shadows !== 'boolean')
    throw new VideoError(`objectMasks: shadows is ${JSON.stringify(shadows)}; it must be true or false.`);
  const distance = shadows ? departure(frames, background) : colourDistance(frames, background);
  const levels = chooseLevels(distance);
  const count = frameCount(frames);
  const bodies = withoutSpecks(
    Array.from({ length: count }, (_, f) => surely(frameAt(distance, f), frames, levels)),
    frames,
  );
  const { channels } = frames;
  // Beyond the reach of what is in a frame there is nothing to look at.
  const margin = Math.max(1, Math.ceil(reach));
  const pictures = bodies.flatMap((whole, frame): Picture[] => {
    const region = boundsOf(whole, frames, margin);
    if (!region) return [];
    const body = cutOut(whole, frames, region);
    const [light, ground] = [frameAt(frames, frame), frameAt(background, 0)].map((picture) =>
      lightOf(cutOut(picture, frames, region, channels), channels, transfer),
    );
    const away = cutOut(frameAt(distance, frame), frames, region);
    return [{ frame, region, body, light, ground, away, inside: insideOf(body, light, region) }];
  });
  const usual = usualColour(pictures);
  const masks = createFrames({ ...frames, channels: 1 }, count);
  const areaErrors = new Float64Array(count);
  for (const picture of usual ? pictures : []) {
    const { frame, region } = picture;
    const covered = new Float32Array(picture.body.length);
    areaErrors[frame] = coverRim(picture, usual!, reach, covered);
    const mask = frameAt(masks, frame);
    for (let y = 0; y < region.height; y++)
      mask.set(covered.subarray(y * region.width, (y + 1) * region.width), (region.y + y) * frames.width + region.x);
  }
  return { masks, areaErrors };
}

/** Ones where a pixel is covered for the most part: as far from the background as what is around it. */
function surely(distance: Float32Array, size: Size, { low, object }: Levels): Uint8Array {
  const far = above(distance, low);
  const body = new Uint8Array(far.length);
  for (const patch of patchesOf(far, size)) {
    // Compression leaves traces around and behind an object, which nowhere come near it in colour.
    if (!patch.some((p) => distance[p] > (low + object) / 2)) continue;
    for (const p of patch) {
      let farthest = 0;
      eachWithin(p, size, AROUND, (q) => {
        if (distance[q] > farthest) farthest = distance[q];
      });
      if (distance[p] > PARTLY * farthest) body[p] = 1;
    }
  }
  return withoutHoles(body, size);
}

/** The pictures without patches that are small beside the largest of all. */
function withoutSpecks(bodies: readonly Uint8Array[], size: Size): Uint8Array[] {
  const patches = bodies.map((body) => patchesOf(body, size));
  const largest = Math.max(0, ...patches.flat().map((patch) => patch.length));
  const fewest = Math.max(FEWEST, SPECK * largest);
  return patches.map((found, f) => {
    const kept = new Uint8Array(bodies[f].length);
    for (const patch of found) if (patch.length >= fewest) for (const p of patch) kept[p] = 1;
    return kept;
  });
}
