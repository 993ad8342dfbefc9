import type { Device, FieldKey, Model } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import type { Observation, Problem } from '@gradsim/optim';

/**
 * Observations of states instead of pixels, for example poses of bodies, in every frame and without noise. The paper
 * calls an estimate from these DiffPhysics.
 *
 * ```ts
 * const observations = await statesOf(model, timeline, [Body.position, Body.orientation], device);
 * await estimate({ model, ...timeline, parameters, observations }, { device });
 * ```
 */
export async function statesOf(
  model: Model,
  { frames, frameRate, substeps }: Pick<Problem, 'frames' | 'frameRate' | 'substeps'>,
  fields: readonly FieldKey[],
  device: Device,
): Promise<Observation[]> {
  const observations: Observation[] = [];
  for (const field of fields)
    observations.push({ field, target: await recordOf(model, field, { device, frames, frameRate, substeps }) });
  return observations;
}
