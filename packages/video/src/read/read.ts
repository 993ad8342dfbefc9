import type { StopSignal } from '@gradsim/base';
import { describeValue, GradsimError, refuseUnknownOptions, refuseWrongType } from '@gradsim/base';
import { type FrameRange, framesInRange } from '../edit/cut.ts';
import { areaResizer, type Size } from '../edit/resize.ts';
import { linearise, luminance } from '../frames/color.ts';
import { type Channels, createFrames, type Frames, frameLength } from '../frames/frames.ts';
import { checkRegion, type Region } from '../frames/region.ts';
import type { FilmInfo, Footage } from '../source/footage.ts';
import type { FilmSource } from '../source/material.ts';
import { type Stamps, stampsOf } from '../source/stamps.ts';
import { DEFAULT_TIMEOUT, readingLimits } from '../source/watch.ts';
import type { ChromaPlace } from '../source/yuv.ts';
import { openFootage } from './open.ts';

/** Options of reading a film. */
export interface ReadOptions extends FrameRange {
  /**
   * True frames per second. Needed for images, and where the file's timestamps are wrong (slow motion). Default: by the
   * file's timestamps.
   */
  frameRate?: number;
  /** Region of the upright picture to keep. Default: all of it. */
  crop?: Region;
  /** Width and height to which the (cropped) picture is resized by area averages, px. Default: not resized. */
  size?: Size;
  /**
   * Channels of the result. 1: luminance; 3: colour, without alpha; 4: colour and alpha, which is 1 if the film has
   * none. Default 3.
   */
  channels?: Channels;
  /**
   * Values of the result, in [0, 1]. `encoded`: as stored and shown; `linear`: proportional to light, converted before
   * any averaging. Default `encoded`.
   */
  values?: 'encoded' | 'linear';
  /**
   * Horizontal position of the chroma samples of a video with less resolution of colour than of brightness, as nearly
   * all have. `left`, at every other column, is what H.264, HEVC and VP9 specify, and cameras write. `centre`, halfway
   * between two columns, is what most programs that make a video from pictures write, such as `ffmpeg`, though the file
   * says otherwise; of Motion JPEG and MPEG-1 it always holds. With the wrong one, colour is shifted by half a pixel, and so is everything found by its colour.
   * Default `left`.
   */
  chroma?: ChromaPlace;
  /** Number of the video track to read, counted from 1. Default: the one that players take as the main one. */
  track?: number;
  /** Stops reading when it is aborted: the decoder is ended, and the signal's reason thrown. */
  signal?: StopSignal;
  /** Maximum time without a new picture, s: a damaged file can keep a decoder busy for ever. Default 30. */
  patience?: number;
  /** Called after each requested frame with the number of those read so far. */
  onProgress?: (done: number, of: number) => void;
}

const OPTIONS: Readonly<Record<keyof ReadOptions, true>> = {
  first: true,
  last: true,
  every: true,
  frameRate: true,
  crop: true,
  size: true,
  channels: true,
  values: true,
  chroma: true,
  track: true,
  signal: true,
  patience: true,
  onProgress: true,
};

/**
 * Reads a film or a part of it. Only the requested frames, region and size are kept in memory.
 *
 * A string is the path of a file, of a folder of images (PNGs, or else JPEGs) or a pattern such as `frames/%04d.png` in Node, and a URL in
 * a browser. A list is a sequence of PNG or JPEG images. Rotation tags are honoured: pictures are upright. Frame 0 is the
 * first frame shown, whatever the order in the file.
 *
 * @example
 * const size = { width: 86, height: 858 };
 * const fall = await readFrames('ball.mp4', { first: 118, last: 201, frameRate: 120, size });
 *
 * @throws GradsimError when there is no such file; it is of an unknown format, truncated or damaged; there is no
 * decoder for it; no picture comes for longer than `patience`; frames beyond its end are requested; the crop exceeds the
 * picture; images are given without a frame rate; an option is invalid. The signal's reason when that is aborted.
 */
