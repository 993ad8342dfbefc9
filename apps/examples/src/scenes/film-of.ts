import type { Device, Model } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';

/** The film of a model as it is: `pixels.rgba` of every frame. */
export async function filmOf(
  model: Model,
  timeline: { readonly frames: number; readonly frameRate: number; readonly substeps: number },
  device: Device,
): Promise<Float64Array> {
  const simulation = await createSimulation(model, { device, ...timeline, record: ['pixels.rgba'] });
  try {
    simulation.forward();
    return await simulation.readFrames('pixels.rgba');
  } finally {
    simulation.dispose();
  }
}
