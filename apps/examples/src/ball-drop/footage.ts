import type { StopSignal } from '@gradsim/core';
import type { ObservedOutline } from '@gradsim/film';
import { readFilm } from '@gradsim/film';
import type { Frames } from '@gradsim/video';
import { findBlobs, frameAt, frameCount, inspectFilm, toLinear } from '@gradsim/video';

/** Frame rate at which the film was recorded, 1/s; the file plays in slow motion. */
export const FRAME_RATE = 120;
/** Index in the file of the first frame used. */
export const FIRST = 118;
export const LAST = { fall: 201, all: 235 } as const;
/** Size of the pictures in the file, turned upright, px. */
const FULL_SIZE = { width: 172, height: 1716 };
/** Size to which pictures are reduced when read, px. */
export const HALF_SIZE = { width: 86, height: 858 };

/** Index of the frame to which the others are aligned. */
const REFERENCE = 170;
/** Index of the first frame in which the reddish hand neither touches nor hides the ball. */
const CLEAR_FRAME = 138;
/** Colour of the ball in the file: red, green, blue, sRGB-encoded, 0 to 1. */
const BALL_COLOUR = [0.8, 0.35, 0.27];
/** Redness R - (G + B) / 2 of the ball, in linear light from 0 to 1. */
const BALL_REDNESS = 0.5;
/** Redness below which a pixel's redness is compression noise, in linear light from 0 to 1. */
const MIN_REDNESS_SHARE = 0.08;
/**
 * Half of the width (x) and height (y) of the region around the ball that contains its blur, px of the half-size
 * picture.
 */
const AROUND = { x: 12, y: 20 };

/** Indices of the frames in which something other than the ball is in its region. */
const DISTURBED_FRAMES: ReadonlySet<number> = new Set([
  189,
  190,
  191, // before the socket
  199,
  200,
  206,
  207, // over the edge of the carpet
  201,
  202,
  203, // touching it
]);

/** The film of the drop at half size, with the camera's motion removed; frame 0 is frame 118 of the file. */
export interface Footage {
  readonly stabilised: Frames;
  /** Centroid of the ball's image by frame; undefined in frames where something else is in its region. */
  readonly seen: readonly (ObservedOutline | undefined)[];
}

/**
 * Reads the film of the drop, stabilises the pictures, and finds the ball in each.
 *
 * @throws if the film has another size or too few frames, so that it is another video.
 */
export async function readFootage(file: string, part: keyof typeof LAST, signal?: StopSignal): Promise<Footage> {
  const info = await inspectFilm(file, { signal });
  if (info.width !== FULL_SIZE.width || info.height !== FULL_SIZE.height || info.frameCount <= LAST.all) {
    throw new Error(
      `${file} has ${info.frameCount} frames of ${info.width} x ${info.height}; this experiment is about the ball drop, with more than ${LAST.all} frames of ${FULL_SIZE.width} x ${FULL_SIZE.height}.`,
    );
  }
  const film = await readFilm(file, {
    first: FIRST,
    last: LAST[part],
    frameRate: FRAME_RATE,
    clock: 'wrong',
    size: HALF_SIZE,
    steady: { reference: REFERENCE, withRollAndZoom: true },
    mask: { colour: BALL_COLOUR, tolerance: 0.2 },
    signal,
  });
  const { frames: stabilised, background, masks } = film;
  const ground = toLinear({ ...background, data: frameAt(background, 0) }, 'bt709').data;
  const blobs = findBlobs(masks, { threshold: 0.1, peak: 0.1, minArea: 60 });
  const seen = Array.from({ length: frameCount(stabilised) }, (_, frame) => {
    const [ball] = blobs[frame];
    const isAlone = FIRST + frame >= CLEAR_FRAME && !DISTURBED_FRAMES.has(FIRST + frame);
    return isAlone && ball ? middleOf(stabilised, ground, frame, ball) : undefined;
  });
  return { stabilised, seen };
}

/**
 * Centroid of the ball's image, weighted by its redness in linear light: motion blur mixes light linearly, so it does
 * not move the centroid, and the ball's grey shadows on the wall have no redness.
 *
 * @param ground the background in linear light.
 * @param about approximate position, px.
 */
function middleOf(stabilised: Frames, ground: ArrayLike<number>, frame: number, about: { x: number; y: number }) {
  const { width, height } = stabilised;
  const picture = frameAt(stabilised, frame);
  let { x, y } = about;
  let area = 0;
  // The window goes with what is found in it.
  for (let round = 0; round < 4; round++) {
    let [sum, right, down] = [0, 0, 0];
    const [left, top] = [Math.max(0, Math.round(x - AROUND.x)), Math.max(0, Math.round(y - AROUND.y))];
    const bottom = Math.min(height, Math.ceil(y + AROUND.y));
    // Of these rows alone: the picture is twenty times as high.
    const rows = picture.subarray(3 * width * top, 3 * width * bottom);
    const light = toLinear({ ...stabilised, data: rows }, 'bt709').data;
    for (let row = top; row < bottom; row++)
      for (let column = left; column < Math.min(width, x + AROUND.x); column++) {
        const at = 3 * (row * width + column);
        const behind = redness(ground, at);
        const part = (redness(light, at - 3 * width * top) - behind) / (BALL_REDNESS - behind);
        if (part < MIN_REDNESS_SHARE) continue;
        sum += part;
        right += part * (column + 0.5);
        down += part * (row + 0.5);
      }
    [x, y, area] = [right / sum, down / sum, sum];
  }
  return { x, y, size: Math.sqrt(area / Math.PI) };
}

const redness = (rgb: ArrayLike<number>, at: number): number => rgb[at] - (rgb[at + 1] + rgb[at + 2]) / 2;
