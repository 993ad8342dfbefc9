import type { Device } from '@gradsim/core';
import { cpuDevice, createSimulation, f64Device } from '@gradsim/core';
import type { ArraySpec, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { carts, DT, MASS, rolled, SUBSTEPS, TRACK } from '../carts.ts';
import { motesModel, motesProblem, seenBy } from '../motes.ts';

const device = f64Device();
const clean = await seenBy(motesModel());

/** Problem of carts whose pushes are unknown and whose targets result from a known `force`. */
const pushed = (
  force: (substep: number, cart: number) => number,
  array: Partial<ArraySpec>,
  rest: Partial<Problem> = {},
): Problem => ({
  model: carts(),
  ...TRACK,
  arrays: [{ name: 'push', field: 'carts.push', initial: 0, ...array }],
  observations: [{ field: 'carts.position', target: rolled(2, force) }],
  options: { search: { tolerance: 1e-15, iterations: 400 } },
  ...rest,
});

describe('an array of unknowns', () => {
  it('makes each value of a field an unknown; all are found from exact data, by default with L-BFGS', async () => {
    // The velocities of both motes, all three components, as in the model.
    const { arrays, parameters, method, stopped } = await estimate(
      motesProblem(clean, {
        parameters: [],
        arrays: [{ name: 'velocity', field: 'motes.velocity', initial: 0, truth: [0.4, 1, 0, -0.2, 2, 0] }],
        options: { search: { tolerance: 1e-14 } },
      }),
      { device },
    );
    expect(method).toBe('l-bfgs');
    expect(stopped).toBe('tolerance');
    expect(parameters).toEqual({});
    const { estimate: velocity, shape, unit, initial, truth, standardErrors } = arrays.velocity;
    expect(shape).toEqual([1, 2, 3]);
    velocity.forEach((v, k) => expect(v).toBeCloseTo(truth![k], 5));
    expect(unit).toBe('m/s');
    expect([...initial]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(standardErrors).toBeNull();
  });

  it('sets chosen elements and components, tied if requested, beside single numbers', async () => {
    const { arrays, parameters } = await estimate(
      motesProblem(clean, {
        parameters: [
          { name: 'vy', field: 'motes.velocity', component: 1, elements: [0], initial: 0 },
          { name: 'gravity', field: 'world.gravity', component: 1, initial: -5 },
        ],
        arrays: [
          { name: 'across', field: 'motes.velocity', components: [0], initial: [0.1, -0.1] },
          { name: 'drag', field: 'motes.drag', tied: ['elements'], transform: 'log', initial: 0.2 },
        ],
        options: { search: { tolerance: 1e-14, iterations: 300 } },
      }),
      { device },
    );
    expect(arrays.across.estimate).toHaveLength(2);
    expect(arrays.across.estimate[0]).toBeCloseTo(0.4, 5);
    expect(arrays.across.estimate[1]).toBeCloseTo(-0.2, 5);
    expect(arrays.drag.estimate).toHaveLength(1);
    expect(arrays.drag.estimate[0]).toBeCloseTo(0.5, 5);
    expect(parameters.vy.estimate).toBeCloseTo(1, 5);
    expect(parameters.gravity.estimate).toBeCloseTo(-9.81, 5);
  });

  it('of range [-0.3, 0.3] ends at the bound where the truth lies beyond it, and at the truth elsewhere', async () => {
    const { arrays } = await estimate(
      motesProblem(clean, {
        parameters: [],
        arrays: [
          {
            name: 'velocity',
            field: 'motes.velocity',
            components: [0],
            transform: 'bounded',
            range: [-0.3, 0.3],
            initial: 0,
          },
        ],
        options: { search: { starts: 4, seed: seedOfRun('bounded', 3), method: 'adam', iterations: 200 } },
      }),
      { device },
    );
    // The truths are 0.4, beyond its bound, and -0.2.
    expect(arrays.velocity.estimate[0]).toBeLessThanOrEqual(0.3);
    expect(arrays.velocity.estimate[0]).toBeGreaterThan(0.29);
    expect(arrays.velocity.estimate[1]).toBeCloseTo(-0.2, 2);
  });

  it('has standard errors if requested, equal to those of single numbers', async () => {
    const problem = {
      options: { search: { method: 'l-bfgs', tolerance: 1e-13 }, uncertainty: { standardErrors: true } },
    } as const;
    const random = randomNumbers(seedOfRun('errors', 6));
    const target = clean.map((x) => x + 0.02 * (random() - 0.5));
    const many = await estimate(
      motesProblem(target, {
        ...problem,
        parameters: [],
        arrays: [{ name: 'v', field: 'motes.velocity', components: [0], initial: 0 }],
      }),
      { device },
    );
    const single = (name: string, element: number) =>
      ({ name, field: 'motes.velocity', component: 0, elements: [element], initial: 0 }) as const;
    const few = await estimate(motesProblem(target, { ...problem, parameters: [single('a', 0), single('b', 1)] }), {
      device,
    });
    ['a', 'b'].forEach((name, k) => {
      expect(many.arrays.v.standardErrors![k] / few.parameters[name].standardError!).toBeCloseTo(1, 6);
      expect(many.arrays.v.estimate[k]).toBeCloseTo(few.parameters[name].estimate, 6);
    });
    expect(many.leastDetermined).toMatch(/^v \(the (left|right) mote\)$/);
    expect(many.withoutErrors).toBeUndefined();
  });

  it('with priors of standard deviation 1e-4 is estimated as their means', async () => {
    const prior = { mean: [0.7, -0.2], standardDeviation: 1e-4 };
    const { arrays } = await estimate(
      motesProblem(
        clean.map((x, k) => x + (k % 5) / 50),
        {
          parameters: [],
          arrays: [{ name: 'v', field: 'motes.velocity', components: [0], initial: 0, prior }],
        },
      ),
      { device },
    );
    // So certain that observations hardly count.
    expect(arrays.v.estimate[0]).toBeCloseTo(0.7, 3);
    expect(arrays.v.estimate[1]).toBeCloseTo(-0.2, 3);
  });
});

describe('values over time', () => {
  it('may be unknowns of every substep, and then lead to the observed positions', async () => {
    // The position of a cart after each frame depends on its pushes in all substeps before, the earlier the more: from
    // positions alone a frame determines one combination of its four pushes, and the search stays near its start
    // otherwise.
    const force = (n: number, cart: number) => (cart === 0 ? 1 + Math.sin(n / 3) : -0.5);
    const { arrays, loss, unmoved } = await estimate(pushed(force, {}), { device });
    expect(arrays.push.shape).toEqual([SUBSTEPS, 2, 1]);
    expect(loss).toBeLessThan(1e-12);
    expect(unmoved).toEqual([]);
    // Momentum follows from the distance: the last frames are as good as the rest.
    const found = rolled(2, (n, cart) => arrays.push.estimate[2 * n + cart]);
    rolled(2, force).forEach((x, k) => expect(found[k]).toBeCloseTo(x, 5));
  });

  it('may be constant within windows of four substeps, and are then found to 0.005', async () => {
    const steps = [1, -2, 0.5, 3, -1];
    const force = (n: number, cart: number) => (cart + 1) * steps[Math.floor(n / 4)];
    const { arrays } = await estimate(pushed(force, { window: 4 }), { device });
    expect(arrays.push.shape).toEqual([5, 2, 1]);
    for (let w = 0; w < 5; w++)
      for (const cart of [0, 1]) expect(arrays.push.estimate[2 * w + cart]).toBeCloseTo((cart + 1) * steps[w], 2);
  });

  it('may be tied over elements, and the last window may be shorter', async () => {
    const force = (n: number) => (n < 12 ? 2 : -1);
    const { arrays } = await estimate(pushed(force, { window: 12, tied: ['elements'] }), { device });
    expect(arrays.push.shape).toEqual([2, 1, 1]);
    expect([...arrays.push.estimate].map((f) => +f.toFixed(4))).toEqual([2, -1]);
  });

  it('may be unknowns of every frame, such as the targets of a loss, and are found', async () => {
    // The loss is zero if the targets are the positions of the carts: in closed form, from a known wind.
    const { arrays, unmoved } = await estimate(
      {
        model: carts(),
        ...TRACK,
        values: { 'world.wind': [1, 1, 0, 0, -1, 5] },
        arrays: [{ name: 'wanted', field: 'carts.wanted', initial: 0.1 }],
        losses: [{ field: 'world.missed' }],
        options: { search: { tolerance: 1e-14 } },
      },
      { device },
    );
    const there = rolled(2, (n) => [1, 1, 0, 0, -1][Math.floor(n / 4)]);
    expect(arrays.wanted.shape).toEqual([TRACK.frames, 2, 1]);
    arrays.wanted.estimate.forEach((x, k) => expect(x).toBeCloseTo(there[k], 6));
    expect(unmoved).toEqual([]);
  });

  it('are reported in `unmoved` if their gradient is zero throughout the search', async () => {
    // No substep begins at the last frame, so nothing depends on its wind, nor on a field that nothing reads.
    const { unmoved } = await estimate(
      {
        model: carts(),
        ...TRACK,
        arrays: [{ name: 'wind', field: 'world.wind', initial: 0.5 }],
        observations: [{ field: 'carts.position', target: rolled(2, () => 1) }],
      },
      { device },
    );
    expect(unmoved).toEqual([
      {
        name: 'wind',
        values: 1,
        valueCount: TRACK.frames,
        note: 'The gradient of 1 of the 6 values of wind was zero throughout the search, so it stayed at the start: the loss does not depend on it, or the start is the best value.',
      },
    ]);
    const still = await estimate(
      pushed(
        () => 1,
        { window: 20 },
        {
          losses: [{ field: 'world.missed', frames: [0] }],
          observations: [],
        },
      ),
      { device },
    );
    expect(still.unmoved[0].note).toMatch(
      /^The gradient of all of the 2 values of push was zero throughout the search/,
    );
  });

  it('are found with horizons 0.5 and 1, of which the first leaves later values unchanged', async () => {
    const steps = [1, -2, 0.5, 3, -1];
    const force = (n: number) => steps[Math.floor(n / 4)];
    const moved: number[][] = [];
    const problem = pushed(force, { window: 4, tied: ['elements'] });
    const { arrays } = await estimate(
      { ...problem, options: { search: { ...problem.options?.search, horizons: [0.5, 1] } } },
      {
        device,
        onIteration: ({ horizon }, _, { best }) =>
          horizon < 1 && moved.push([...best().arrays.push.estimate].map((x) => Math.sign(Math.abs(x)))),
      },
    );
    // Half of six frames are three, with two windows between them.
    expect(moved.at(-1)).toEqual([1, 1, 0, 0, 0]);
    steps.forEach((push, w) => expect(arrays.push.estimate[w]).toBeCloseTo(push, 3));
  });

  it('are found with three starts in their range', async () => {
    const { arrays, loss } = await estimate(
      {
        ...pushed((_, cart) => cart + 1, { window: 20, range: [-5, 5] }),
        options: { search: { starts: 3, tolerance: 1e-14, seed: seedOfRun('worlds', 2) } },
      },
      { device },
    );
    expect(loss).toBeLessThan(1e-12);
    expect([...arrays.push.estimate].map((f) => +f.toFixed(4))).toEqual([1, 2]);
  });
});

/** Wraps a device to count runs of each program and to record the size of its memory, in words. */
function counting(inner: Device) {
  const runs: Record<string, number> = {};
  const words: number[] = [];
  const counted: Device = {
    ...inner,
    createExecutor: async (spec) => {
      words.push(spec.f32Words);
      const executor = await inner.createExecutor(spec);
      const run = executor.run.bind(executor);
      executor.run = (program, registers, only) => {
        const { name } = spec.programs[program];
        runs[name] = (runs[name] ?? 0) + registers.length / spec.registers.length;
        run(program, registers, only);
      };
      return executor;
    },
  };
  return { counted, runs, words };
}

describe('thousands of unknowns', () => {
  const COUNT = 2000;
  const problem = (method: 'adam' | 'l-bfgs', iterations: number): Problem => ({
    model: carts(COUNT),
    ...TRACK,
    arrays: [{ name: 'push', field: 'carts.push', window: 4, initial: 0 }],
    observations: [{ field: 'carts.position', target: rolled(COUNT, (_, c) => Math.sin(c)) }],
    options: { search: { method, iterations } },
  });

  for (const method of ['adam', 'l-bfgs'] as const) {
    it(`cost ${method} one forward and one backward run an iteration and a few besides, in memory for one world`, async () => {
      const { counted, runs, words } = counting(cpuDevice({ threads: 1 }));
      const { history, arrays } = await estimate(problem(method, 5), { device: counted });
      expect(arrays.push.estimate).toHaveLength(5 * COUNT);
      expect(history).toHaveLength(6);
      expect(history[5].loss).toBeLessThan(0.8 * history[0].loss);
      // And two forward runs at the end, for the output at the estimate and at the initial values; and three forward
      // and backward, for the rounding noise of the gradient.
      expect(runs.physics).toBe(11 * SUBSTEPS);
      expect(runs.physicsReverse).toBe(9 * SUBSTEPS);
      // Even the world of the backward run does not hold all states of a second one: it holds one, and the targets.
      const targets = TRACK.frames * COUNT;
      const once = await createSimulation(carts(COUNT), {
        device: counted,
        ...TRACK,
        parameters: ['carts.push'],
        record: ['carts.position'],
      });
      expect(Math.max(...words.slice(0, -1))).toBeLessThan(1.01 * (words.at(-1)! + targets));
      once.dispose();
      // Histories do not store all of them in every iteration.
      expect(Object.keys(history[5].parameters)).toEqual([]);
    });
  }
});

describe('an array is refused', () => {
  const refused = (array: Partial<ArraySpec>, rest: Partial<Problem> = {}) =>
    expect(
      estimate(
        pushed(() => 1, array, rest),
        { device },
      ),
    ).rejects;
  it('with another number of initial, true or start values than its substeps, frames or windows require', async () => {
    await refused({ initial: new Float64Array(38) }).toThrowCode({
      code: 'optim/wrong-size',
      values: [38, 20, 1, 40, 'push', 'initial values'],
    });
    await refused({ field: 'world.wind', initial: [1, 2, 3, 4, 5] }).toThrowCode({
      code: 'optim/wrong-size',
      values: [5, 6, 1, 'push', 'initial values'],
    });
    await refused({ window: 8, initial: [1, 2] }).toThrowCode({ code: 'optim/wrong-size', values: [3, 8, 2, 1, 6] });
    await refused({ truth: [1] }).toThrowCode({ code: 'optim/wrong-size', values: [1, 'push', 'true values'] });
    await refused({ start: [1] }).toThrowCode({
      code: 'optim/wrong-size',
      values: [1, 'push', 'values to start from'],
    });
  });
  it('with a window of half a substep, a window for a field without time, or a field over substeps of a run without any', async () => {
    await refused({ window: 0.5 }).toThrowCode({ code: 'optim/window-wrong', values: [0.5, 'push'] });
    await refused({ field: 'carts.mass', window: 2, initial: 1 }).toThrowCode({
      code: 'optim/window-wrong',
      field: 'carts.mass',
      values: [2],
    });
    await refused({}, { frames: 1, observations: [], losses: [{ field: 'world.missed' }] }).toThrowCode({
      code: 'optim/no-value-there',
      field: 'carts.push',
    });
  });
  it('with unknown or no elements, or unknown components or ties', async () => {
    await refused({ elements: [2] }).toThrowCode({
      code: 'optim/no-such-element',
      field: 'carts.push',
      values: [2, 'push'],
    });
    await refused({ components: [1] }).toThrowCode({ code: 'optim/no-such-element', field: 'carts.push', values: [1] });
    await refused({ elements: [] }).toThrowCode({ code: 'optim/no-element', field: 'carts.push', values: ['push'] });
    await refused({ tied: ['frames' as 'elements'] }).toThrowCode({
      code: 'optim/unknown-choice',
      values: ['"frames"', 'push'],
    });
  });
  it('with values outside their range', async () => {
    await refused({ transform: 'log', initial: 0 }).toThrowCode({ code: 'optim/log-not-positive', values: ['push'] });
    await refused({ range: [1, 2] }).toThrowCode({ code: 'optim/start-outside', values: [0, 1, 2, 'push'] });
  });
  it('if another unknown sets the same places, or has its name', async () => {
    await refused({}, { parameters: [{ name: 'all', field: 'carts.push', initial: 0 }] }).toThrowCode({
      code: 'optim/set-twice',
      values: ['carts.push', 'all'],
    });
    await refused({}, { parameters: [{ name: 'push', field: 'world.wind', initial: 0 }] }).toThrowCode({
      code: 'optim/name-taken',
      values: ['push'],
    });
  });
  it('if the problem sets another field over time with a wrong number of values', () =>
    refused({}, { values: { 'carts.wanted': [1, 2, 3] } }).toThrowCode({
      code: 'core/wrong-size',
      field: 'carts.wanted',
      values: [6, 3, '2 x 1'],
    }));
  it('not with Levenberg-Marquardt, which finds its two values', async () => {
    const { arrays, method } = await estimate(
      pushed(() => 1, { window: 20 }, { options: { search: { method: 'levenberg-marquardt' } } }),
      { device },
    );
    expect(method).toBe('levenberg-marquardt');
    expect([...arrays.push.estimate].map((f) => +f.toFixed(6))).toEqual([1, 1]);
  });
});

it("the closed form of the carts' motion, used by these tests, equals the simulation", async () => {
  const simulation = await createSimulation(carts(), { device, ...TRACK, record: ['carts.position'] });
  const push = Float64Array.from({ length: 2 * SUBSTEPS }, (_, k) => Math.sin(k));
  simulation.set('carts.push', push);
  simulation.forward();
  const frames = await simulation.readFrames('carts.position');
  rolled(2, (n, c) => push[2 * n + c]).forEach((x, k) => expect(frames[k]).toBeCloseTo(x, 12));
  // After one substep from rest: F / m dt^2.
  expect(rolled(1, (n) => (n === 0 ? 1 : 0))[1]).toBeCloseTo((TRACK.substeps * DT ** 2) / MASS, 14);
  simulation.dispose();
});
