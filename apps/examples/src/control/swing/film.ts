import { Link } from '@gradsim/articulated';
import type { Device, Model } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import type { Strip } from '@gradsim/optim';
import { picturesOf, randomNumbers } from '@gradsim/optim';
import { colorRows, layoutOf, Pixel } from '@gradsim/render';
import { DURATION, UNSEEN_SEED } from './held.ts';
import type { Weights } from './pendulum.ts';
import { RATE } from './rods.ts';
import { hangingStart } from './starts.ts';

/** Frame rate of the film, 1/s. */
const FILM_RATE = 20;

/** Renders a run from the first test start, beside a picture of the upright pendulum. */
export async function filmOfSwing(model: Model, weights: Weights, device: Device, seed: number): Promise<Strip> {
  const frames = DURATION * FILM_RATE + 1;
  const substeps = RATE / FILM_RATE;
  const run = { device, frameRate: FILM_RATE, substeps, onWarning: () => {} };
  const layout = layoutOf(model);
  const { width, height } = layout;
  const upright = { [Link.coordinate.key]: [Math.PI, 0] };
  const goal = colorRows(layout, await recordOf(model, Pixel.rgba, { ...run, frames: 1, values: upright }));
  const values = { ...weights, ...hangingStart(randomNumbers(UNSEEN_SEED + seed)) };
  const estimate = colorRows(layout, await recordOf(model, Pixel.rgba, { ...run, frames, values }));
  const all = [...Array(frames).keys()];
  return { width, height, frames: all, target: () => goal, estimate: picturesOf(estimate, frames) };
}
