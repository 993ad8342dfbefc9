import type { StopSignal } from '@gradsim/core';
import { readFilm } from '@gradsim/film';
import type { Frames, Region } from '@gradsim/video';
import { cropFrames, cutFrames, findBlobs, frameAt, inspectFilm, toLinear } from '@gradsim/video';

/** True frames a second; the file's clock is that of slow motion. */
export const FRAME_RATE = 120;
/** Numbers of frames of the file: the first of all, the last of the fall, and the last of the rebound. */
export const FIRST = 118;
export const LAST = { fall: 201, all: 235 } as const;
/** The first frame in which the ball is clear of the hand. */
export const CLEAR = 141;
/** The upright picture, in pixels. */
export const FULL = { width: 172, height: 1716 };
/** The size at which it is read. */
export const HALF = { width: 86, height: 858 };

/** The frame to whose camera the others are shifted. */
const REFERENCE = 170;
/** The ball's colour as stored. */
const BALL_COLOUR = [0.8, 0.35, 0.27];
/** R - (G + B) / 2 of the ball, in linear light. */
const BALL_REDNESS = 0.5;
/** The same of stored values: skin is below, the ball above. */
const SKIN_REDNESS = 0.25;
const RED_ENOUGH = 0.45;
/** Rows of the half-size picture in which the hand moves. */
const HAND_ROWS = 105;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The drop with the camera's movement undone, at half size; frame 0 is frame 118 of the file. */
export interface Footage {
  readonly still: Frames;
  readonly background: Frames;
  /** The part of every pixel that the ball covers, roughly, below the hand; zero where the hand moves. */
  readonly masks: Frames;
  /** Where the ball is, in pixels of the half-size picture; unknown where it is not seen. */
  readonly centres: readonly (Place | undefined)[];
}

/**
 * Reads the drop, brings the pictures to rest, and finds the ball.
 * @throws when it is another video.
 */
export async function readFootage(
  file: string,
  part: keyof typeof LAST,
  signal?: StopSignal,
): Promise<Footage> {
  const info = await inspectFilm(file, { signal });
  if (info.width !== FULL.width || info.height !== FULL.height || info.frameCount <= LAST.all) {
    throw new Error(
      `${file} has ${info.frameCount} frames of ${info.width} x ${info.height}; this experiment is about the ball drop, with more than ${LAST.all} frames of ${FULL.width} x ${FULL.height}.`,
    );
  }
  const film = await readFilm(file, {
    ...{ first: FIRST, last: LAST[part], frameRate: FRAME_RATE, clock: 'wrong', size: HALF },
    ...{ steady: { reference: REFERENCE }, mask: { colour: BALL_COLOUR, tolerance: 0.2 }, signal },
  });
  const { frames: still, background, masks } = film;
  for (let f = 0; f <= LAST[part] - FIRST; f++) frameAt(masks, f).fill(0, 0, HAND_ROWS * HALF.width);
  const centres = Array<Place | undefined>(LAST[part] - FIRST + 1).fill(undefined);
  findBlobs(masks, { cut: 0.1, peak: 0.1, least: 60 }).forEach(([ball], frame) => {
    if (ball && frame >= CLEAR - FIRST) centres[frame] = ball;
  });
  findBlobs(redInHand(still), { cut: 0.5, least: 30 }).forEach(([ball], frame) => {
    if (ball) centres[frame] = ball;
  });
  return { still, background, masks, centres };
}

/** Masks of the frames in which the ball is in or at the hand, of the rows there. */
function redInHand(still: Frames): Frames {
  const early = cutFrames(still, { first: 0, last: CLEAR - FIRST - 1 });
  const rows = cropFrames(early, { x: 0, y: 0, width: HALF.width, height: HAND_ROWS + 40 });
  return { ...rows, channels: 1, data: redderThanSkin(rows.data) };
}

function redderThanSkin(rgb: Float32Array): Float32Array {
  return Float32Array.from({ length: rgb.length / 3 }, (_, k) =>
    Math.min(Math.max((redness(rgb, 3 * k) - SKIN_REDNESS) / (RED_ENOUGH - SKIN_REDNESS), 0), 1),
  );
}

/**
 * The part of every pixel of a window that the ball covers in a frame, by redness. Clear of the hand, in linear light:
 * blur mixes light linearly, and the ball's shadows on the wall, being grey, do not count. In the hand, where the
 * background moves, what is redder than skin.
 */
export function windowMask({ still, background }: Footage, frame: number, region: Region): Frames {
  const window = cropFrames(cutFrames(still, { first: frame, last: frame }), region);
  const mask = { ...window, channels: 1 as const };
  if (frame < CLEAR - FIRST) return { ...mask, data: redderThanSkin(window.data) };
  const [picture, plate] = [window, cropFrames(background, region)].map((f) => toLinear(f, 'bt709').data);
  const data = Float32Array.from({ length: region.width * region.height }, (_, k) => {
    const ground = redness(plate, 3 * k);
    return Math.max(0, (redness(picture, 3 * k) - ground) / (BALL_REDNESS - ground));
  });
  return { ...mask, data };
}

const redness = (rgb: ArrayLike<number>, at: number): number => rgb[at] - (rgb[at + 1] + rgb[at + 2]) / 2;
