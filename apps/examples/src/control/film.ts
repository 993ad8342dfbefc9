import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { Estimate, Strip } from '@gradsim/optim';
import { layoutOf, toRows } from '@gradsim/render';
import type { ControlTask } from './task.ts';

/**
 * The whole motion of a task, in colours.
 * @param found what was found; what the search begins with without it.
 */
export async function filmOf(
  { model, film, arrays }: Pick<ControlTask, 'model' | 'film' | 'arrays'>,
  device: Device,
  found?: Estimate['arrays'],
): Promise<Omit<Strip, 'target'>> {
  const record = ['pixels.rgba'];
  const simulation = await createSimulation(model, { device, ...film, record, onWarning: () => {} });
  try {
    for (const { name, field } of found ? arrays : []) {
      const { estimate: values } = found![name];
      const { domain, components } = model.field(field);
      const count = model.domain(domain).size * components;
      // What all elements share is there once.
      simulation.set(
        field,
        Float64Array.from({ length: count }, (_, k) => values[k % values.length]),
      );
    }
    simulation.forward();
    const layout = layoutOf(model);
    const { width, height } = layout;
    const rows = toRows(layout, await simulation.readFrames('pixels.rgba'), 4);
    const shown = Float32Array.from(
      { length: film.frames * 3 * width * height },
      (_, k) => rows[4 * Math.floor(k / 3) + (k % 3)],
    );
    return { width, height, frames: [...Array(film.frames).keys()], estimate: shown };
  } finally {
    simulation.dispose();
  }
}
