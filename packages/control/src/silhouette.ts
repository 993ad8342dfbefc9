import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { upperMedian } from '@gradsim/numeric';
import type { GoalImage } from './goal-image.ts';

/** A colour picture, as returned by `readFrames` of `@gradsim/video`: [y][x][channel], in [0, 1]. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Number of channels: 3, or 4 with opacity. */
  readonly channels: number;
  readonly data: ArrayLike<number>;
}

export interface SilhouetteOptions {
  /**
   * Minimum colour difference from the background of a covered pixel, in any of red, green and blue, in [0, 1].
   * Default: half of that of the tenth of pixels that differ most, so that outlines lie in the middle of soft edges.
   */
  readonly threshold?: number;
  /** Name of the picture in messages and losses: its file. */
  readonly name?: string;
}

const OPTIONS = { threshold: true, name: true };

/** Largest difference of a channel, in [0, 1], up to which colours are equal, because of rounding or compression. */
const SAME = 0.04;
/** Quantile of the difference among pixels that differ from the background: that of the clearest ones. */
const CLEAR = 0.9;
/** Minimum fraction of border pixels that have the colour of a plain background. */
const PLAIN = 0.75;

/**
 * Extracts the silhouette in front of a plain background, as the goal of a run: another renderer, or a photograph, has
 * other colours and other light, while outlines are the same. The ground has the colour that most of the picture's
 * border has; of a picture with opacity that is the silhouette.
 *
 * ```ts
 * const image = silhouetteOf(await readFrames('goal.png', { frameRate: 1, size: { width, height } }));
 * const losses = [goalImages(model, { images: [{ frame: frames - 1, image }] })];
 * ```
 * @throws for a picture with no plain ground, one in which nothing is before it, and values that do not fit its size.
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
    throw new GradsimError('control/option-out-of-range', `The threshold of a silhouette is ${threshold}.`, {
      hint: 'It must be above 0 and below 1.',
    });
  const differences = channels === 4 && hasOpacity(picture) ? opacityOf(picture) : fromGround(what, picture);
  const differing = differences.filter((d) => d > SAME).sort();
  if (differing.length === 0)
    throw new GradsimError('control/nothing-shown', `${what} shows nothing before its ground.`);
  const from = threshold ?? differing[Math.floor(CLEAR * differing.length)] / 2;
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

/** Returns each pixel's colour difference from the background, in the channel where it is largest. */
function fromGround(what: string, picture: Picture): Float64Array {
  const { width, height, channels, data } = picture;
  const border = pixelsOf(picture).filter(
    (k) => k < width || k >= width * (height - 1) || k % width === 0 || k % width === width - 1,
  );
  const ground = [0, 1, 2].map((c) => upperMedian(border.map((k) => data[k * channels + c])));
  const off = (k: number): number => Math.max(...ground.map((value, c) => Math.abs(data[k * channels + c] - value)));
  const plain = border.filter((k) => off(k) <= SAME).length / border.length;
  if (plain < PLAIN)
    throw new GradsimError(
      'control/no-plain-ground',
      `${what} has no plain ground: ${Math.round(100 * plain)} % of its border have one colour, and ${100 * PLAIN} % must.`,
      { hint: 'Give one that has, or one with opacity.' },
    );
  return Float64Array.from(pixelsOf(picture), off);
}
