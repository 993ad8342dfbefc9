import type { Device } from '@gradsim/core';
import { createSimulation, f32, f64Device, kernel, Model, perWorld, select } from '@gradsim/core';
import type { Estimate, EstimateOptions, ParameterSpec, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { afterAll, describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

// A cart that an engine drives until a moment, and that brakes from then on. Its positions determine the moment, but no
// derivative does: the moment acts through a comparison alone.

const device: Device = f64Device();
afterAll(() => device.dispose());
const RUN = { frames: 25, frameRate: 12, substeps: 8 } as const;
const TRUTH = { until: 1.1, push: 2 };
/** Standard deviation of the target's noise, m. */
const NOISE = 0.02;
/**
 * Expected standard errors at the truth for independent residuals of that noise, from finite differences: s and m/s^2.
 */
const ERRORS = { until: 0.0085, push: 0.0153 };

const drive = kernel(
  'drive',
  {
    domain: 'carts',
    reads: { x: f32, v: f32, until: perWorld(f32), push: perWorld(f32) },
    writes: { x: f32, v: f32 },
  },
  ({ x, v, until, push }, { time, dt }) => {
    const next = v.add(select(time.lt(until), push, v.mul(-1.5)).mul(dt));
    return { v: next, x: x.add(next.mul(dt)) };
  },
);

function cartModel(): Model {
  const model = new Model();
  model.addDomain('carts', 1);
  model.addField('carts', 'x', f32, { fill: 0 });
  model.addField('carts', 'v', f32, { fill: 0 });
  model.addField('world', 'until', f32, { fill: 1, unit: 's' });
  model.addField('world', 'push', f32, { fill: 1, unit: 'm/s^2' });
  model.addPass('integrate', drive);
  return model;
}

async function seen(noise: () => number, { until, push } = TRUTH): Promise<Float64Array> {
  const simulation = await createSimulation(cartModel(), { device, ...RUN, record: ['carts.x'] });
  simulation.set('world.until', [until]);
  simulation.set('world.push', [push]);
  simulation.forward();
  const x = await simulation.readFrames('carts.x');
  simulation.dispose();
  return x.map((value) => value + noise());
}

const until: ParameterSpec = {
  name: 'until',
  field: 'world.until',
  derivative: 'none',
  initial: 0.6,
  range: [0.2, 1.8],
  truth: TRUTH.until,
};
const push: ParameterSpec = { name: 'push', field: 'world.push', initial: 1.5, truth: TRUTH.push };

const problemOf = (
  target: ArrayLike<number>,
  parameters: readonly ParameterSpec[] = [until, push],
  options: EstimateOptions = {},
): Problem => ({
  model: cartModel(),
  ...RUN,
  parameters,
  options,
  observations: [{ field: 'carts.x', target }],
});

const criticalOf = (found: Estimate): Estimate['verdict']['findings'] =>
  found.verdict.findings.filter(({ isCritical }) => isCritical);

describe('an unknown without a derivative', () => {
  it('is refused unless declared so, with advice, as a parameter, by a tie, or as an array', async () => {
    const { derivative: _, ...plain } = until;
    const target = await seen(() => 0);
    await expect(estimate(problemOf(target, [plain, push]), { device })).rejects.toThrowCode({
      code: 'optim/dead-unknown',
      values: ["`derivative: 'none'`", '`range`', 'world.until'],
    });
    for (const search of [{ method: 'l-bfgs' }, { method: 'adam', scan: 20 }] as const)
      await expect(estimate(problemOf(target, [plain], { search }), { device })).rejects.toThrowCode({
        code: 'optim/dead-unknown',
        values: ['The parameter until sets world.until'],
      });
    const tied = {
      ...problemOf(target, [{ name: 'half', initial: 0.5 }, push]),
      ties: [{ field: 'world.until', compute: ({ half = 0 }) => 2 * half }],
    };
    await expect(estimate(tied, { device })).rejects.toThrowCode({
      code: 'optim/dead-unknown',
      values: ['The parameter half sets world.until. No output'],
    });
    const array = { name: 'moments', field: 'world.until', initial: 0.5 };
    await expect(estimate({ ...problemOf(target, [push]), arrays: [array] }, { device })).rejects.toThrowCode(
      'optim/dead-unknown',
    );
  });

  it('that affects no observation is refused, even if declared so', async () => {
    const model = cartModel();
    model.addField('world', 'shade', f32, { fill: 1 });
    model.addPass(
      'observe',
      kernel('paint', { domain: 'world', reads: { shade: f32 }, writes: { paint: f32 } }, ({ shade }) => ({
        paint: shade,
      })),
    );
    const shade: ParameterSpec = { name: 'shade', field: 'world.shade', initial: 0.5, range: [0, 1] };
    for (const spec of [shade, { ...shade, derivative: 'none' } as const])
      await expect(
        estimate({ ...problemOf(await seen(() => 0), [push, spec]), model }, { device }),
      ).rejects.toThrowCode({ code: 'optim/dead-unknown', values: ['world.shade', 'world.paint', 'carts.x', 'The'] });
  });

  it('is found as the middle of its substep, with an interval of about a substep that contains the truth', async () => {
    const problem = { ...problemOf(await seen(() => 0), [until]), values: { 'world.push': [TRUTH.push] } };
    const found = await estimate(problem, { device });
    const { estimate: at, interval, determinedBy } = found.parameters.until;
    // All moments between two substeps are equivalent, and their middle is taken.
    const substep = 1 / (RUN.frameRate * RUN.substeps);
    expect(Math.abs(at - (Math.floor(TRUTH.until / substep) + 0.5) * substep)).toBeLessThan(0.1 * substep);
    expect(interval![0]).toBeLessThan(TRUTH.until);
    expect(interval![1]).toBeGreaterThan(TRUTH.until);
    expect(interval![1] - interval![0]).toBeLessThan(1.3 * substep);
    expect(determinedBy).toBe('observations');
    expect(found.verdict.trusted).toBe(true);
  });

  it('is found beside one with a derivative, both within 3.5 standard errors, which are as expected to a factor of 2', async () => {
    const normal = normalNumbers(randomNumbers(seedOfRun('cart', 5)));
    for (let draw = 0; draw < 2; draw++) {
      const found = await estimate(problemOf(await seen(() => NOISE * normal())), { device });
      for (const name of ['until', 'push'] as const) {
        const { estimate: at, standardError, interval } = found.parameters[name];
        expect(Math.abs(at - TRUTH[name]), name).toBeLessThan(3.5 * standardError!);
        // Some 25 residuals determine their own variance and correlation no better.
        expect(standardError! / ERRORS[name], name).toBeGreaterThan(0.5);
        expect(standardError! / ERRORS[name], name).toBeLessThan(2);
        expect(interval![0]).toBeLessThan(at);
        expect(interval![1]).toBeGreaterThan(at);
      }
      // Less push for longer gives nearly the same.
      expect(found.correlation[0][1]).toBeLessThan(-0.5);
      expect([found.stopped, found.unmoved, criticalOf(found)]).toEqual(['tolerance', [], []]);
    }
  });

  it('is found by L-BFGS beside one with a derivative, to 0.05, without standard errors', async () => {
    const options = { search: { method: 'l-bfgs', iterations: 15, tolerance: 1e-5 } } as const;
    const found = await estimate(problemOf(await seen(() => 0), [until, push], options), { device });
    expect(found.parameters.until.estimate).toBeCloseTo(TRUTH.until, 1);
    expect(found.parameters.push.estimate).toBeCloseTo(TRUTH.push, 1);
    expect(found.parameters.until.standardError).toBeNull();
    expect(found.unmoved).toEqual([]);
  });

  it('is reported as determined by its range if that limits it, and by nothing if no observation depends on it', async () => {
    const still = await seen(() => 0, { until: 3, push: 2 });
    const held = await estimate(problemOf(still, [{ ...until, initial: 1.5, range: [1.2, 3] }, push]), {
      device,
    });
    expect(held.parameters.until.determinedBy).toBe('range');
    expect(held.parameters.until.interval![1]).toBe(3);
    expect(criticalOf(held).map(({ note }) => note)).toEqual([
      'The high end of the range limits until, not the observations: all values from the estimate to that end fit as well.',
    ]);
    const free = await estimate(problemOf(still, [{ ...until, initial: 4, range: [2.5, 5] }, push]), {
      device,
    });
    expect(free.parameters.until).toMatchObject({ determinedBy: 'nothing', standardError: Infinity });
    expect(free.verdict.findings.map(({ kind }) => kind)).toContain('undetermined');
  });

  it('is refused without a range, beside another one, as an unknown choice, or with hops, verify or profile intervals', async () => {
    const target = await seen(() => 0);
    const refused = (parameters: readonly ParameterSpec[], options: EstimateOptions = {}) =>
      expect(estimate(problemOf(target, parameters, options), { device })).rejects;
    const { range: _, ...open } = until;
    await refused([open, push]).toThrowCode({
      code: 'optim/range-missing',
      values: ["`derivative: 'none'`", '`range`', 'until'],
    });
    await refused([until, { ...push, derivative: 'none', range: [1, 3] }]).toThrowCode({
      code: 'optim/two-by-values',
      values: ["`derivative: 'none'`", 'until', 'push'],
    });
    await refused([{ ...until, derivative: 'some' as 'none' }]).toThrowCode({
      code: 'base/unknown-choice',
      values: ['"some"'],
    });
    const asked: [string, EstimateOptions][] = [
      ['hops', { search: { hops: 2 } }],
      ['verify', { uncertainty: { verify: true } }],
      ['intervals', { uncertainty: { intervals: 'profile' } }],
    ];
    for (const [name, options] of asked)
      await refused([until, push], options).toThrowCode({
        code: 'optim/by-values-not-with',
        values: ['until', `\`${name}\``],
      });
  });
});
