import type { Device, Model, StopSignal } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { Observation } from '@gradsim/optim';
import { fromRows, layoutOf, toRows } from '@gradsim/render';
import type { Frames } from '@gradsim/video';
import { inspectFilm, readFrames, requireFrames, resizeFrames } from '@gradsim/video';
import type { Toss } from '../scenes/tossed.ts';
import { TOSS_TIMELINE, tossModel } from '../scenes/tossed.ts';
import { bodyMasks } from './masks.ts';

/** Pixels of the film to a pixel that is compared, across and down. */
const COARSER = 2;
/** Softness of the silhouette about which a pixel of the first frame may be the body's. */
const MARGIN_SIGMA = 1e-4;

/** What a film shows, at half its size. */
export interface Seen {
  readonly film: Frames;
  /** Pixels as a silhouette of the body has them, and what each tells. */
  readonly parts: Frames;
  readonly weights: Frames;
}

/**
 * Finds a toss's body in its film.
 *
 * @param toss as far as it is known beforehand: of its mass and material nothing is used.
 * @throws when film or plate are not those of a toss of this size.
 */
export async function readSeen(
  film: string,
  plate: string,
  toss: Toss,
  { device, signal }: { readonly device: Device; readonly signal?: StopSignal },
): Promise<Seen> {
  const { size } = toss;
  if (size % COARSER !== 0)
    throw new Error(
      `${film} has pictures of ${size} x ${size} pixels; they are halved, so give an even number to \`npm run film -- --size\`.`,
    );
  const { frames: count, frameRate } = TOSS_TIMELINE;
  const { frameRate: own = frameRate } = await inspectFilm(film, { signal });
  const frames = await readFrames(film, { channels: 3, frameRate: own, signal });
  requireFrames(frames, { width: size, height: size, count, frameRate }, film);
  const empty = await readFrames(plate, { channels: 3, frameRate, signal });
  requireFrames(empty, { width: size, height: size, count: 1 }, plate);
  const { parts, weights } = bodyMasks(frames, empty, await firstSilhouette(toss, device));
  const small = { width: size / COARSER, height: size / COARSER };
  return {
    film: resizeFrames(frames, small),
    parts: asDrawn(resizeFrames(parts, small)),
    weights: resizeFrames(weights, small),
  };
}

/** `pixels.alpha` of the first frame, which does not depend on mass and material. */
async function firstSilhouette(toss: Toss, device: Device): Promise<Float64Array> {
  const model = tossModel(toss, { softness: MARGIN_SIGMA, drawing: 'silhouette' });
  const simulation = await createSimulation(model, {
    ...{ device, ...TOSS_TIMELINE, frames: 1, record: ['pixels.alpha'] },
  });
  simulation.forward();
  const alpha = toRows(layoutOf(model), await simulation.readFrames('pixels.alpha'), 1);
  simulation.dispose();
  return alpha;
}

/**
 * Parts of pixels as silhouettes show them. Both sides of a closed surface end at its outline, so a pixel that a part a of
 * each covers is drawn as 1 - (1 - a)^2.
 */
const asDrawn = (parts: Frames): Frames => ({ ...parts, data: parts.data.map((a) => 1 - (1 - a) ** 2) });

/** What is seen as targets for `pixels.alpha` of a model of that size. */
export function observationOf(model: Model, { parts, weights }: Seen): Observation {
  const layout = layoutOf(model);
  return {
    field: 'pixels.alpha',
    target: fromRows(layout, parts.data, 1),
    weights: fromRows(layout, weights.data, 1),
  };
}
