/// <reference path="./gifenc.d.ts" />
import { GradsimError } from '@gradsim/base';
import { reasonOf } from '../../errors.ts';
import { type Frames, frameAt, frameCount, timeOf } from '../../frames/frames.ts';
import type { Region } from '../../frames/region.ts';
import type { FilmInfo, Footage, PictureReader } from '../../source/footage.ts';
import type { Material } from '../../source/material.ts';
import { type Stamps, stampsOf } from '../../source/stamps.ts';
import { type ReadingLimits, yieldPeriodically } from '../../source/watch.ts';
import { quantise } from '../quantise.ts';
import { gifParts } from './parts.ts';
import { gifPictures } from './pictures.ts';

/**
 * Maximum number of pixels of a GIF's picture: every frame is composed in full, however small its image in the file is.
 */
const MAX_PIXELS = 1e8;

/*
 * Why a reader of our own: the packages there are take what is cut short or damaged for pictures, and one of them runs
 * for ever with a changed byte.
 */

/**
 * Opens a GIF, whose pictures are decoded when they are read.
 *
 * @throws GradsimError when it is truncated or damaged.
 */
export async function openGif(material: Material, { signal }: ReadingLimits): Promise<Footage> {
  const bytes = await material.bytes();
  const attempt = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw new GradsimError(
        'video/file-damaged',
        `${material.name} cannot be read as a GIF: ${reasonOf(error)}. The file is cut short or damaged.`,
        { cause: error },
      );
    }
  };
  const gif = attempt(() => gifParts(bytes));
  const { width, height, images } = gif;
  if (images.length === 0) throw new GradsimError('video/nothing-in-film', `${material.name} is a GIF without frames.`);
  if (width * height > MAX_PIXELS)
    throw new GradsimError(
      'video/too-large',
      `${material.name} is a GIF of ${width} x ${height} pixels, and at most ${MAX_PIXELS} can be read: it may be damaged.`,
    );
  const info: FilmInfo = {
    name: material.name,
    format: 'gif',
    width,
    height,
    stored: { width, height },
    rotation: 0,
    frameCount: images.length,
    ...clockOfDelays(images),
    transfer: 'srgb',
  };
  async function* pictures(indices: readonly number[]): AsyncGenerator<PictureReader> {
    const breathe = yieldPeriodically(signal);
    // A frame may store changes only, so all up to the last requested one are composed.
    const composed = gifPictures(gif);
    let number = -1;
    for (const index of indices) {
      let picture: Uint8Array | undefined;
      for (; number < index; number++) {
        await breathe();
        picture = attempt(() => composed.next().value ?? undefined);
      }
      const shown = picture;
      if (!shown) throw new GradsimError('video/no-such-frame', `${material.name}: there is no frame ${index}.`);
      yield (region, into) => copyRegion(shown, width, region, into);
    }
  }
  return { info, pictures, close: () => {} };
}

/** Resolution of delays, s. */
const DELAY_UNIT = 0.01;

/**
 * Frames per second, or times, by the delays. A frame without one, but the last, says nothing of when the next follows (viewers show
 * such frames for a tenth of a second each, by custom): then there is no clock.
 */
function clockOfDelays(
  images: readonly { readonly delay: number }[],
): Partial<Stamps> & { readonly resolution?: number } {
  const timed = images.at(-1)?.delay === 0 ? images.slice(0, -1) : images;
  const hundredths = timed.reduce((sum, { delay }) => sum + delay, 0);
  if (hundredths === 0 || timed.some(({ delay }) => delay === 0)) return {};
  const frameRate = (100 * timed.length) / hundredths;
  if (images.length < 3) return { frameRate };
  let time = 0;
  const times = images.map(({ delay }) => {
    time += delay / 100;
    return time - delay / 100;
  });
  return { ...stampsOf(times, DELAY_UNIT, frameRate), resolution: DELAY_UNIT };
}

function copyRegion(picture: Uint8Array, width: number, region: Region, into: Float32Array): void {
  const row = region.width * 4;
  for (let y = 0; y < region.height; y++) {
    const from = ((region.y + y) * width + region.x) * 4;
    for (let i = 0; i < row; i++) into[y * row + i] = picture[from + i] / 255;
  }
}

/**
 * Encodes a film as a GIF that repeats for ever, and returns the bytes of the file. A frame of at most 256 colours is
 * kept exactly, others are reduced to 256. Delays are whole hundredths of a second, chosen so that rounding errors do
 * not add up over the film. Alpha is not written.
 *
 * @example
 * const bytes = await encodeGif(film);
 *
 * @throws GradsimError above 100 frames a second, which the format cannot hold.
 */
export async function encodeGif(frames: Frames): Promise<Uint8Array> {
  if (frames.frameRate > 100) {
    throw new GradsimError('video/frame-rate', `A GIF holds at most 100 frames a second, not ${frames.frameRate}.`, {
      hint: 'Take fewer (cutFrames with every) or write MP4, WebM or PNG.',
    });
  }
  const module = await import('gifenc');
  // Node loads the CommonJS build of gifenc, bundlers the other one.
  const { GIFEncoder, quantize, applyPalette } = module.GIFEncoder
    ? { ...module, GIFEncoder: module.GIFEncoder }
    : module.default;
  const encoder = GIFEncoder();
  const count = frameCount(frames);
  const hundredths = (frame: number) =>
    Math.round(100 * (frame < count ? timeOf(frames, frame) : timeOf(frames, count - 1) + 1 / frames.frameRate));
  for (let f = 0; f < count; f++) {
    const rgba = toRgbaBytes(frameAt(frames, f), frames.channels);
    const exact = exactPalette(rgba);
    const palette = exact?.palette ?? quantize(rgba, 256);
    const indices = exact?.indices ?? applyPalette(rgba, palette);
    const delay = (hundredths(f + 1) - hundredths(f)) * 10;
    encoder.writeFrame(indices, frames.width, frames.height, { palette, delay });
  }
  encoder.finish();
  return encoder.bytes();
}

function toRgbaBytes(values: Float32Array, channels: number): Uint8Array {
  const whole = quantise(values, 8);
  const pixels = values.length / channels;
  const rgba = new Uint8Array(pixels * 4).fill(255);
  for (let p = 0; p < pixels; p++) {
    for (let c = 0; c < 3; c++) rgba[p * 4 + c] = whole[p * channels + (channels === 1 ? 0 : c)];
  }
  return rgba;
}

/** Returns the palette of all colours in a frame if there are at most 256, else undefined. */
function exactPalette(rgba: Uint8Array): { palette: number[][]; indices: Uint8Array } | undefined {
  const seen = new Map<number, number>();
  const palette: number[][] = [];
  const indices = new Uint8Array(rgba.length / 4);
  for (let p = 0; p < indices.length; p++) {
    const [r, g, b] = [rgba[p * 4], rgba[p * 4 + 1], rgba[p * 4 + 2]];
    const colour = (r << 16) | (g << 8) | b;
    let index = seen.get(colour);
    if (index === undefined) {
      if (palette.length === 256) return undefined;
      index = palette.push([r, g, b]) - 1;
      seen.set(colour, index);
    }
    indices[p] = index;
  }
  return { palette, indices };
}
