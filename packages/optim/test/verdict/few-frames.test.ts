import { createSimulation, f64Device } from '@gradsim/core';
import { estimate } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { draws, normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { LINE, lineModel, lineParameters } from '../line.ts';

const device = f64Device();
const model = lineModel();
const NOISE = 0.02;

/** Of `count` films with so many frames, whose model and noise are right: how many are trusted. */
async function trustedOf(count: number, frames: number, normal: () => number): Promise<number> {
  const run = { ...LINE, frames, frameRate: 6 };
  const simulation = await createSimulation(model, { device, ...run, record: ['pixels.light'] });
  simulation.forward();
  const clean = await simulation.readFrames('pixels.light');
  simulation.dispose();
  let trusted = 0;
  for (let k = 0; k < count; k++) {
    const target = clean.map((value) => value + NOISE * normal());
    const observations = [{ field: 'pixels.light', target, noise: NOISE }] as const;
    const { verdict } = await estimate({ model, ...run, parameters: lineParameters(0.02), observations }, { device });
    if (verdict.trusted) trusted++;
  }
  return trusted;
}

it.each([4, 5, 6, 7, 8])('right models of films of %i frames are trusted', async (frames) => {
  const normal = normalNumbers(randomNumbers(seedOfRun(`films of ${frames} frames`)));
  const count = draws(8, 100);
  // At most 5 % are expected to be distrusted; of 8, two or more by chance in one of 17 runs of this seed's like.
  expect(await trustedOf(count, frames, normal)).toBeGreaterThanOrEqual(count - Math.max(1, 0.1 * count));
});
