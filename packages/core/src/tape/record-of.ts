import type { FrameClock } from '../model/clock.ts';
import type { Model } from '../model/model.ts';
import type { FieldKey } from '../model/references.ts';
import { createSimulation } from './create.ts';
import type { SimulationOptions } from './options.ts';

/** Options of {@link recordOf}. */
export interface RecordOptions
  extends Pick<SimulationOptions, 'device' | 'frames' | keyof FrameClock | 'substeps' | 'worlds' | 'onWarning'> {
  /** Values that differ from the model's, by the key of their field, as {@link Simulation.set} takes them. */
  readonly values?: Readonly<Record<string, ArrayLike<number>>>;
}

/**
 * Runs a model once and reads one field in every frame, such as its pictures.
 *
 * ```ts
 * const heights = await recordOf(model, Body.position, { device, frames: 60, frameRate: 30, substeps: 32 });
 * ```
 * @param field a frame field or a state.
 * @returns its values in one flat array, in the order frame, world, element, component.
 * @throws where `createSimulation` does, where `values` do not fit, and for a value that is not finite.
 */
export async function recordOf(
  model: Model,
  field: FieldKey,
  { values = {}, ...run }: RecordOptions,
): Promise<Float64Array> {
  const simulation = await createSimulation(model, { ...run, record: [field] });
  try {
    for (const [key, given] of Object.entries(values)) simulation.set(key, given);
    simulation.forward();
    return await simulation.readFrames(field);
  } finally {
    simulation.dispose();
  }
}
