import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/base';
import { encodePngRows } from '@gradsim/mesh/images';
import { type Frames, frameAt, frameCount } from '../frames/frames.ts';
import { quantise } from './quantise.ts';

/** Options of writing a PNG. */
export interface PngOptions {
  /** Bits per channel, 8 or 16: values in [0, 1] are rounded to multiples of 1/255 or 1/65535. Default 8. */
  depth?: 8 | 16;
}

/**
 * Encodes one frame as a PNG, and returns the bytes of the file.
 *
 * @example
 * const bytes = await encodePng(film, 0, { depth: 16 });
 */
export async function encodePng(frames: Frames, index = 0, options: PngOptions = {}): Promise<Uint8Array> {
  refuseUnknownOptions('encodePng', options, { depth: true });
  const { depth = 8 } = options;
  if (depth !== 8 && depth !== 16)
    throw new GradsimError(
      'video/option-out-of-range',
      `depth is ${describeValue(depth)}; a PNG has 8 or 16 bits a channel.`,
      {
        field: 'depth',
      },
    );
  return encodePngRows(frames, [quantise(frameAt(frames, index), depth)]);
}

/** Encodes every frame as a PNG file of its own. */
export async function encodePngs(frames: Frames, options: PngOptions = {}): Promise<Uint8Array[]> {
  const images: Uint8Array[] = [];
  for (let f = 0; f < frameCount(frames); f++) images.push(await encodePng(frames, f, options));
  return images;
}
