import { GradsimError, isGradsimError } from '@gradsim/base';
import { readJpeg, readPng, type StoredImage } from '@gradsim/mesh/images';
import { reasonOf } from '../errors.ts';
import type { Region } from '../frames/region.ts';
import { type QuarterTurn, storedPosition } from '../frames/upright.ts';
import type { FilmInfo, Footage, PictureReader } from '../source/footage.ts';
import { kindOf, type Material } from '../source/material.ts';
import { type ReadingLimits, yieldPeriodically } from '../source/watch.ts';
import { orientationOf } from './exif.ts';

/** A decoded image, and how it is shown. */
interface DecodedImage {
  readonly stored: StoredImage;
  readonly rotation: QuarterTurn;
  readonly isMirrored: boolean;
  /** Size of the upright picture, px. */
  readonly width: number;
  readonly height: number;
}

/**
 * Opens a sequence of PNG or JPEG images of one size, which are read one at a time.
 *
 * @throws GradsimError when the first cannot be read.
 */
export async function openImages(
  name: string,
  materials: readonly Material[],
  { signal }: ReadingLimits,
): Promise<Footage> {
  const { width, height, stored, rotation, isMirrored } = await decode(materials[0]);
  const info: FilmInfo = {
    name,
    format: kindOf(materials[0]) === 'jpeg' ? 'jpeg' : 'png',
    width,
    height,
    stored: { width: stored.width, height: stored.height },
    rotation,
    ...(isMirrored && { isMirrored }),
    frameCount: materials.length,
    transfer: 'srgb',
  };
  async function* pictures(indices: readonly number[]): AsyncGenerator<PictureReader> {
    const breathe = yieldPeriodically(signal);
    for (const index of indices) {
      await breathe();
      const still = await decode(materials[index]);
      if (still.width !== width || still.height !== height) {
        throw new GradsimError(
          'video/other-shape',
          `${materials[index].name} (frame ${index}) is ${still.width} x ${still.height} pixels, but the first image, ${materials[0].name}, is ${width} x ${height}: all images of a film have one size.`,
        );
      }
      yield (region, into) => toRgba(still, region, into);
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

async function decode(material: Material): Promise<DecodedImage> {
  const kind = kindOf(material) === 'jpeg' ? 'JPEG' : 'PNG';
  try {
    const bytes = await material.bytes();
    if (kind === 'PNG') refuseAnimated(bytes, material.name);
    const stored = await (kind === 'PNG' ? readPng(bytes) : readJpeg(bytes));
    const shown = kind === 'PNG' ? { rotation: 0 as const, isMirrored: false } : orientationOf(bytes);
    const isOnSide = shown.rotation % 180 !== 0;
    const [width, height] = isOnSide ? [stored.height, stored.width] : [stored.width, stored.height];
    return { stored, ...shown, width, height };
  } catch (error) {
    if (isGradsimError(error, 'video/animated-png')) throw error;
    throw new GradsimError(
      'video/file-damaged',
      `${material.name} cannot be read as a ${kind}: ${reasonOf(error).replace(/\.$/, '')}. The file may be cut short or damaged, or of another kind.`,
      { cause: error },
    );
  }
}

/**
 * Writes a region of an upright image as red, green, blue, alpha in [0, 1]. A grey value is written to all three
 * colours; alpha is 1 if the image has none.
 */
function toRgba({ stored, rotation, isMirrored }: DecodedImage, region: Region, into: Float32Array): void {
  const { channels, values, maxValue: largest, width, height } = stored;
  const at = storedPosition(rotation, width, height, isMirrored);
  const [green, blue] = channels >= 3 ? [1, 2] : [0, 0];
  let o = 0;
  for (let y = region.y; y < region.y + region.height; y++) {
    for (let x = region.x; x < region.x + region.width; x++) {
      const column = at.columnAt + x * at.columnByX + y * at.columnByY;
      const row = at.rowAt + x * at.rowByX + y * at.rowByY;
      const i = channels * (row * width + column);
      into[o] = values[i] / largest;
      into[o + 1] = values[i + green] / largest;
      into[o + 2] = values[i + blue] / largest;
      into[o + 3] = channels % 2 === 0 ? values[i + channels - 1] / largest : 1;
      o += 4;
    }
  }
}
