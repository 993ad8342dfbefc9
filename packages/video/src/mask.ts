import { GradsimError, refuseUnknownOptions } from '@gradsim/kernel';
import { lightOf, type Transfer } from './color.ts';
import { colourDistance, departure } from './departure.ts';

import { createFrames, type Frames, frameAt, frameCount } from './frames.ts';
import { chooseLevels, type Levels } from './levels.ts';
import { refuseNoNumber } from './options.ts';
import { above, boundsOf, cutOut, eachWithin, patchesOf, withoutHoles } from './patches.ts';
import type { Size } from './resize.ts';
import { coverRim, insideOf, type Picture, usualColour } from './rim.ts';

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
  reach?: number;
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
const SPECK = 0.05;
/** Minimum number of pixels of a region; smaller ones are removed. */
const FEWEST = 4;
/**
 * Distance of a pixel's colour from the background's, as a fraction of the largest such distance nearby, above which
 * the pixel counts as mostly covered.
 */
const PARTLY = 0.45;
/** Radius around a pixel within which the largest distance of a colour from the background's is searched, px. */
const AROUND = 3;

/**
 * Masks of what moves before a still background: the fraction of each pixel that an object covers. Pixels along an
 * object's edge, blurred by motion or the lens, count in proportion, whatever the shading of the object and the shadows
 * around it. The colours of an object are taken from just inside its edge.
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
  refuseUnknownOptions('objectMasks', options, { shadows: true, transfer: true, reach: true });
  const { shadows = true, transfer = 'bt709', reach = 5 } = options;
  refuseNoNumber('objectMasks', { reach });
  if (typeof shadows !== 'boolean')
    throw new GradsimError('video/unknown-choice', `objectMasks: shadows is ${JSON.stringify(shadows)}.`, {
      field: 'shadows',
      hint: 'It must be true or false.',
    });
  const distance = shadows ? departure(frames, background) : colourDistance(frames, background);
  const levels = chooseLevels(distance);
  const count = frameCount(frames);
  const bodies = withoutSpecks(
    Array.from({ length: count }, (_, f) => surely(frameAt(distance, f), frames, levels)),
    frames,
  );
  const { channels } = frames;
  // Beyond the reach of a frame's objects nothing has to be examined.
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

/**
 * Marks mostly covered pixels with ones: those nearly as far from the background in colour as the farthest pixel
 * nearby.
 */
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

/** Removes regions that are small compared with the largest region in any frame. */
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
