import { GradsimError, isGradsimError } from '@gradsim/base';
import { reasonOf } from '../mesh.ts';
import { withName } from '../named.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';
import { linearFromSrgb } from './srgb.ts';
import { checkSize, type StoredImage } from './stored-image.ts';

/** A picture in linear light. */
export interface Image {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue of every pixel in linear light from 0 to 1, row by row from the top. */
  readonly colors: Float32Array;
  /** True if any pixel is partly or fully transparent. */
  readonly isTransparent: boolean;
}

/**
 * Reads a PNG or JPEG as a picture in linear light. Stored values are taken as sRGB, whatever colour profile the file
 * has.
 *
 * @param imageName name of the image in messages.
 *
 * @throws GradsimError for another format, files that are truncated or damaged, and pictures that are empty or larger
 * than the file can hold, before memory is allocated for them.
 */
export async function readImage(bytes: Uint8Array, imageName: string): Promise<Image> {
  if (!isPng(bytes) && !isJpeg(bytes))
    throw new GradsimError('mesh/unknown-format', `${imageName} is neither a PNG nor a JPEG.`, {
      hint: 'Convert it to one of them.',
    });
  try {
    return linear(await (isPng(bytes) ? readPng(bytes, checkSize) : readJpeg(bytes)));
  } catch (error) {
    if (isGradsimError(error)) throw withName(error, imageName);
    throw new GradsimError('mesh/image-damaged', `${imageName} cannot be decoded: ${reasonOf(error)}.`, {
      hint: 'Export it again.',
      cause: error,
    });
  }
}

const isPng = (bytes: Uint8Array): boolean =>
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a].every((byte, k) => bytes[k] === byte);
const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8;

function linear({ width, height, values, maxValue: largest, channels }: StoredImage): Image {
  const light = Float32Array.from({ length: largest + 1 }, (_, value) => linearFromSrgb(value / largest));
  const colors = new Float32Array(3 * width * height);
  const [green, blue] = channels >= 3 ? [1, 2] : [0, 0];
  const alpha = channels % 2 === 0 ? channels - 1 : undefined;
  let isTransparent = false;
  for (let pixel = 0; pixel < width * height; pixel++) {
    const i = channels * pixel;
    colors[3 * pixel] = light[values[i]];
    colors[3 * pixel + 1] = light[values[i + green]];
    colors[3 * pixel + 2] = light[values[i + blue]];
    if (alpha !== undefined && values[i + alpha] < largest) isTransparent = true;
  }
  return { width, height, colors, isTransparent };
}
