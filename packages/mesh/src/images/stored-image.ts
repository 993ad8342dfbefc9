import { GradsimError } from '@gradsim/base';

/** Decoded image with values as stored in its file. */
export interface StoredImage {
  readonly width: number;
  readonly height: number;
  /** Values from 0 to `maxValue`, row by row from the top, `channels` per pixel. */
  readonly values: ArrayLike<number>;
  readonly maxValue: number;
  /** Number of channels: 1 for grey, 2 for grey and alpha, 3 for colour, 4 for colour and alpha. */
  readonly channels: 1 | 2 | 3 | 4;
}

/** Maximum number of pixels of an image, 8192 x 8192. */
const MAX_PIXELS = 2 ** 26;

/**
 * Checks the size of an image.
 * @throws GradsimError when it has no pixels, or more than `MAX_PIXELS`.
 */
export function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1)
    throw new GradsimError('mesh/image-damaged', `The header says ${width} x ${height} pixels.`);
  if (width * height > MAX_PIXELS)
    throw new GradsimError(
      'mesh/image-too-large',
      `The image has ${width} x ${height} pixels, and at most ${MAX_PIXELS} can be read, 8192 x 8192.`,
      { hint: 'Make it smaller.' },
    );
}
