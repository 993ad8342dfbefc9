// Exact fits whose later frames are too chaotic for derivatives take their standard errors from earlier frames.

import { cpuDevice, createSimulation, f32, kernel, Model } from '@gradsim/core';
import type { Estimate } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { afterAll, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

const device = cpuDevice();
afterAll(() => device.dispose());
const normal = normalNumbers(randomNumbers(seedOfRun('smooth beginning', 3)));
const RUN = { frames: 40, frameRate: 1, substeps: 1 } as const;
const START = 0.1234;

/** Logistic map: distances of trajectories, and derivatives, about double every frame. */
function chaotic(): Model {
  const model = new Model();
  model.addDomain('seeds', 1);
  model.addField('seeds', 'x', f32, { values: [START] });
  model.addField('seeds', 'seen', f32, { fill: 0 });
  const map = kernel('map', { domain: 'seeds', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
    x: x.mul(x.neg().add(1)).mul(3.99),
  }));
  const look = kernel('look', { domain: 'seeds', reads: { x: f32 }, writes: { seen: f32 } }, ({ x }) => ({ seen: x }));
  model.addPass('integrate', map);
  model.addPass('observe', look);
  return model;
}

/** Estimate of the map's start, from the true one, out of frames with Gaussian noise. */
async function found(noise: number): Promise<Estimate> {
  const simulation = await createSimulation(chaotic(), { ...RUN, device, record: ['seeds.seen'] });
  simulation.forward();
  const target = (await simulation.readFrames('seeds.seen')).map((x) => x + noise * normal());
  simulation.dispose();
  return estimate(
    {
      model: chaotic(),
      ...RUN,
      parameters: [{ name: 'start', field: 'seeds.x', initial: START, truth: START }],
      observations: [{ field: 'seeds.seen', target }],
      options: { search: { method: 'levenberg-marquardt', iterations: 0 } },
    },
    { device },
  );
}

it('an exact fit is trusted, with the standard error of the frames in which derivatives predict changes', async () => {
  const { verdict, parameters } = await found(0);
  const [finding] = verdict.findings.filter(({ kind }) => kind === 'false derivatives');
  expect(finding).toMatchObject({ isCritical: false, unknowns: ['start'] });
  expect(finding.note).toMatch(/^After frame \d+ of 40 /);
  expect(verdict.trusted).toBe(true);
  const { estimate: value, standardError } = parameters.start;
  expect(Math.abs(value - START)).toBeLessThan(2 * standardError!);
  expect(standardError!).toBeLessThan(1e-3 * START);
});

it('a fit with noise is distrusted, since its later frames could hide a wrong model', async () => {
  const { verdict } = await found(0.02);
  expect(verdict.findings).toContainEqual(expect.objectContaining({ kind: 'false derivatives', isCritical: true }));
  expect(verdict.trusted).toBe(false);
});
