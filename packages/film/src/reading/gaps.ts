import { createFrames, type Frames, frameAt, frameCount, frameLength, stampsOf } from '@gradsim/video';
import type { FilmMasks } from '../film.ts';

/** A film whose frames follow each other after about the usual time. */
interface Filled {
  readonly frames: Frames;
  readonly masks?: FilmMasks;
  /** For each frame, the index of its picture among those that were read; null for a frame without a picture. */
  readonly pictures: readonly (number | null)[];
}

/**
 * Part of a usual interval by which one is divided before it is n and a half of them: from 30 to 20 frames a second it is one and
 * a half exactly, up to rounding.
 */
const INTERVAL_MARGIN = 0.05;

/**
 * Divides the time between pictures that are further apart than usual, as where frames were dropped, by frames without a
 * picture: they are not compared, and keep the substeps of a model short. An interval of about n usual ones becomes n
 * frames of equal length; where only whole frames are missing, all are at even times then. A frame without a picture holds a
 * copy of the one before it, for displays, and empty masks.
 *
 * @param resolution of the file's time stamps, s.
 */
export function withoutGaps(frames: Frames, resolution: number, masks?: FilmMasks): Filled {
  const count = frameCount(frames);
  const { times } = frames;
  if (!times) return { frames, masks, pictures: [...Array(count).keys()] };
  const pictures: (number | null)[] = [];
  const all: number[] = [];
  times.forEach((time, k) => {
    const interval = k + 1 < count ? times[k + 1] - time : 0;
    const parts = Math.max(1, Math.round(interval * frames.frameRate + INTERVAL_MARGIN));
    for (let part = 0; part < parts; part++) {
      pictures.push(part === 0 ? k : null);
      all.push(time + (part / parts) * interval);
    }
  });
  if (pictures.length === count) return { frames, masks, pictures };
  const even = stampsOf(all, resolution, (all.length - 1) / all.at(-1)!);
  const clock = even.times ? { frameRate: frames.frameRate, times: all } : { ...even, times: undefined };
  const spread = (film: Frames, isCopied: boolean): Frames => {
    const filled = createFrames({ ...film, ...clock }, pictures.length);
    let last = 0;
    pictures.forEach((picture, frame) => {
      last = picture ?? last;
      if (picture !== null || isCopied) filled.data.set(frameAt(film, last), frame * frameLength(film));
    });
    return filled;
  };
  const { areaErrors } = masks ?? {};
  return {
    frames: spread(frames, true),
    ...(masks
      ? {
          masks: {
            masks: spread(masks.masks, false),
            ...(masks.weights ? { weights: spread(masks.weights, false) } : {}),
            ...(areaErrors
              ? { areaErrors: pictures.map((picture) => (picture === null ? 0 : areaErrors[picture])) }
              : {}),
          },
        }
      : {}),
    pictures,
  };
}
