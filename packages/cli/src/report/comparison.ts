import type { Strip } from '@gradsim/optim';
import { encodePng } from '@gradsim/video';
import { checkStrip } from '../experiment/check-strip.ts';

/** Three pictures side by side, frame by frame, in one. */
export interface Sheet {
  /** Pixels of one of the three. */
  readonly width: number;
  readonly height: number;
  /** The numbers of the frames; the tile of each is three pictures wide, and tiles lie row by row. */
  readonly frames: readonly number[];
  /** Tiles a row. */
  readonly columns: number;
  /** How long each frame is there, s; the last as long as those before it in the mean. */
  readonly seconds: readonly number[];
  /** The picture, a PNG. */
  readonly sheet: Uint8Array;
}

/** Target, estimate and difference. */
export interface Comparison extends Sheet {
  /** By what the difference is brightened. */
  readonly gain: number;
}

/** A difference is brightened until its largest value shows, but no further: noise is not to look like error. */
const LARGEST_GAIN = 20;
/** Frames are left out, evenly, until the sheet has no more pixels: it lies in a page. */
const MOST_PIXELS = 12e6;

const known = new WeakMap<Strip, Promise<Comparison>>();

/**
 * Compares a strip's pictures, once.
 * @param frameRate of the problem, whose frames the strip numbers.
 * @throws when the strip's arrays are not what its size and frames say.
 */
export function compare(strip: Strip, frameRate: number): Promise<Comparison> {
  const made = known.get(strip) ?? comparison(strip, frameRate);
  known.set(strip, made);
  return made;
}

async function comparison(strip: Strip, frameRate: number): Promise<Comparison> {
  checkStrip(strip);
  const { target, estimate } = strip;
  const { difference, gain } = brightDifference(target, estimate);
  return { ...(await contactSheet(strip, [target, estimate, difference], frameRate)), gain };
}

/**
 * Frames of three films side by side in one picture, of those that there is room for.
 *
 * @param pictures `[frame][y][x][channel]` with 3 channels.
 * @param frameRate of what numbers the frames.
 */
export async function contactSheet(
  { width, height, frames: all }: Pick<Strip, 'width' | 'height' | 'frames'>,
  pictures: readonly [Float32Array, Float32Array, Float32Array],
  frameRate: number,
): Promise<Sheet> {
  const shown = spread(all.length, Math.max(1, Math.floor(MOST_PIXELS / (3 * width * height))));
  const columns = Math.max(1, Math.round(Math.sqrt((shown.length * height) / (3 * width))));
  const rows = Math.ceil(shown.length / columns);
  const sheet = new Float32Array(3 * 3 * width * columns * height * rows);
  shown.forEach((frame, tile) => {
    for (let y = 0; y < height; y++)
      pictures.forEach((picture, k) => {
        const from = 3 * width * (frame * height + y);
        const row = Math.floor(tile / columns) * height + y;
        sheet.set(picture.subarray(from, from + 3 * width), 3 * width * (3 * columns * row + 3 * (tile % columns) + k));
      });
  });
  const size = { width: 3 * width * columns, height: height * rows };
  const frames = shown.map((k) => all[k]);
  return {
    width,
    height,
    frames,
    columns,
    seconds: durations(frames, frameRate),
    sheet: await encodePng({ ...size, channels: 3, frameRate: 1, data: sheet }),
  };
}

/** The size of the difference in every channel, brightened as a whole. */
export function brightDifference(a: Float32Array, b: Float32Array): { difference: Float32Array; gain: number } {
  const difference = a.map((value, k) => Math.abs(value - b[k]));
  const largest = difference.reduce((sum, d) => Math.max(sum, d), 0);
  const gain = largest > 0 ? Math.min(LARGEST_GAIN, Math.max(1, 1 / largest)) : 1;
  return { difference: difference.map((d) => d * gain), gain };
}

/** Up to `most` of so many numbers, the first and the last among them, evenly spaced. */
export function spread(count: number, most: number): number[] {
  if (count <= most) return [...Array(count).keys()];
  if (most === 1) return [0];
  return Array.from({ length: most }, (_, k) => Math.round((k * (count - 1)) / (most - 1)));
}

/** Frames need not follow one another, nor be evenly spaced. */
function durations(frames: readonly number[], frameRate: number): number[] {
  const mean = frames.length > 1 ? (frames.at(-1)! - frames[0]) / (frames.length - 1) : 1;
  return frames.map((frame, k) => Math.max(1, (frames[k + 1] ?? frame + mean) - frame) / frameRate);
}
