import type { Device, Model } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import type { ArraySpec, Estimate, Strip } from '@gradsim/optim';
import { picturesOf } from '@gradsim/optim';
import { colorRows, layoutOf, Pixel } from '@gradsim/render';
import type { ControlTask } from './task.ts';

/**
 * Renders the whole motion of a task, in colours.
 *
 * @param found the estimated values; without them the initial ones are used.
 */
export async function filmOf(
  { model, film, arrays }: Pick<ControlTask, 'model' | 'film' | 'arrays'>,
  device: Device,
  found?: Estimate['arrays'],
): Promise<Omit<Strip, 'target'>> {
  const values = Object.fromEntries((found ? arrays : []).map((array) => estimatedValues(model, array, found!)));
  const rgba = await recordOf(model, Pixel.rgba, { device, ...film, values, onWarning: () => {} });
  const layout = layoutOf(model);
  const { width, height } = layout;
  const frames = [...Array(film.frames).keys()];
  return { width, height, frames, estimate: picturesOf(colorRows(layout, rgba), film.frames) };
}

/** Key of an array's field and the values for all its elements; the estimate has only one element if all share it. */
function estimatedValues(model: Model, { name, field }: ArraySpec, found: Estimate['arrays']): [string, Float64Array] {
  const { estimate } = found[name];
  const { key, domain, components } = model.field(field);
  const count = model.domain(domain).size * components;
  return [key, Float64Array.from({ length: count }, (_, k) => estimate[k % estimate.length])];
}
