import { GradsimError, refuseUnknownOptions } from '@gradsim/base';
import { checkBackground } from '../background/check.ts';

import { type Frames, frameCount, regionAt, valuesInRegion } from '../frames/frames.ts';
import { runSteps, type WorkSteps } from '../steps.ts';
import { masksOf, writePart } from './write-part.ts';

/**
 * Fraction of every pixel that an object of a known colour covers, also where motion or the lens blurs it. A pixel of
 * which a fraction `a` is covered shows `(1 - a) background + a colour`, so `a` is found by projecting the pixel's
 * colour on the line between both colours, clamped to [0, 1]. It is faded to 0 for colours whose distance from that
 * line is between one and two tolerances. Exact in linear light, approximate in stored values.
 *
 * @param background one frame of the same size, from {@link medianBackground} or a clean plate.
 * @param colour red, green, blue of the object, in the values of the film.
 * @param tolerance distance from the line up to which a colour belongs to the object, in values of [0, 1]. Default
 * 0.12.
 * @returns one channel, 0 for background to 1 for object.
 *
 * @example
 * const ball = coverageMasks(film, medianBackground(film), [0.9, 0.36, 0.29]);
 *
 * @throws GradsimError when the background has another size, or the colour another number of values than the film.
 */
export function coverageMasks(
  frames: Frames,
  background: Frames,
  colour: readonly number[],
  options: { tolerance?: number } = {},
): Frames {
  return runSteps(coverageSteps(frames, background, colour, options));
}

/** Does the work of {@link coverageMasks} in steps, for `runStepsWithPauses`. */
export function* coverageSteps(
  frames: Frames,
  background: Frames,
  colour: readonly number[],
  { tolerance = 0.12, ...others }: { tolerance?: number } = {},
): WorkSteps<Frames> {
  refuseUnknownOptions('coverageMasks', others, { tolerance: true });
  checkBackground(frames, background);
  const colours = Math.min(frames.channels, 3);
  if (colour.length !== colours || !(tolerance > 0)) {
    throw new GradsimError(
      'video/option-out-of-range',
      `coverageMasks needs a colour of ${colours} values and a positive tolerance, not ${colour.length} values and the tolerance ${tolerance}.`,
    );
  }
  const masks = masksOf(frames, 0);
  for (let f = 0; f < frameCount(frames); f++) {
    const region = regionAt(frames, f);
    if (region) {
      const [picture, plate] = [valuesInRegion(frames, f, region), valuesInRegion(background, 0, region)];
      writePart(masks, f, region, coverageOf({ picture, plate, channels: frames.channels }, colour, tolerance));
    }
    yield;
  }
  return masks;
}

function coverageOf(
  { picture, plate, channels }: { picture: Float32Array; plate: Float32Array; channels: number },
  colour: readonly number[],
  tolerance: number,
): Float32Array {
  const colours = Math.min(channels, 3);
  const mask = new Float32Array(picture.length / channels);
  for (let i = 0; i < mask.length; i++) {
    const at = i * channels;
    let along = 0;
    let span = 0;
    let square = 0;
    for (let c = 0; c < colours; c++) {
      const ground = plate[at + c];
      const difference = picture[at + c] - ground;
      along += difference * (colour[c] - ground);
      span += (colour[c] - ground) ** 2;
      square += difference * difference;
    }
    if (span === 0) continue;
    const part = along / span;
    const off = Math.sqrt(Math.max(0, square - part * along)) / tolerance;
    mask[i] = Math.min(Math.max(part, 0), 1) * Math.min(Math.max(2 - off, 0), 1);
  }
  return mask;
}
