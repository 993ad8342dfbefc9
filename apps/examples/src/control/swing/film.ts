import { Link } from '@gradsim/articulated';
import type { Device, Model } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { Strip } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';
import { layoutOf, toRows } from '@gradsim/render';
import { DURATION, UNSEEN_SEED } from './held.ts';
import type { Weights } from './pendulum.ts';
import { RATE } from './rods.ts';
import { hanging } from './starts.ts';

/** Pictures a second. */
const FILM_RATE = 20;

/** A run from the first start that training has not seen, beside the pendulum as it is to stand. */
export async function filmOfSwing(model: Model, weights: Weights, device: Device, seed: number): Promise<Strip> {
  const frames = DURATION * FILM_RATE + 1;
  const simulation = await createSimulation(model, {
    device,
    frames,
    frameRate: FILM_RATE,
    substeps: RATE / FILM_RATE,
    record: ['pixels.rgba'],
    onWarning: () => {},
  });
  try {
    const layout = layoutOf(model);
    const { width, height, pixels } = layout;
    const shown = async (count: number): Promise<Float32Array> => {
      const rows = toRows(layout, (await simulation.readFrames('pixels.rgba')).slice(0, 4 * pixels * count), 4);
      return Float32Array.from({ length: 3 * pixels * count }, (_, k) => rows[4 * Math.floor(k / 3) + (k % 3)]);
    };
    simulation.set(Link.coordinate, [Math.PI, 0]);
    simulation.forward();
    const goal = await shown(1);
    for (const [key, values] of Object.entries({ ...weights, ...hanging(randomNumbers(UNSEEN_SEED + seed)) }))
      simulation.set(key, values);
    simulation.forward();
    const target = new Float32Array(3 * pixels * frames);
    for (let frame = 0; frame < frames; frame++) target.set(goal, 3 * pixels * frame);
    const all = [...Array(frames).keys()];
    return { width, height, frames: all, target, estimate: await shown(frames) };
  } finally {
    simulation.dispose();
  }
}
