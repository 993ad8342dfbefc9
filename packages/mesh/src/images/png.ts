import { defect } from '@gradsim/base';
import type { Texture } from '../mesh.ts';
import { encodePngRows } from './encode-png-rows.ts';
import { requiredChunks } from './png-content.ts';
import { checkPngHeader } from './png-header.ts';
import { srgbFromLinear } from './srgb.ts';
import type { StoredImage } from './stored-image.ts';

/**
 * Decodes a PNG to its stored values; palette indices are replaced by their colours.
 *
 * @param checkSize called with width and height before memory is allocated; throws to refuse them.
 * @throws GradsimError when it has no header, declares more pixels than it can hold, or inflates to more than it
 * declares; Error of the decoder when it is truncated or damaged.
 */
export async function readPng(
  bytes: Uint8Array,
  checkSize?: (width: number, height: number) => void,
): Promise<StoredImage> {
  checkPngHeader(bytes, checkSize);
  const { convertIndexedToRgb, decodePng } = await import('./image-library.ts');
  const png = decodePng(await requiredChunks(bytes), { checkCrc: true });
  const { width, height, depth } = png;
  if (png.palette) {
    const values = convertIndexedToRgb(png);
    return { width, height, values, maxValue: 255, channels: channelsOf(values.length / (width * height)) };
  }
  const largest = 2 ** depth - 1;
  if (depth < 8) return { width, height, values: unpackGrey(png), maxValue: largest, channels: 1 };
  return { width, height, values: png.data, maxValue: largest, channels: channelsOf(png.channels) };
}

function channelsOf(count: number): StoredImage['channels'] {
  if (count === 1 || count === 2 || count === 3 || count === 4) return count;
  throw defect(`The decoder returned a PNG of ${count} channels`);
}

/** Unpacks grey values of 1, 2 or 4 bits to one byte each; packed rows are padded to whole bytes. */
function unpackGrey(png: { width: number; height: number; depth: number; data: ArrayLike<number> }): Uint8Array {
  const { width, height, depth, data } = png;
  const perByte = 8 / depth;
  const rowBytes = Math.ceil(width / perByte);
  return Uint8Array.from({ length: width * height }, (_, pixel) => {
    const x = pixel % width;
    const byte = data[rowBytes * Math.floor(pixel / width) + Math.floor(x / perByte)];
    return (byte >> (8 - depth * ((x % perByte) + 1))) & (2 ** depth - 1);
  });
}

/** Encodes a texture in linear light as an sRGB PNG of 8 bits; values outside [0, 1] are clamped. */
export async function writePng({ width, height, colors }: Texture): Promise<Uint8Array> {
  const data = Uint8Array.from({ length: 3 * width * height }, (_, k) =>
    Math.round(255 * srgbFromLinear(Math.min(1, Math.max(0, colors[k])))),
  );
  return encodePngRows({ width, height, channels: 3 }, [data]);
}
