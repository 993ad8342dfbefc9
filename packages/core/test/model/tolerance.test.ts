import type { Tolerance } from '@gradsim/core';
import {
  abs,
  bind,
  conjugateGradients,
  cpuDevice,
  createSimulation,
  f32,
  f64Device,
  field,
  implicit,
  iterate,
  kernel,
  Model,
  perWorld,
} from '@gradsim/core';
import { describe, expect, it } from 'vitest';

const RUN = { frames: 2, frameRate: 10, substeps: 1 };
const devices = { f32: cpuDevice({ threads: 1 }), f64: f64Device() };
const BY_PRECISION = { f32: 1e-5, f64: 1e-12 };

/** Builds a model that computes y = sqrt(a) by Newton's iteration, until its change is below a tolerance. */
function root(below: Tolerance, maxRounds = 40): Model {
  const model = new Model();
  model.addDomain('nodes', 3);
  model.addField('nodes', 'a', f32, { values: [2, 9, 50] });
  model.addField('nodes', 'y', f32, { fill: 1 });
  const newton = kernel(
    'newton',
    { domain: 'nodes', reads: { a: f32, y: f32 }, writes: { y: f32 }, adds: { change: perWorld(f32) } },
    ({ a, y, change }) => {
      const next = y.add(a.div(y)).div(2);
      change.add(abs(next.sub(y)));
      return { y: next };
    },
  );
  model.addPass('integrate', iterate([newton], { until: { field: 'change', below }, maxRounds, name: 'roots' }));
  return model;
}

const [b, x, g] = ['b', 'x', 'g'].map((name) => field('nodes', name, f32));
const diagonal = kernel(
  'diagonal',
  { domain: 'nodes', reads: { from: f32, a: f32 }, writes: { into: f32 } },
  ({ from, a }) => ({ into: from.mul(a) }),
);
const balance = kernel('balance', { domain: 'nodes', reads: { x, b, a: f32 }, adds: { g } }, ({ x, b, a, g }) =>
  g.add(a.mul(x).sub(b)),
);

/** Builds a model that solves a x = b by conjugate gradients, with the derivative of that equation. */
function linear(tolerance: Tolerance, residualTolerance: Tolerance, ofDerivative = tolerance): Model {
  const model = new Model();
  model.addDomain('nodes', 3);
  model.addField('nodes', 'a', f32, { values: [2, 9, 50] });
  model.addField(b, { values: [0.1, 0.2, 0.3] });
  model.addField(x, { fill: 0 });
  const solution = conjugateGradients({
    name: 'solve',
    rightSide: b,
    solution: x,
    product: (from, into) => bind(diagonal, { from, into }),
    tolerance,
  });
  const equation = { unknown: x, residual: g, equations: [balance], symmetric: true, name: 'step' };
  model.addPass('integrate', implicit(solution, { ...equation, tolerance: ofDerivative, residualTolerance }));
  return model;
}

const end = async (model: Model, key: string, precision: 'f32' | 'f64'): Promise<number[]> => {
  const simulation = await createSimulation(model, { ...RUN, device: devices[precision] });
  simulation.forward();
  const values = [...(await simulation.read(key))];
  simulation.dispose();
  return values;
};

describe('a tolerance for each precision', () => {
  it('ends an iteration with an error below 1e-6 in f32 and 1e-14 in f64', async () => {
    const largest = (values: readonly number[]): number =>
      Math.max(...[2, 9, 50].map((a, n) => Math.abs(values[n] / Math.sqrt(a) - 1)));
    expect(largest(await end(root(BY_PRECISION), 'nodes.y', 'f32'))).toBeLessThan(1e-6);
    expect(largest(await end(root(BY_PRECISION), 'nodes.y', 'f64'))).toBeLessThan(1e-14);
  });
  it('is quoted for the current device if an iteration does not converge', async () => {
    await expect(end(root(BY_PRECISION, 3), 'nodes.y', 'f32')).rejects.toThrowCode({
      code: 'core/alarm',
      values: [0.00001, 'f32', 'f64'],
    });
    await expect(end(root(BY_PRECISION, 3), 'nodes.y', 'f64')).rejects.toThrowCode({
      code: 'core/alarm',
      values: ['1e-12'],
    });
  });
  it('lets a linear solve run in both precisions, each to its own tolerance', async () => {
    const model = linear(BY_PRECISION, { f32: 1e-5, f64: 1e-11 });
    const [single, double] = [await end(model, 'nodes.x', 'f32'), await end(model, 'nodes.x', 'f64')];
    for (const [n, a] of [2, 9, 50].entries()) {
      const exact = (0.1 * (n + 1)) / a;
      expect(Math.abs(single[n] - exact)).toBeLessThan(1e-5);
      expect(Math.abs(double[n] - exact)).toBeLessThan(1e-12);
    }
  });
  it('is refused where one of them is not positive', () => {
    expect(() => root({ f32: 1e-5, f64: 0 })).toThrowCode({
      code: 'core/option-out-of-range',
      values: [0.00001, 'f32', 'f64', 'roots', 'change'],
    });
    expect(() => linear(1e-5, { f32: -1, f64: 1 })).toThrowCode({
      code: 'core/option-out-of-range',
      values: [-1, 'residualTolerance', 'f32', 'f64'],
    });
  });
});

describe('a relative tolerance below the resolution of the device', () => {
  it('is refused before anything runs, naming the solve and the precision', async () => {
    const model = linear(1e-9, 1);
    await expect(createSimulation(model, { ...RUN, device: devices.f32 })).rejects.toThrowCode({
      code: 'core/tolerance-too-fine',
      values: ['1e-9', 'solve', 'single'],
    });
    expect((await end(model, 'nodes.x', 'f64'))[0]).toBeCloseTo(0.05, 9);
    await expect(createSimulation(linear(1e-17, 1), { ...RUN, device: devices.f64 })).rejects.toThrowCode({
      code: 'core/tolerance-too-fine',
      values: ['1e-17', 'solve', 'double'],
    });
  });
  it('is refused in the solve of a derivative if there is one', async () => {
    const model = linear(1e-5, 1, 1e-9);
    expect((await end(model, 'nodes.x', 'f32'))[0]).toBeCloseTo(0.05, 4);
    const options = { ...RUN, device: devices.f32, parameters: ['nodes.b'], outputs: ['nodes.x'] };
    await expect(createSimulation(model, options)).rejects.toThrowCode({
      code: 'core/tolerance-too-fine',
      values: ['1e-9', 'stepBack'],
    });
  });
});
