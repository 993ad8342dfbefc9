import type { Device, Model, Scene, StopSignal } from '@gradsim/core';
import type { Estimate, Observation, Strip } from '@gradsim/optim';
import { fromRows, layoutOf, OrbitCamera, toRows } from '@gradsim/render';
import { readFrames, requireFrames } from '@gradsim/video';
import { filmOf } from './film-of.ts';

/** A run of one picture. */
export const STILL = { frames: 1, frameRate: 1, substeps: 1 } as const;

/** Adds cameras that look at the origin from all sides: directions of a golden spiral, from below to above. */
export function addCamerasAround(
  scene: Scene,
  count: number,
  { distance, fieldOfView }: { readonly distance: number; readonly fieldOfView: number },
): void {
  const golden = Math.PI * (3 - Math.sqrt(5));
  for (let k = 0; k < count; k++) {
    const height = 0.9 * ((2 * k + 1) / count - 1);
    const values = { distance, fieldOfView, elevation: Math.asin(height), azimuth: 0.3 + k * golden };
    scene.add(OrbitCamera, values, `camera ${k}`);
  }
}

/**
 * The observation of what all cameras of a model see: pictures from files, one a camera in their order, or what another
 * model shows. Pictures that are opaque everywhere have no mask, so their alpha gets no weight.
 *
 * @param model with the same cameras as `truth`.
 * @throws for pictures of another size than the cameras', or too few.
 */
export async function observeStills(
  model: Model,
  truth: Model,
  { device, video, signal }: { readonly device: Device; readonly video?: string; readonly signal?: StopSignal },
): Promise<Observation> {
  const field = 'pixels.rgba';
  if (video === undefined) return { field, target: await filmOf(truth, STILL, device) };
  const layout = layoutOf(model);
  const { width, height, cameras } = layout;
  const film = await readFrames(video, { channels: 4, frameRate: 1, signal });
  requireFrames(film, { width, height, channels: 4, count: cameras }, video);
  const rows = Float64Array.from(film.data.subarray(0, cameras * width * height * 4));
  const hasMask = rows.some((value, k) => k % 4 === 3 && value < 1);
  return { field, target: fromRows(layout, rows, 4), weights: [1, 1, 1, hasMask ? 1 : 0] };
}

/** What up to eight cameras saw, and what the model shows them at the estimate. */
export function stillsStrip(model: Model, { target }: Observation, { predicted }: Estimate): Strip {
  const layout = layoutOf(model);
  const { width, height, cameras } = layout;
  const frames = Array.from({ length: Math.min(cameras, 8) }, (_, k) => k);
  const colors = (pictures: ArrayLike<number>): Float32Array => {
    const rows = toRows(layout, Float32Array.from(pictures), 4).subarray(0, frames.length * width * height * 4);
    return rows.filter((_, k) => k % 4 !== 3);
  };
  return { width, height, frames, target: colors(target), estimate: colors(predicted['pixels.rgba']) };
}
