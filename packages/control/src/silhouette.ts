import { upperMedian } from '@gradsim/base';
import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { GoalImage } from './goal-image.ts';

/**
 * A colour picture, as `readFrames` of `@gradsim/video` returns it: flat values in the order [y][x][channel], in [0,
 * 1].
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Number of channels: 3 (red, green, blue), or 4 with opacity. */
  readonly channels: number;
  readonly data: ArrayLike<number>;
}

export interface SilhouetteOptions {
  /**
   * Smallest difference from the background at which a pixel counts as covered: the largest over red, green and blue,
   * in (0, 1); for pictures with opacity, the smallest opacity. Default: half of the 90th percentile of the differences
   * above 0.04, which puts the outline in the middle of soft edges.
   */
  readonly threshold?: number;
  /** Name of the picture in messages and losses: the file name. */
  readonly name?: string;
}

const OPTIONS = { threshold: true, name: true };

/**
 * Largest difference in any colour channel, in [0, 1], at which two colours count as equal despite rounding or
 * compression.
 */
const COLOUR_TOLERANCE = 0.04;
/** Quantile of the differences of the pixels that differ from the background; half of it is the default threshold. */
const OBJECT_QUANTILE = 0.9;
/** Minimum fraction of border pixels that must have the background colour. */
const MIN_BORDER_SHARE = 0.75;

/**
 * Extracts the silhouette of an object in front of a plain background, as the goal of a run. A silhouette is comparable
 * between a simulation and a photograph or another renderer, whose colours and light differ. The background colour is
 * the median colour of the border pixels; of a picture with transparent pixels, the opacity is used instead.
 *
 * ```ts
 * const image = silhouetteOf(await readFrames('goal.png', { frameRate: 1, size: { width, height } }));
 * const losses = [goalImages(model, { images: [{ frame: frames - 1, image }] })];
 * ```
 * @throws for a picture without a plain background or without an object, and for data that do not fit its size.
 */
export function silhouetteOf(picture: Picture, options: SilhouetteOptions = {}): GoalImage {
  refuseUnknownOptions<SilhouetteOptions>('silhouetteOf', options, OPTIONS);
  const { name, threshold } = options;
  const what = name === undefined ? 'The picture' : `The picture ${name}`;
  const { width, height, channels, data } = picture;
  if ((channels !== 3 && channels !== 4) || data.length !== width * height * channels)
    throw new GradsimError(
      'control/wrong-size',
      `${what} has ${data.length} values for ${width} x ${height} pixels of ${channels} channels.`,
      { hint: 'It must be one picture of 3 or 4 channels.' },
    );
  if (threshold !== undefined && !(threshold > 0 && threshold < 1))
    throw new GradsimError(
      'control/option-out-of-range',
      `The threshold of a silhouette is ${describeValue(threshold)}.`,
      {
        hint: 'It must be above 0 and below 1.',
      },
    );
  const differences =
    channels === 4 && hasOpacity(picture) ? opacityOf(picture) : differenceFromBackground(what, picture);
  const differing = differences.filter((d) => d > COLOUR_TOLERANCE).sort();
  if (differing.length === 0)
    throw new GradsimError('control/nothing-shown', `${what} shows nothing before its ground.`);
  const from = threshold ?? differing[Math.floor(OBJECT_QUANTILE * differing.length)] / 2;
  return {
    width,
    height,
    alpha: differences.map((d) => (d >= from ? 1 : 0)),
    ...(name === undefined ? {} : { name }),
  };
}

const pixelsOf = ({ width, height }: Picture): number[] => [...Array(width * height).keys()];

const hasOpacity = (picture: Picture): boolean => pixelsOf(picture).some((k) => picture.data[4 * k + 3] < 1);
const opacityOf = (picture: Picture): Float64Array =>
  Float64Array.from(pixelsOf(picture), (k) => picture.data[4 * k + 3]);

/** Returns each pixel's difference from the background colour: the largest over red, green and blue. */
function differenceFromBackground(what: string, picture: Picture): Float64Array {
  const { width, height, channels, data } = picture;
  const border = pixelsOf(picture).filter(
    (k) => k < width || k >= width * (height - 1) || k % width === 0 || k % width === width - 1,
  );
  const ground = [0, 1, 2].map((c) => upperMedian(border.map((k) => data[k * channels + c])));
  const off = (k: number): number => Math.max(...ground.map((value, c) => Math.abs(data[k * channels + c] - value)));
  const plain = border.filter((k) => off(k) <= COLOUR_TOLERANCE).length / border.length;
  if (plain < MIN_BORDER_SHARE)
    throw new GradsimError(
      'control/no-plain-ground',
      `${what} has no plain ground: ${Math.round(100 * plain)} % of its border have one colour, and ${100 * MIN_BORDER_SHARE} % must.`,
      { hint: 'Give one that has, or one with opacity.' },
    );
  return Float64Array.from(pixelsOf(picture), off);
}
