// Worlds that share the unknowns: the loss is the mean over them, its gradient the mean of theirs, whether the field of
// the unknown is shared or not; draws follow from the seed, and a run resumed from a journal has the same bits.
import { buildModel, cpuDevice, createScene, definePlugin, f32, field, kernel, when } from '@gradsim/core';
import type { Journal, Problem, SearchOptions, Worlds } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { type ExpectedError, expect, test } from 'vitest';

const device = cpuDevice();
const start = field('world', 'start', f32);
const slope = field('world', 'slope', f32);
const place = field('world', 'place', f32);
const cost = field('world', 'cost', f32);

/** Model of dx/dt = slope x from x = start by Euler's method, with the cost x^2 in every frame. */
const model = (shared: boolean) =>
  buildModel(
    createScene([
      definePlugin({
        name: 'lines',
        contract: 1,
        build: ({ model: made }) => {
          made.addField(start, { fill: 1 });
          made.addField(slope, { fill: -0.5, shared });
          made.addField(place, { fill: 0 });
          made.addPass(
            'integrate',
            kernel(
              'grow',
              { domain: 'world', reads: { place, slope, start }, writes: { place } },
              ({ place: x, slope: a, start: from }, { substep, dt }) => {
                const at = when(
                  substep.eq(0),
                  () => from,
                  () => x,
                );
                return { place: at.add(a.mul(at).mul(dt)) };
              },
            ),
          );
          made.addPass(
            'observe',
            kernel('costOf', { domain: 'world', reads: { place }, writes: { cost } }, ({ place: x }) => ({
              cost: x.mul(x),
            })),
          );
        },
      }),
    ]),
  );

const STARTS = [1, 2, -3];
const once: Worlds = { count: 3, draw: (_, world) => ({ 'world.start': [STARTS[world]] }), drawEachIteration: false };
const TIME = { frames: 2, frameRate: 1, substeps: 4 } as const;
const problem = (worlds: Worlds, search: SearchOptions, shared = false): Problem => ({
  model: model(shared),
  ...TIME,
  worlds,
  arrays: [{ name: 'slope', field: 'world.slope', initial: -0.5 }],
  losses: [{ field: 'world.cost', frames: 'last' }],
  options: { search: { method: 'sgd', momentum: 0, learningRate: 0.01, iterations: 3, ...search } },
});

/** Expected loss: the mean over starts x of the squared end point x (1 + a / 4)^4, for the slope a. */
const lossAt = (a: number, starts: readonly number[]): number =>
  starts.reduce((sum, x) => sum + x * x * (1 + a / 4) ** 8, 0) / starts.length;
const slopeAt = (a: number, starts: readonly number[]): number =>
  starts.reduce((sum, x) => sum + x * x * 2 * (1 + a / 4) ** 7, 0) / starts.length;

test.each([false, true])(
  'descent over worlds: loss and gradient are means over worlds (field of the unknown shared by worlds: %s)',
  async (shared) => {
    const { history, arrays } = await estimate(problem(once, { iterations: 1 }, shared), { device });
    const stepped = -0.5 - 0.01 * slopeAt(-0.5, STARTS);
    expect(history[0].loss).toBeCloseTo(lossAt(-0.5, STARTS), 5);
    expect(history[1].loss).toBeCloseTo(lossAt(stepped, STARTS), 5);
    expect(arrays.slope.estimate[0]).toBeCloseTo(stepped, 5);
  },
);

test('descent over worlds: the gradient of each world is clipped before averaging; a world whose loss is not finite is left out and counted', async () => {
  const clipped = await estimate(problem({ ...once, clip: 0.1 }, { iterations: 1 }), { device });
  expect(clipped.history[0].clipped).toBeCloseTo(9 * 2 * 0.875 ** 7, 4);
  const step = clipped.arrays.slope.estimate[0] + 0.5;
  // All three are longer than 0.1.
  expect(step).toBeCloseTo(-0.01 * 0.1, 6);
  // The square of 1e30 is beyond single precision.
  const lost: Worlds = { ...once, draw: (_, world) => ({ 'world.start': [[1, 1e30, 2][world]] }) };
  const { history } = await estimate(problem(lost, { iterations: 1 }), { device });
  expect(history[0].exploded).toBe(1);
  expect(history[0].loss).toBeCloseTo(lossAt(-0.5, [1, 2]), 5);
});

