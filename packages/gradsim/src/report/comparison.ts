import { evenIndices } from '@gradsim/base';
import type { FrameClock } from '@gradsim/core';
import { timeOfFrame, usualRate } from '@gradsim/core';
import { encodePng, encodePngRows, frameCount, resizeFrames } from '@gradsim/video';
import type { CheckedStrip } from '../experiment/checked-strip.ts';

/** Sheet of a film's frames, each of three pictures side by side, in one picture. */
export interface Sheet {
  /** Size of one of the three pictures of a tile, px. */
  readonly width: number;
  readonly height: number;
  /** Frame numbers of the tiles, in row-major order; each tile is three pictures wide. */
  readonly frames: readonly number[];
  /** Number of tiles in a row of the sheet. */
  readonly columns: number;
  /** Duration of each frame, s; that of the last is the mean of the others. */
  readonly seconds: readonly number[];
  /** The picture as a PNG. */
  readonly sheet: Uint8Array;
}

/** Sheet of target, estimate and their difference. */
export interface Comparison extends Sheet {
  /** Factor by which the displayed difference is multiplied. */
  readonly gain: number;
  /** A few frames with their three pictures, to show side by side. */
  readonly row: readonly { readonly frame: number; readonly pictures: Three<Picture> }[];
  /**
   * Mean absolute difference over the compared frames by pixel and channel, in which white means `largest`; absent if there is
   * no difference.
   */
  readonly mean?: { readonly picture: Picture; readonly largest: number };
}

/** A picture as a PNG, with its size, px. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly png: Uint8Array;
}

/** Target, estimate and difference, or any three pictures side by side. */
export type Three<T> = readonly [T, T, T];

/** Maximum factor by which a difference is brightened towards white: noise must not look like error. */
const LARGEST_GAIN = 20;
/** Maximum number of pixels of the sheet, which is embedded in a page; frames are skipped evenly to stay below it. */
const MAX_PIXELS = 12e6;
/** Maximum number of frames of which the largest and the mean difference are computed, evenly spread. */
const MOST_COMPARED = 240;
/** Maximum number of frames in the row of pictures. */
const MAX_ROW_FRAMES = 8;
/** Maximum width of a row of pictures, px: the page's width on a screen with two device pixels per CSS pixel. */
const MAX_ROW_WIDTH = 2 * 1000;
/** Maximum width of a single picture, px: a chart's width on a screen with two device pixels per CSS pixel. */
const CHART_PIXELS = 2 * 420;

const known = new WeakMap<CheckedStrip, Promise<Comparison>>();

/**
 * Compares a strip's pictures: reads its frames, of more than `MOST_COMPARED` every so many, to find the largest and the mean
 * difference, then again those that are shown.
 * @param clock of the problem whose frame numbers the strip uses.
 * @throws if a picture cannot be read, or has a size other than the strip's.
 */
export function compare(strip: CheckedStrip, clock: FrameClock): Promise<Comparison> {
  const made = known.get(strip) ?? comparison(strip, clock);
  known.set(strip, made);
  return made;
}

async function comparison(strip: CheckedStrip, clock: FrameClock): Promise<Comparison> {
  const { width, height, frames } = strip;
  const { mean, largest } = await differences(strip);
  const gain = largest > 0 ? Math.min(LARGEST_GAIN, Math.max(1, 1 / largest)) : 1;
  // New arrays for each frame would collect garbage several times.
  const length = 3 * width * height;
  const [difference, together] = [new Float32Array(length), new Float32Array(3 * length)];
  const three = async (k: number): Promise<Three<Float32Array>> => {
    const [target, estimate] = [await strip.target(k), await strip.estimate(k)];
    return [target, estimate, writeDifference(difference, target, estimate, gain)];
  };
  const sheet = await contactSheet(strip, three, clock);
  const shown = evenIndices(frames.length, MAX_ROW_FRAMES);
  const row: Comparison['row'][number][] = [];
  for (const k of shown) {
    for (const [at, picture] of (await three(k)).entries()) together.set(picture, at * length);
    const [target, estimate, apart] = await picturesOf({ width, height, data: together }, MAX_ROW_WIDTH / shown.length);
    row.push({ frame: frames[k], pictures: [target, estimate, apart] });
  }
  const most = mean.reduce((a, b) => Math.max(a, b), 0);
  for (let at = 0; at < length; at++) mean[at] /= most || 1;
  const [picture] = await picturesOf({ width, height, data: mean }, CHART_PIXELS);
  return { ...sheet, gain, row, ...(most > 0 ? { mean: { picture, largest: most } } : {}) };
}

