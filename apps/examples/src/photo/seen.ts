import type { Device, StopSignal } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import type { Film } from '@gradsim/film';
import { readFilm } from '@gradsim/film';
import { layoutOf, Pixel, toRows } from '@gradsim/render';
import { requireFrames } from '@gradsim/video';
import type { Toss } from '../scenes/tossed.ts';
import { TOSS_TIMELINE, tossModel } from '../scenes/tossed.ts';
import { bodyMasks } from './masks.ts';

/** Number of pixels of the film per compared pixel, across and down. */
const COARSER = 2;
/**
 * Edge softness (SoftRas sigma) of the silhouette around which pixels of the first frame may show the body,
 * dimensionless.
 */
const MARGIN_SIGMA = 1e-4;

/**
 * Reads the film of a toss, and finds the body in it; at half its size.
 *
 * @param toss as far as it is known beforehand: of its mass and material nothing is used.
 * @throws when film or plate are not those of a toss of this size.
 */
export async function readSeen(
  film: string,
  plate: string,
  toss: Toss,
  { device, signal }: { readonly device: Device; readonly signal?: StopSignal },
): Promise<Film> {
  const { size } = toss;
  if (size % COARSER !== 0)
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
  return whole.resized({ width: size / COARSER, height: size / COARSER });
}

/** `pixels.alpha` of the first frame, which does not depend on mass and material. */
async function firstSilhouette(toss: Toss, device: Device): Promise<Float64Array> {
  const model = tossModel(toss, { softness: MARGIN_SIGMA, drawing: 'silhouette' });
  const alpha = await recordOf(model, Pixel.alpha, { device, ...TOSS_TIMELINE, frames: 1 });
  return toRows(layoutOf(model), alpha, 1);
}
