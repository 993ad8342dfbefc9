import type { Model, Scene } from '@gradsim/core';
import type { ModelFilm } from '@gradsim/film';
import { filmModel, readPictures } from '@gradsim/film';
import type { ExperimentContext } from '@gradsim/optim';
import { OrbitCamera } from '@gradsim/render';

/** Timeline of a run with a single picture. */
export const STILL = { frames: 1, frameRate: 1, substeps: 1 } as const;

/** Adds cameras on all sides that look at the origin, in directions of a golden spiral from below to above. */
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
 * Observed pictures of all cameras of a model: those of `--video`, one per camera in their order, or renderings of
 * another model.
 *
 * @param truth model whose pictures are rendered; it has the cameras of `model`.
 * @throws for pictures of another size than the cameras', or too few.
 */
export const seenStills = (
  model: Model,
  truth: Model,
  { device, video, signal }: Pick<ExperimentContext, 'device' | 'video' | 'signal'>,
): Promise<ModelFilm> =>
  video === undefined ? filmModel(truth, STILL, { device }) : readPictures(video, model, STILL, { signal });