test('descent over worlds: with worlds drawn once, L-BFGS divides the loss by 1000 in 20 iterations', async () => {
  const { loss } = await estimate(problem(once, { method: 'l-bfgs', momentum: undefined, iterations: 20 }), {
    device,
  });
  expect(loss).toBeLessThan(1e-3 * lossAt(-0.5, STARTS));
});

const drawn: Worlds = { count: 4, draw: (random) => ({ 'world.start': [random()] }) };

test('descent over worlds: redrawn worlds differ between iterations and seeds; the loss of the last iteration is the result', async () => {
  const run = (seed: number) => estimate(problem(drawn, { method: 'adam', seed }), { device });
  const [one, same, other] = [await run(1), await run(1), await run(2)];
  expect(same.history.map(({ loss }) => loss)).toEqual(one.history.map(({ loss }) => loss));
  expect(other.history[0].loss).not.toBe(one.history[0].loss);
  expect(new Set(one.history.map(({ loss }) => loss)).size).toBe(4);
  expect(one.loss).toBe(one.history[3].loss);
});

test('descent over worlds: an interrupted run resumes from its journal to the same bits', async () => {
  const horizons = { method: 'adam', iterations: 4, horizons: [0.5, 1] } as const;
  const long = { ...problem(drawn, horizons), frames: 4, losses: [{ field: 'world.cost' }] };
  const whole = await estimate(long, { device });
  const kept: unknown[] = [];
  let work = 0;
  const journalUpTo = (most: number): Journal => {
    let at = 0;
    return {
      once: async (_what, _given, todo) => {
        if (at < kept.length) return kept[at++] as Awaited<ReturnType<typeof todo>>;
        if (work >= most) throw new Error('killed');
        work++;
        kept[at++] = await todo();
        return kept[at - 1] as Awaited<ReturnType<typeof todo>>;
      },
    };
  };
  await expect(estimate(long, { device, journal: journalUpTo(6) })).rejects.toThrowCode('optim/estimate-stopped');
  const resumed = await estimate(long, { device, journal: journalUpTo(100) });
  expect(work).toBe(10);
  expect(resumed.arrays.slope.estimate).toEqual(whole.arrays.slope.estimate);
});

type Start = Readonly<Record<string, readonly number[]>>;
test.each<[Partial<Worlds>, SearchOptions, ExpectedError]>([
  [{ count: 0 }, { method: 'adam' }, { code: 'optim/option-out-of-range', values: [0] }],
  [{ clip: -1 }, { method: 'adam' }, { code: 'optim/option-out-of-range', values: [-1] }],
  [{}, { method: 'l-bfgs' }, 'optim/option-of-other-method'],
  [{}, { method: 'adam', starts: 2 }, { code: 'optim/worlds-already', values: ['`starts`', 2] }],
  [
    { draw: () => ({ 'world.start': [1, 2] }) },
    { method: 'adam' },
    { code: 'optim/wrong-draw', field: 'world.start', values: [2, 1] },
  ],
  [
    { draw: () => ({ 'world.start': [Number.NaN] }) },
    { method: 'adam' },
    { code: 'optim/value-out-of-range', values: ['NaN'] },
  ],
  [{ draw: () => ({ 'world.slope': [1] }) }, { method: 'adam' }, 'optim/wrong-draw'],
  [
    { draw: (_, w): Start => (w === 0 ? { 'world.start': [1] } : {}) },
    { method: 'adam' },
    { code: 'optim/wrong-draw', values: [1] },
  ],
])('descent over worlds refuses %o with %o', async (worlds, search, expected) => {
  await expect(
    estimate(problem({ ...drawn, ...worlds }, { momentum: undefined, ...search }), { device }),
  ).rejects.toThrowCode(expected);
});

test('descent over worlds refuses to clip gradients per world of a field that all worlds share', async () => {
  await expect(estimate(problem({ ...drawn, clip: 1 }, { method: 'adam' }, true), { device })).rejects.toThrowCode({
    code: 'optim/shared-by-worlds',
    values: ['world.slope'],
  });
});