/** Largest absolute difference over the frames, and the mean absolute difference of each value (pixel and channel). */
async function differences({ width, height, frames, target, estimate }: CheckedStrip): Promise<{
  readonly mean: Float32Array;
  readonly largest: number;
}> {
  const mean = new Float32Array(3 * width * height);
  let largest = 0;
  const compared = evenIndices(frames.length, MOST_COMPARED);
  for (const k of compared) {
    const [a, b] = [await target(k), await estimate(k)];
    largest = Math.max(largest, addDifference(mean, a, b, compared.length));
  }
  return { mean, largest };
}

/** Adds a frame's absolute differences, divided by `frames`, to `mean`, and returns the frame's largest difference. */
function addDifference(mean: Float32Array, a: Float32Array, b: Float32Array, frames: number): number {
  let largest = 0;
  for (let at = 0; at < mean.length; at++) {
    // Most pixels of a film with an outline drawn over it are the film's.
    if (a[at] === b[at]) continue;
    const difference = Math.abs(a[at] - b[at]);
    mean[at] += difference / frames;
    if (difference > largest) largest = difference;
  }
  return largest;
}

/** Writes the absolute difference in every channel, multiplied by `gain`. */
function writeDifference(into: Float32Array, a: Float32Array, b: Float32Array, gain: number): Float32Array {
  for (let k = 0; k < into.length; k++) into[k] = Math.abs(a[k] - b[k]) * gain;
  return into;
}

/** PNGs of successive pictures of three channels, reduced to their displayed width. */
async function picturesOf(
  { width, height, data }: { readonly width: number; readonly height: number; readonly data: Float32Array },
  widest: number,
): Promise<Picture[]> {
  const frames = { width, height, channels: 3 as const, frameRate: 1, data };
  const scale = Math.min(1, widest / width);
  const size = { width: Math.ceil(scale * width), height: Math.ceil(scale * height) };
  const reduced = scale < 1 ? resizeFrames(frames, size) : frames;
  return Promise.all(
    Array.from({ length: frameCount(frames) }, async (_, k) => ({ ...size, png: await encodePng(reduced, k) })),
  );
}

/**
 * Frames of three films side by side in one picture, as many frames as the sheet has room for.
 *
 * @param pictures of frame `frames[k]`, `[y][x][channel]` with 3 channels; requested one after another, and drawn before the next.
 * @param clock of the frame numbers.
 */
export async function contactSheet(
  { width, height, frames: all }: Pick<CheckedStrip, 'width' | 'height' | 'frames'>,
  pictures: (k: number) => Three<Float32Array> | Promise<Three<Float32Array>>,
  clock: FrameClock,
): Promise<Sheet> {
  const shown = evenIndices(all.length, Math.max(1, Math.floor(MAX_PIXELS / (3 * width * height))));
  const columns = Math.max(1, Math.round(Math.sqrt((shown.length * height) / (3 * width))));
  const rows = Math.ceil(shown.length / columns);
  const size = { width: 3 * width * columns, height: height * rows, channels: 3 } as const;
  async function* bands(): AsyncGenerator<Uint8Array> {
    const band = new Uint8ClampedArray(3 * size.width * height);
    for (let row = 0; row < rows; row++) {
      band.fill(0);
      for (const [tile, k] of shown.slice(row * columns, (row + 1) * columns).entries())
        for (const [view, picture] of (await pictures(k)).entries())
          drawBytes(picture, { width, height }, band, { width: size.width, left: (3 * tile + view) * width });
      yield new Uint8Array(band.buffer);
    }
  }
  const frames = shown.map((k) => all[k]);
  return {
    width,
    height,
    frames,
    columns,
    seconds: durations(frames, clock),
    sheet: await encodePngRows(size, bands()),
  };
}

/** Draws a picture of values in [0, 1] into a byte array, which rounds and clips 255 times each value. */
function drawBytes(
  picture: Float32Array,
  { width, height }: { readonly width: number; readonly height: number },
  into: Uint8ClampedArray,
  place: { readonly width: number; readonly left: number },
): void {
  for (let y = 0; y < height; y++) {
    const to = 3 * (y * place.width + place.left);
    const from = 3 * y * width;
    for (let k = 0; k < 3 * width; k++) {
      const value = picture[from + k];
      // Most of what an outline cuts out is 0, as are differences there.
      if (value !== 0) into[to + k] = 255 * value;
    }
  }
}

/** Durations of displayed frames, which may be skipped or uneven, s. */
function durations(frames: readonly number[], clock: FrameClock): number[] {
  const times = frames.map((frame) => timeOfFrame(clock, frame));
  const between = times.slice(1).map((time, k) => time - times[k]);
  const mean = between.length > 0 ? (times.at(-1)! - times[0]) / between.length : 1 / usualRate(clock);
  return [...between, mean];
}
