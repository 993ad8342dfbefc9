import type { Device } from '@gradsim/kernel';
import type { Model } from '../model/model.ts';
import { cycleOf } from '../model/phases.ts';
import type { SimulationOptions } from './options.ts';

/** Returns the device that runs a model fastest, by the mean number of elements of the dispatches of a frame. */
export function suitedDevice(
  model: Model,
  { device, substeps, worlds = 1, tangents = 1, derivative }: SimulationOptions,
): Device {
  let [elements, dispatches] = [0, 0];
  for (const { phase, kernel } of model.kernels()) {
    const cycle = cycleOf(phase);
    const times = cycle === 'physics' ? substeps : Number(cycle === 'frame');
    elements += times * model.domain(kernel.form.domain).size;
    dispatches += times;
  }
  const values = derivative === 'tangent' ? 1 + tangents : 1;
  return device.forElements?.((elements / dispatches) * worlds * values) ?? device;
}
