import type { Device, FieldKey, Model, Simulation } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { fromRows, type ImageLayout, toRows } from '@gradsim/render';

/** Values of pictures: [channel][row][column]. */
export type Channels = readonly (readonly (readonly number[])[])[];

/** Returns pixels row by row in one flat array, with the four channels of each pixel together. */
export function rowsOf(channels: Channels): Float64Array {
  const planes = channels.map((rows) => rows.flat());
  return Float64Array.from({ length: 4 * planes[0].length }, (_, k) => planes[k % 4][Math.floor(k / 4)]);
}

/** A picture that was drawn, and its simulation, from which derivatives are read. */
interface DrawnPicture {
  readonly simulation: Simulation;
  /** Pixels row by row. */
  readonly image: ArrayLike<number>;
  /** Leads derivatives back anew from these weights of the pixels, row by row. */
  readonly backward: (weights: Float64Array) => void;
}

/**
 * Draws the picture of a scene, leads its derivatives back from the weights of its pixels, and returns what `use` makes of
 * both.
 *
 * @param parameters fields by which derivatives are asked for.
 */
export async function withPicture<Result>(
  { model, layout }: { readonly model: Model; readonly layout: ImageLayout },
  { device, parameters }: { readonly device: Device; readonly parameters: readonly FieldKey[] },
  weights: Float64Array,
  use: (drawn: DrawnPicture) => Promise<Result>,
): Promise<Result> {
  const once = { frames: 1, frameRate: 1, substeps: 1 };
  const simulation = await createSimulation(model, { device, ...once, parameters, record: ['pixels.rgba'] });
  try {
    simulation.forward();
    const image = toRows(layout, await simulation.readFrames('pixels.rgba'), 4);
    const backward = (own: Float64Array): void => simulation.backward({ 'pixels.rgba': fromRows(layout, own, 4) });
    backward(weights);
    return await use({ simulation, image, backward });
  } finally {
    simulation.dispose();
  }
}
