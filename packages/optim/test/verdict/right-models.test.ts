import { createSimulation, f64Device } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { draws, normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { LINE, lineModel, lineParameters } from '../line.ts';
import { drag, gravity, motesModel, RUN, seenBy, vx } from '../motes.ts';

// Rates of false alarms, in a table by kind of problem and of finding. Each draw has noise of its own.
const device = f64Device();
/** Number of estimates per problem, each from a new draw of the noise. */
const DRAWS = draws(3, 48);
const normal = normalNumbers(randomNumbers(seedOfRun('right models', 31)));

/**
 * Noise of variance 1, flat [frame][value]: white, correlated by 0.5 with the previous frame, or blurred over
 * neighbouring values.
 */
function noiseOf(kind: 'white' | 'drifting' | 'blurred', frames: number, values: number): Float64Array {
  const sharp = Float64Array.from({ length: frames * values + 2 }, normal);
  const all = new Float64Array(frames * values);
  for (let k = 0; k < all.length; k++) {
    if (kind === 'white') all[k] = sharp[k];
    else if (kind === 'blurred') all[k] = (sharp[k] + sharp[k + 1] + sharp[k + 2]) / Math.sqrt(3);
    else all[k] = k < values ? sharp[k] : 0.5 * all[k - values] + Math.sqrt(0.75) * sharp[k];
  }
  return all;
}

const motes = motesModel();
const line = lineModel();
const picture = await lineShown();
const tracks = await seenBy(motes);
async function lineShown(): Promise<Float64Array> {
  const simulation = await createSimulation(line, { device, ...LINE, record: ['pixels.light'] });
  simulation.forward();
  const seen = await simulation.readFrames('pixels.light');
  simulation.dispose();
  return seen;
}

/**
 * Function that makes a problem whose film has noise of a given standard deviation; `isGiven`: the observation states
 * it.
 */
type Make = (noise: Float64Array, size: number, isGiven: boolean) => Problem;
const noisy = (clean: Float64Array, noise: Float64Array, size: number): Float64Array =>
  clean.map((value, k) => value + size * noise[k]);
const lineOf: Make = (noise, size, isGiven) => ({
  model: line,
  ...LINE,
  parameters: lineParameters(0.1),
  observations: [{ field: 'pixels.light', target: noisy(picture, noise, size), ...(isGiven && { noise: size }) }],
});
const motesOf: Make = (noise, size, isGiven) => ({
  model: motes,
  ...RUN,
  parameters: [{ ...gravity, initial: -9 }, { ...drag, initial: 0.4 }, vx],
  observations: [{ field: 'motes.seen', target: noisy(tracks, noise, size), ...(isGiven && { noise: size }) }],
});
/** Makes the same problem with only the first `frames` frames. */
const short =
  (make: Make, frames: number): Make =>
  (noise, size, isGiven) => {
    const { observations, ...rest } = make(noise, size, isGiven);
    const own = (observations ?? []).map((o) => ({
      ...o,
      target: Array.from(o.target).slice(0, (o.target.length / rest.frames) * frames),
    }));
    return { ...rest, frames, observations: own };
  };
const withPrior =
  (make: Make): Make =>
  (noise, size, isGiven) => {
    const { parameters = [], ...rest } = make(noise, size, isGiven);
    const [first, ...others] = parameters;
    const mean = first.name === 'gravity' ? -9.8 : 6;
    return { ...rest, parameters: [{ ...first, prior: { mean, standardDeviation: 0.05 } }, ...others] };
  };

const SERIES: readonly (readonly [string, Make, Float64Array, number, number])[] = [
  ['pictures', lineOf, picture, LINE.frames, 0.05],
  ['pictures of little noise', lineOf, picture, LINE.frames, 0.002],
  ['12 pictures', short(lineOf, 12), picture, LINE.frames, 0.05],
  ['pictures, a prior', withPrior(lineOf), picture, LINE.frames, 0.05],
  ['states', motesOf, tracks, RUN.frames, 0.01],
  ['8 frames of states', short(motesOf, 8), tracks, RUN.frames, 0.01],
  ['states, a prior', withPrior(motesOf), tracks, RUN.frames, 0.01],
];

it('at most 5 % of estimates with correct models are distrusted', async () => {
  let [all, distrusted] = [0, 0];
  for (const [name, make, clean, frames, size] of SERIES)
    for (const kind of ['white', 'drifting', 'blurred'] as const) {
      const counts: Record<string, number> = {};
      let own = 0;
      for (let draw = 0; draw < DRAWS; draw++) {
        const noise = noiseOf(kind, frames, clean.length / frames);
        const { verdict } = await estimate(make(noise, size, draw % 2 === 1), { device });
        own += Number(!verdict.trusted);
        for (const { kind: what, isCritical } of verdict.findings) {
          const key = isCritical ? `${what} (critical)` : what;
          counts[key] = (counts[key] ?? 0) + 1;
        }
      }
      console.log(JSON.stringify({ series: name, noise: kind, draws: DRAWS, distrusted: own, findings: counts }));
      all += DRAWS;
      distrusted += own;
    }
  console.log(JSON.stringify({ draws: all, distrusted, share: distrusted / all }));
  expect(distrusted / all).toBeLessThanOrEqual(0.05);
});
