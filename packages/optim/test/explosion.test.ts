// Searches for controls: whether their goal is reached, and gradients that explode, with the time from which they do.
import type { Device } from '@gradsim/core';
import { cpuDevice, f32, f64Device, kernel, Model } from '@gradsim/core';
import type { EstimateOptions, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';

const RATE = 100;

/** A value in [0, 1] that a substep takes to growth x (1 - x): chaotic for a growth of 3.9, and calm for one of 2.5. */
function logistic(growth: number): Model {
  const model = new Model();
  model.addDomain('maps', 1);
  model.addField('maps', 'x', f32, { fill: 0.3 });
  const step = kernel('step', { domain: 'maps', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
    x: x.mul(growth).mul(f32(1).sub(x)),
  }));
  const look = kernel('look', { domain: 'maps', reads: { x: f32 }, writes: { off: f32 } }, ({ x }) => ({
    off: x.sub(0.5).mul(x.sub(0.5)),
  }));
  model.addPass('integrate', step);
  model.addPass('observe', look);
  return model;
}

const problem = (model: Model, substeps: number, options: EstimateOptions): Problem => ({
  ...{ model, frames: 2, frameRate: RATE / substeps, substeps },
  parameters: [{ name: 'x', field: 'maps.x', initial: 0.2, range: [0.01, 0.99], scale: 1 }],
  losses: [{ field: 'maps.off', frames: 'last' }],
  options: { method: 'l-bfgs', iterations: 6, ...options },
});

/** When a unit step of the start would move x more than ten thousand times as far as it moves at all, s. */
function explodesAt(growth: number, substeps: number, start: number): number {
  const xs = [start];
  const along = [1];
  for (let k = 0; k < substeps; k++) {
    along.push(along[k] * growth * (1 - 2 * xs[k]));
    xs.push(growth * xs[k] * (1 - xs[k]));
  }
  const extent = Math.max(...xs.map((x) => Math.abs(x - start)));
  return along.findIndex((d) => Math.abs(d) > 1e4 * extent) / RATE;
}

const devices: readonly [string, Device][] = [
  ['f64', f64Device()],
  ['cpu', cpuDevice({ threads: 1 })],
];

describe.each(devices)('gradients that explode, on %s', (_, device) => {
  it.each([
    ['overflow on the way back', 3000],
    ['are out of proportion to the loss', 60],
  ])('are told with the time from which they do: %s', async (_, substeps) => {
    const given = problem(logistic(3.9), substeps, {});
    const found = await estimate(given, { device }).catch((error: Error) => error);
    const note =
      found instanceof Error
        ? found.message
        : found.verdict.findings.find(({ kind }) => kind === 'exploding gradients')?.note;
    const x = found instanceof Error ? 0.2 : found.parameters.x.estimate;
    expect(note).toMatch(/^The gradient explodes: beyond [\d.]+ s of [\d.]+ s derivatives are larger/);
    const [after, duration] = [...note!.matchAll(/([\d.]+) s/g)].map(([, s]) => Number(s));
    expect(duration).toBe(substeps / RATE);
    // Looked at in some 60 moments of the run; single precision leaves the orbit after a while.
    const moment = Math.max(1, substeps / 60) / RATE;
    expect(Math.abs(after - explodesAt(3.9, substeps, x))).toBeLessThanOrEqual(1.01 * moment + 0.05);
  });

  it('are none where the motion is calm', async () => {
    const found = await estimate(problem(logistic(2.5), 300, {}), { device });
    expect(found.verdict.findings.map(({ kind }) => kind)).not.toContain('exploding gradients');
  });
});

describe('a goal', () => {
  // After two substeps of the calm map x can be 0.5; once it has settled at 0.6 it cannot.
  it('is reached where the loss is at most what counts', async () => {
    const { verdict } = await estimate(problem(logistic(2.5), 2, { reached: 1e-4, iterations: 20 }), {
      device: f64Device(),
    });
    expect(verdict).toMatchObject({ trusted: true, goal: 'reached' });
    expect(verdict.findings.find(({ kind }) => kind === 'goal')?.note).toMatch(
      /^The goal is reached: the loss is/,
    );
  });
  it('is missed where it is not, and the result not to be relied on', async () => {
    const { verdict, loss } = await estimate(problem(logistic(2.5), 200, { reached: 1e-4 }), {
      device: f64Device(),
    });
    expect(loss).toBeCloseTo(0.01, 6);
    expect(verdict).toMatchObject({ trusted: false, goal: 'missed' });
    expect(verdict.findings[0].note).toBe(
      'The goal is not reached: the loss is 0.0100 (0.0100 at the start, at most 0.0001 counts).',
    );
  });
  it('is none of a measurement', async () => {
    const { verdict } = await estimate(problem(logistic(2.5), 2, {}), { device: f64Device() });
    expect(verdict.goal).toBeNull();
  });
  it('is a finite number', async () => {
    await expect(
      estimate(problem(logistic(2.5), 2, { reached: Number.NaN }), { device: f64Device() }),
    ).rejects.toThrow('`reached` is NaN; it must be a finite number, a loss.');
  });
});
