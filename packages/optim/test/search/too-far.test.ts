import type { Model } from '@gradsim/core';
import {
  buildModel,
  column,
  createScene,
  defineComponent,
  definePlugin,
  exp,
  f32,
  f64Device,
  kernel,
  select,
  sqrt,
  vec2,
  when,
} from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../../scripts/vitest/draws.ts';

// A walker on a plank that ends at 4 m: whoever walks further falls, which is an alarm or NaN.
const Walker = defineComponent('walkers', {
  position: column(f32, { default: 0, unit: 'm' }),
  speed: column(f32, { default: 0, unit: 'm/s' }),
});
/** End of the plank, m; a walker beyond it falls. */
const END = 4;

const walk = kernel(
  'walk',
  { domain: 'walkers', reads: { position: f32, speed: f32 }, writes: { position: f32 } },
  ({ position, speed }, { dt }) => ({ position: position.add(speed.mul(dt)) }),
);
const watch = kernel(
  'watch',
  { domain: 'walkers', reads: { position: f32, fallen: vec2 }, writes: { fallen: vec2 } },
  ({ position, fallen }, { substep }) => ({
    fallen: when(
      position.gt(END).and(fallen.x.eq(0)),
      () => vec2(substep.toF32().add(1), position),
      () => fallen,
    ),
  }),
);
/** Kernel that shows the position by way of the square root of the remaining plank; where that is NaN, it shows 0. */
const look = kernel('look', { domain: 'walkers', reads: { position: f32 }, writes: { seen: f32 } }, ({ position }) => {
  const root = sqrt(f32(END).sub(position));
  const there = f32(END).sub(root.mul(root));
  return { seen: select(there.le(END), there, 0) };
});

/** Kernel that shows the position and, beyond the plank, 0 as 1 over a huge number, whose derivative is not finite. */
const lookFar = kernel(
  'lookFar',
  { domain: 'walkers', reads: { position: f32 }, writes: { seen: f32 } },
  ({ position }) => ({
    seen: select(position.le(END), position, f32(1).div(exp(exp(position.mul(40))))),
  }),
);

function plank(hasAlarm: boolean, seenBy = look): Model {
  const scene = createScene([
    definePlugin({
      name: 'plank',
      contract: 1,
      components: [Walker],
      build: ({ model }) => {
        model.addPass('integrate', walk);
        model.addPass('observe', seenBy);
        if (!hasAlarm) return;
        model.addAlarm('walkers', 'fallen', vec2, ([at], walker) => `${walker} fell at ${at.toFixed(1)} m`);
        model.addPass('integrate', watch);
      },
    }),
  ]);
  scene.add(Walker, {}, 'the walker');
  return buildModel(scene);
}

/** Problem of a walker that should be at 3 m after 1 s. */
const problem = (hasAlarm: boolean, rest: Partial<Problem> = {}): Problem => ({
  model: plank(hasAlarm),
  frames: 6,
  frameRate: 5,
  substeps: 2,
  parameters: [{ name: 'speed', field: 'walkers.speed', initial: 0.5, range: [0, 20], scale: 1 }],
  observations: [{ field: 'walkers.seen', target: [0, 0.6, 1.2, 1.8, 2.4, 3] }],
  ...rest,
});
const device = f64Device();

describe.each([
  ['raises an alarm', true],
  ['produces NaN', false],
] as const)('a simulation that fails for some values and %s', (_, hasAlarm) => {
  for (const method of ['l-bfgs', 'adam', 'sgd', 'levenberg-marquardt'] as const) {
    it(`is fitted to its minimum by ${method} even if the first step goes to a value at which it fails`, async () => {
      // The first step goes far beyond the end.
      const learningRate = method === 'sgd' ? 4 : 10;
      const { parameters } = await estimate(
        problem(hasAlarm, {
          options: { search: { method, learningRate, iterations: 300, decay: 0.99, tolerance: 1e-9 } },
        }),
        { device },
      );
      expect(parameters.speed.estimate).toBeCloseTo(3, 2);
    });
  }

  it('still leads to the minimum with four starts in its range, with and without sampling', async () => {
    const seed = seedOfRun('plank', 5);
    const { parameters } = await estimate(
      problem(hasAlarm, { options: { search: { method: 'l-bfgs', starts: 4, scan: 20, seed, tolerance: 1e-10 } } }),
      { device },
    );
    expect(parameters.speed.estimate).toBeCloseTo(3, 4);
    const together = await estimate(
      problem(hasAlarm, { options: { search: { method: 'l-bfgs', starts: 4, seed, tolerance: 1e-10 } } }),
      { device },
    );
    expect(together.parameters.speed.estimate).toBeCloseTo(3, 4);
  });

  it('is an error with the reason if it fails at the only start', async () => {
    const { model, ...rest } = problem(hasAlarm);
    const parameters = [{ ...rest.parameters![0], initial: 10 }];
    for (const method of ['l-bfgs', 'adam'] as const)
      await expect(
        estimate({ model, ...rest, parameters, options: { search: { method } } }, { device }),
      ).rejects.toThrowCode(
        hasAlarm ? { code: 'core/alarm', element: 'the walker' } : { code: 'optim/no-finite-start', values: ['NaN'] },
      );
  });

  if (hasAlarm)
    it('is an error with the advice of checks, which are made no more, if it fails at the only start', async () => {
      const { model, ...rest } = problem(hasAlarm);
      const parameters = [{ ...rest.parameters![0], initial: 10 }];
      const check = { kind: 'length', rank: 50, isCritical: true, hint: 'Is the plank longer?', find: () => null };
      await expect(estimate({ model, ...rest, parameters, options: { checks: [check] } }, { device })).rejects.toThrow(
        /fell at .* m.* Is the plank longer\?$/,
      );
    });
});

