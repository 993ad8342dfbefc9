import type { Device, Model } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { Observation, Strip } from '@gradsim/optim';
import { layoutOf, toRows } from '@gradsim/render';
import { through8Bit } from '../scenes/eight-bit.ts';
import type { SoftInstance } from './instance.ts';

/** What is seen of an instance: its film, as floats or through 8-bit PNG files, or where its particles are. */
export type Seen = 'film' | 'png' | 'positions';
export const SEEN: readonly Seen[] = ['film', 'png', 'positions'];

/** Films an instance as it is. The film has no alpha channel, so alpha gets no weight. */
export async function observe({ model, timeline }: SoftInstance, seen: Seen, device: Device): Promise<Observation> {
  const field = seen === 'positions' ? 'vertices.position' : 'pixels.rgba';
  const simulation = await createSimulation(model, { device, ...timeline, record: [field] });
  try {
    simulation.forward();
    const target = await simulation.readFrames(field);
    if (seen === 'positions') return { field, target };
    const film = seen === 'png' ? await through8Bit(model, target, timeline.frames) : target;
    return { field, target: film, weights: [1, 1, 1, 0] };
  } finally {
    simulation.dispose();
  }
}

/** The frames of two films of the same instance, for a report. */
export function filmStrip(model: Model, frames: number, target: ArrayLike<number>, estimate: ArrayLike<number>): Strip {
  const layout = layoutOf(model);
  const { width, height, pixels } = layout;
  const shown = [...Array(frames).keys()];
  const pictures = (film: ArrayLike<number>): Float32Array => {
    const out = new Float32Array(shown.length * width * height * 3);
    shown.forEach((frame, k) => {
      const tiled = Float32Array.from({ length: pixels * 4 }, (_, i) => film[frame * pixels * 4 + i]);
      const rows = toRows(layout, tiled, 4);
      for (let p = 0; p < width * height; p++)
        for (let c = 0; c < 3; c++) out[(k * width * height + p) * 3 + c] = rows[p * 4 + c];
    });
    return out;
  };
  return { width, height, frames: shown, target: pictures(target), estimate: pictures(estimate) };
}
