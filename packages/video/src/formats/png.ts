import { described, GradsimError, isGradsimError, refuseUnknownOptions } from '@gradsim/base';
import { encodePngRows, readPng, type StoredImage } from '@gradsim/mesh/images';
import { reasonOf } from '../errors.ts';
import { type Frames, frameAt, frameCount } from '../frames/frames.ts';
import type { Region } from '../frames/region.ts';
import type { FilmInfo, Footage, PictureReader } from '../source/footage.ts';
import type { Material } from '../source/material.ts';
import { breathing, type Watch } from '../source/watch.ts';
import { quantise } from './quantise.ts';

/**
 * Opens a sequence of PNG images of one size, which are read one at a time.
 *
 * @throws GradsimError when the first is not a readable PNG.
 */
export async function openPngs(name: string, materials: readonly Material[], { signal }: Watch): Promise<Footage> {
  const { width, height } = await decode(materials[0]);
  const info: FilmInfo = {
    name,
    format: 'png',
    width,
    height,
    stored: { width, height },
    rotation: 0,
    frameCount: materials.length,
    transfer: 'srgb',
  };
  async function* pictures(indices: readonly number[]): AsyncGenerator<PictureReader> {
    const breathe = breathing(signal);
    for (const index of indices) {
      await breathe();
      const png = await decode(materials[index]);
      if (png.width !== width || png.height !== height) {
        throw new GradsimError(
          'video/other-shape',
          `${materials[index].name} (frame ${index}) is ${png.width} x ${png.height} pixels, but the first image, ${materials[0].name}, is ${width} x ${height}: all images of a film have one size.`,
        );
      }
      yield (region, into) => toRgba(png, region, into);
    }
  }
  return { info, pictures, close: () => {} };
}

/**
 * Checks that a PNG is not animated, since decoders read only the first image of one.
 * @throws GradsimError when it is.
 */
function refuseAnimated(bytes: Uint8Array, name: string): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at))
    if (String.fromCharCode(...bytes.subarray(at + 4, at + 8)) === 'acTL')
      throw new GradsimError(
        'video/animated-png',
        `${name} is an animated PNG, of which only the first image is read.`,
        {
          hint: 'Convert it to a GIF or to a folder of PNGs.',
        },
      );
}

async function decode(material: Material): Promise<StoredImage> {
  try {
    const bytes = await material.bytes();
    refuseAnimated(bytes, material.name);
    return await readPng(bytes);
  } catch (error) {
    if (isGradsimError(error, 'video/animated-png')) throw error;
    throw new GradsimError(
      'video/file-damaged',
      `${material.name} cannot be read as a PNG: ${reasonOf(error).replace(/\.$/, '')}. The file may be cut short or damaged, or of another kind.`,
      { cause: error },
    );
  }
}

/**
 * Writes a region of a stored image as red, green, blue, alpha in [0, 1]. A grey value is written to all three colours;
 * alpha is 1 if the image has none.
 */
function toRgba({ channels, values, largest, width }: StoredImage, region: Region, into: Float32Array): void {
  const [green, blue] = channels >= 3 ? [1, 2] : [0, 0];
  let o = 0;
  for (let y = region.y; y < region.y + region.height; y++) {
    for (let x = region.x; x < region.x + region.width; x++) {
      const i = channels * (y * width + x);
      into[o] = values[i] / largest;
      into[o + 1] = values[i + green] / largest;
      into[o + 2] = values[i + blue] / largest;
      into[o + 3] = channels % 2 === 0 ? values[i + channels - 1] / largest : 1;
      o += 4;
    }
  }
}

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
      `depth is ${described(depth)}; a PNG has 8 or 16 bits a channel.`,
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