export async function readFrames(
  source: FilmSource | readonly FilmSource[],
  options: ReadOptions = {},
): Promise<Frames> {
  refuseUnknownOptions('readFrames', options, OPTIONS);
  const { values = 'encoded', chroma = 'left', patience = DEFAULT_TIMEOUT } = options;
  if (values !== 'encoded' && values !== 'linear')
    throw new GradsimError('video/unknown-choice', `values is ${describeValue(values)}.`, {
      field: 'values',
      hint: "It must be 'encoded' or 'linear'.",
    });
  if (chroma !== 'left' && chroma !== 'centre')
    throw new GradsimError('video/unknown-choice', `chroma is ${describeValue(chroma)}.`, {
      field: 'chroma',
      hint: "It must be 'left' or 'centre'.",
    });
  const { signal, onProgress } = options;
  refuseWrongType(
    'readFrames: signal',
    signal,
    'an AbortSignal',
    signal === undefined || typeof signal?.throwIfAborted === 'function',
  );
  refuseWrongType(
    'readFrames: onProgress',
    onProgress,
    'a function',
    onProgress === undefined || typeof onProgress === 'function',
  );
  const footage = await openFootage(source, readingLimits(options.signal, patience), options.track);
  try {
    return await readFootage(footage, options);
  } finally {
    footage.close();
  }
}

async function readFootage({ info, pictures }: Footage, options: ReadOptions): Promise<Frames> {
  const { channels = 3, onProgress } = options;
  const indices = framesInRange(options, info.frameCount, info.name);
  const crop = options.crop ?? { x: 0, y: 0, width: info.width, height: info.height };
  checkRegion(crop, info.width, info.height, info.name);
  const size = options.size ?? { width: crop.width, height: crop.height };
  const frames = createFrames({ ...size, channels, ...stampsIn(info, options, indices) }, indices.length);

  const rgba = new Float32Array(crop.width * crop.height * 4);
  const isResized = crop.width !== size.width || crop.height !== size.height;
  const resize = areaResizer(crop, size, 4);
  const resized = isResized ? new Float32Array(size.width * size.height * 4) : undefined;
  const length = frameLength(frames);
  let f = 0;
  for await (const read of pictures(indices, options.chroma)) {
    read(crop, rgba);
    if (options.values === 'linear') linearise(rgba, 4, info.transfer);
    if (resized) resize(rgba, resized);
    pickChannels(resized ?? rgba, frames.data.subarray(f * length, (f + 1) * length), channels);
    f++;
    onProgress?.(f, indices.length);
  }
  return frames;
}

/** Returns rate or times of the chosen frames. */
function stampsIn(info: FilmInfo, options: ReadOptions, indices: readonly number[]): Stamps {
  const [rate, every] = [rateOf(info, options), options.every ?? 1];
  const { times, frameRate: own = rate, resolution = 0 } = info;
  if (!times || indices.length < 2) return { frameRate: rate / every };
  // A rate that is given is that of the film as it was taken, which may play slower or faster.
  const chosen = indices.map((index) => (times[index] * own) / rate);
  const mean = (chosen.length - 1) / (chosen.at(-1)! - chosen[0]);
  return stampsOf(chosen, (resolution * own) / rate, mean);
}

export function rateOf(info: FilmInfo, options: Pick<ReadOptions, 'frameRate'>): number {
  const rate = options.frameRate ?? info.frameRate;
  if (rate === undefined) {
    throw new GradsimError('video/frame-rate-missing', `${info.name} does not say its frame rate.`, {
      hint: 'Give it as frameRate, in frames a second.',
    });
  }
  return rate;
}

function pickChannels(rgba: Float32Array, into: Float32Array, channels: Channels): void {
  if (channels === 4) {
    into.set(rgba);
    return;
  }
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += channels) {
    const red = rgba[from];
    const green = rgba[from + 1];
    const blue = rgba[from + 2];
    if (channels === 1) {
      into[to] = luminance[0] * red + luminance[1] * green + luminance[2] * blue;
    } else {
      into[to] = red;
      into[to + 1] = green;
      into[to + 2] = blue;
    }
  }
}
