import type { Device, StopSignal } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import type { Film } from '@gradsim/film';
import { readFilm } from '@gradsim/film';
import { layoutOf, Pixel, toRows } from '@gradsim/render';
import { requireFrames } from '@gradsim/video';
import type { Toss } from '../scenes/tossed.ts';
import { TOSS_TIMELINE, tossModel } from '../scenes/tossed.ts';
import { bodyMasks } from './masks.ts';

/** Ratio of the film's resolution to that of the compared pictures, across and down. */
const REDUCTION = 2;
/**
 * Softness of outlines (`sigma` of SoftRas: squared distance in device coordinates) of the first frame's silhouette, so
 * that it includes all pixels that may show the body.
 */
const MARGIN_SIGMA = 1e-4;

/**
 * Reads the film of a toss, computes the masks of the body in it, and halves the size of both.
 *
 * @param toss the toss as known before the estimate; its mass and material are not used.
 * @throws if film or plate do not have the size and number of frames of such a toss.
 */
export async function readObservation(
  film: string,
  plate: string,
  toss: Toss,
  { device, signal }: { readonly device: Device; readonly signal?: StopSignal },
): Promise<Film> {
  const { size } = toss;
  if (size % REDUCTION !== 0)
    throw new Error(
      `${film} has pictures of ${size} x ${size} pixels; they are halved, so give an even number to \`npm run film -- --size\`.`,
    );
  const { frames: count, frameRate } = TOSS_TIMELINE;
  const silhouette = await firstSilhouette(toss, device);
  const whole = await readFilm(film, {
    last: count - 1,
    frameRate,
    background: { file: plate },
    signal,
    mask: (frames, empty) => {
      requireFrames(frames, { width: size, height: size, count }, film);
      requireFrames(empty, { width: size, height: size, count: 1 }, plate);
      const { parts, weights } = bodyMasks(frames, empty, silhouette);
      return { masks: parts, weights };
    },
  });
  return whole.resized({ width: size / REDUCTION, height: size / REDUCTION });
}

/** Rendered silhouette (`pixels.alpha`) of the first frame, which does not depend on mass and material. */
async function firstSilhouette(toss: Toss, device: Device): Promise<Float64Array> {
  const model = tossModel(toss, { softness: MARGIN_SIGMA, drawing: 'silhouette' });
  const alpha = await recordOf(model, Pixel.alpha, { device, ...TOSS_TIMELINE, frames: 1 });
  return toRows(layoutOf(model), alpha, 1);
}