describe('a point with a value that a field refuses is skipped', () => {
  // Its weight stretches a wire: 1 m at 9 kg. Newton's first step from 0.5 kg is to below 0.
  const Weight = defineComponent('weights', { mass: column(f32, { unit: 'kg', range: 'nonNegative' }) });
  const sag = kernel('sag', { domain: 'weights', reads: { mass: f32 }, writes: { depth: f32 } }, ({ mass }) => ({
    depth: mass.mul(mass).div(81),
  }));
  const hung = definePlugin({
    name: 'hung',
    contract: 1,
    components: [Weight],
    build: ({ model }) => model.addPass('observe', sag),
  });
  const problem = (method: 'levenberg-marquardt' | 'l-bfgs' | 'adam', starts: number): Problem => {
    const scene = createScene([hung]);
    scene.add(Weight, { mass: 1 });
    return {
      model: buildModel(scene),
      frames: 1,
      frameRate: 10,
      substeps: 1,
      parameters: [{ name: 'mass', field: Weight.mass, initial: 6, range: [-1, 9] }],
      observations: [{ field: 'weights.depth', target: [1e-4] }],
      options: { search: { method, starts, iterations: 200, learningRate: 1 } },
    };
  };
  it.each([
    ['levenberg-marquardt', 1],
    ['levenberg-marquardt', 3],
    ['l-bfgs', 2],
    ['adam', 2],
  ] as const)('%s from %d starts', async (method, starts) => {
    const { parameters } = await estimate(problem(method, starts), { device: f64Device() });
    // 81e-4 = mass^2.
    expect(parameters.mass.estimate).toBeCloseTo(0.09, 2);
  });
  it('but refused as a start, as are a missing model and invalid observations and options', async () => {
    const { parameters, ...rest } = problem('adam', 1);
    const wrong = { ...rest, parameters: [{ ...parameters![0], initial: -1, range: undefined }] };
    await expect(estimate(wrong, { device: f64Device() })).rejects.toThrowCode({
      code: 'optim/start-outside',
      values: [-1, 'weights.mass', 'mass', 'not be negative'],
    });
    const wrongly = (change: object) =>
      expect(estimate({ ...rest, parameters, ...change } as Problem, { device: f64Device() })).rejects;
    await wrongly({ model: undefined }).toThrowCode('optim/no-model');
    await wrongly({ observations: {} }).toThrowCode({ code: 'optim/wrong-type', values: ['observations', '{}'] });
    await wrongly({ options: { search: { horizons: 3 } } }).toThrowCode({
      code: 'optim/option-out-of-range',
      values: [3],
    });
    await wrongly({ options: { search: { iteratons: 3 } } }).toThrowCode({
      code: 'base/unknown-option',
      values: ['"iterations"'],
    });
    await wrongly({ options: { iterations: 3 } }).toThrowCode({
      code: 'optim/option-in-other-group',
      values: ['`iterations`', '`options: { search: { iterations } }`'],
    });
    await wrongly({ options: { intervals: 'profile' } }).toThrowCode({
      code: 'optim/option-in-other-group',
      values: ['`options: { uncertainty: { intervals } }`'],
    });
    await wrongly({ options: { uncertainty: true } }).toThrowCode({
      code: 'optim/option-in-other-group',
      values: ['`uncertainty: { standardErrors: true }`'],
    });
    const [seen] = rest.observations!;
    await wrongly({ observations: [{ ...seen, frames: null }] }).toThrowCode({
      code: 'base/unknown-choice',
      values: ['null'],
    });
    await wrongly({ observations: [{ ...seen, frames: [] }] }).toThrowCode('optim/no-frames');
    await wrongly({ observations: [{ ...seen, target: null }] }).toThrowCode({
      code: 'optim/wrong-size',
      values: ['null'],
    });
    await wrongly({ observations: [{ ...seen, target: [1e39] }] }).toThrowCode({
      code: 'optim/target-not-finite',
      values: ['1e+39', 0],
    });
    await wrongly({ observations: [{ ...seen, weight: 1 }] }).toThrowCode({
      code: 'base/unknown-option',
      values: ['"weights"'],
    });
    await expect(estimate({ ...rest, parameter: [] } as never, { device: f64Device() })).rejects.toThrowCode({
      code: 'base/unknown-option',
      values: ['"parameter"', '"parameters"'],
    });
  });
});

it('if derivatives at the best point are not finite, the next best sampled one is taken; without one, the estimate fails', async () => {
  // A walker at 4 m/s falls in the last frame and shows the observed values; one that stays on the plank does not.
  const parameters = [{ name: 'speed', field: 'walkers.speed', initial: 4.2, range: [0.5, 4.4], scale: 1 } as const];
  const observations = [{ field: 'walkers.seen', target: [0, 0.8, 1.6, 2.4, 3.2, 0] }];
  const far = problem(false, { model: plank(false, lookFar), parameters, observations });
  const found = await estimate({ ...far, options: { search: { scan: 16 } } }, { device });
  // The minimum of (v - 4)^2 (0.2^2 + 0.4^2 + 0.6^2 + 0.8^2) + v^2.
  expect(found.parameters.speed.estimate).toBeCloseTo((4 * 1.2) / 2.2, 6);
  // Without an alternative, the error names the problem.
  await expect(estimate(far, { device })).rejects.toThrowCode({ code: 'core/not-finite', values: ['NaN'] });
});
