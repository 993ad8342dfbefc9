import {
  buildModel,
  column,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  f32,
  f64Device,
  kernel,
  perWorld,
} from '@gradsim/core';
import type { Estimate, Problem, UncertaintyOptions } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { LINE, lineModel, lineParameters, PIXELS } from '../line.ts';
import { motesModel, motesProblem, seenBy } from '../motes.ts';

const device = f64Device();
const SEED = seedOfRun('intervals', 11);
const normal = normalNumbers(randomNumbers(SEED));

type Interval = readonly [number, number];
const lengthOf = ([low, high]: Interval): number => high - low;
const by = (problem: Problem, intervals: UncertaintyOptions['intervals']): Promise<Estimate> =>
  estimate(
    { ...problem, options: { ...problem.options, uncertainty: { ...problem.options?.uncertainty, intervals } } },
    { device },
  );

describe('for a nearly linear model', () => {
  const problem = seenBy(motesModel(), 0.01, normal).then((seen) => motesProblem(seen));
  it('the ends of profile intervals equal those from the curvature to 3 % of their length', async () => {
    const { parameters, verdict } = await by(await problem, 'profile');
    for (const { interval, profile } of Object.values(parameters)) {
      expect(Math.abs(profile![0] - interval![0])).toBeLessThan(0.03 * lengthOf(interval!));
      expect(Math.abs(profile![1] - interval![1])).toBeLessThan(0.03 * lengthOf(interval!));
    }
    expect(verdict.findings.filter(({ kind }) => kind === 'intervals')).toEqual([]);
  });
  it('profile intervals are as long as those from the curvature, to 6 %, with priors and a stated least noise too', async () => {
    const seen = await seenBy(motesModel(), 0.001, normal);
    const problem = motesProblem(seen, { observation: { noise: 0.01, leastShare: 1 } });
    const plain = (await by(problem, 'curvature')).parameters;
    const held = problem.parameters!.map((spec) => ({
      ...spec,
      prior: { mean: plain[spec.name].estimate, standardDeviation: plain[spec.name].standardError! },
    }));
    const { parameters } = await by({ ...problem, parameters: held }, 'profile');
    for (const [name, { interval, profile }] of Object.entries(parameters)) {
      expect(lengthOf(interval!)).toBeLessThan(lengthOf(plain[name].interval!));
      expect(Math.abs(lengthOf(profile!) / lengthOf(interval!) - 1)).toBeLessThan(0.06);
    }
  });
  it('natural steps of a fiftieth of a standard error leave the ends of profile intervals where they are, to 3 %', async () => {
    const { parameters: plain } = await by(await problem, 'profile');
    const { parameters, ...rest } = await problem;
    const close = parameters!.map((spec) => ({
      ...spec,
      initial: plain[spec.name].estimate,
      scale: plain[spec.name].standardError! / 50,
    }));
    const found = (await by({ ...rest, parameters: close }, 'profile')).parameters;
    for (const [name, { profile }] of Object.entries(found))
      for (const side of [0, 1])
        expect(Math.abs(profile![side] - plain[name].profile![side])).toBeLessThan(
          0.03 * lengthOf(plain[name].profile!),
        );
  });
  // Eight blocks determine a standard deviation to within a fourth.
  it('bootstrap intervals are 0.4 to 2 times as long as those from the curvature', async () => {
    const { parameters } = await by(await problem, 'bootstrap');
    for (const { interval, bootstrap } of Object.values(parameters)) {
      expect(lengthOf(bootstrap!) / lengthOf(interval!)).toBeGreaterThan(0.4);
      expect(lengthOf(bootstrap!) / lengthOf(interval!)).toBeLessThan(2);
    }
  });
  it('neither profile nor bootstrap is computed by default, and intervals are those from the curvature', async () => {
    const { parameters } = await by(await problem, undefined);
    expect(parameters.drag).not.toHaveProperty('profile');
    expect(parameters.drag).not.toHaveProperty('bootstrap');
    expect(parameters).toEqual((await by(await problem, 'curvature')).parameters);
  });
});

// Marks that are observed at the square of a number: linear in the square, so the profile's ends are in closed form.
const Mark = defineComponent('marks', { weight: column(f32, { default: 1 }) });
const square = kernel(
  'square',
  { domain: 'marks', reads: { weight: f32, root: perWorld(f32) }, writes: { seen: f32 } },
  ({ weight, root }) => ({ seen: root.mul(root).mul(weight) }),
);
/** Number of marks in the model. */
const MARKS = 10;
const squareProblem = (target: ArrayLike<number>): Problem => marksProblem(square, target);

function marksProblem(observe: typeof square, target: ArrayLike<number>): Problem {
  const scene = createScene([
    definePlugin({
      name: 'marks',
      contract: 1,
      components: [Mark],
      build: ({ model }) => {
        model.addField('world', 'root', f32, { fill: 1 });
        model.addField('marks', 'seen', f32);
        model.addPass('observe', observe);
      },
    }),
  ]);
  for (let k = 0; k < MARKS; k++) scene.add(Mark, { weight: 1 + k / 10 });
  return {
    model: buildModel(scene),
    frames: 48,
    frameRate: 10,
    substeps: 1,
    parameters: [{ name: 'root', field: 'world.root', initial: 0.5, range: [0, 5] }],
    observations: [{ field: 'marks.seen', target }],
  };
}

describe('for a nonlinear model', () => {
  const ROOT = 0.2;
  const target = Array.from({ length: 48 * MARKS }, (_, k) => ROOT ** 2 * (1 + (k % MARKS) / 10) + 0.4 * normal());

  it('the profile interval has the ends of the closed form; a finding reports one twice or half as far as that of the curvature', async () => {
    const { parameters, verdict } = await by(squareProblem(target), 'profile');
    const { estimate: root, standardError, profile, interval } = parameters.root;
    // The standard error of the square, which is nearly linear, is 2 root times that of the root.
    const reach = 1.96 * 2 * root * standardError!;
    expect(profile![1]).toBeCloseTo(Math.sqrt(root ** 2 + reach), 2);
    expect(profile![0]).toBeCloseTo(Math.sqrt(Math.max(0, root ** 2 - reach)), 2);
    const ratios = [0, 1].map((side) => (profile![side] - root) / (interval![side] - root));
    const isApart = ratios.some((ratio) => ratio > 2 || ratio < 0.5);
    expect(verdict.findings.some(({ kind }) => kind === 'intervals')).toBe(isApart);
  });
});

const saturated = kernel(
  'saturated',
  { domain: 'marks', reads: { weight: f32, root: perWorld(f32) }, writes: { seen: f32 } },
  ({ weight, root }) => ({ seen: root.div(root.add(1)).mul(weight) }),
);

describe('an unknown that saturates', () => {
  // Fixed noise: whether an amplitude of 1, that of an infinite root, lies within the interval depends on it.
  const noise = normalNumbers(randomNumbers(5));
  const problemOf = (deviation: number): Problem => ({
    ...marksProblem(
      saturated,
      Array.from({ length: 48 * MARKS }, (_, k) => 0.75 * (1 + (k % MARKS) / 10) + deviation * noise()),
    ),
    parameters: [{ name: 'root', field: 'world.root', initial: 2, transform: 'log' }],
  });

  it('has an interval without upper end and an infinite standard error where the curvature predicts two ends', async () => {
    const problem = problemOf(6);
    const curvature = (await by(problem, 'curvature')).parameters.root;
    const { parameters, verdict } = await by(problem, undefined);
    const { standardError, interval, determinedBy } = parameters.root;
    expect(curvature.interval![1]).toBeLessThan(1e3);
    expect(standardError).toBe(Infinity);
    expect(determinedBy).toBe('nothing');
    expect(interval![1]).toBe(Infinity);
    // At its lower end the amplitude, in which the model is linear, is 1.96 of its standard errors below the estimate.
    const amplitude = (root: number): number => root / (1 + root);
    const error = curvature.standardError! / (1 + curvature.estimate) ** 2;
    expect(amplitude(interval![0])).toBeCloseTo(amplitude(curvature.estimate) - 1.96 * error, 1);
    const { note, isCritical } = verdict.findings.find(({ kind }) => kind === 'intervals')!;
    expect(isCritical).toBe(false);
    expect(note).toMatch(/^What was seen says of root that it is above 0\.\d+, and not how far; the curvature says/);
  });

  it('has the interval from the curvature where it is well determined', async () => {
    const problem = problemOf(0.3);
    const { parameters } = await by(problem, undefined);
    expect(parameters).toEqual((await by(problem, 'curvature')).parameters);
  });
});

const product = kernel(
  'product',
  {
    domain: 'marks',
    reads: { weight: f32, left: perWorld(f32), right: perWorld(f32) },
    writes: { seen: f32 },
  },
  ({ weight, left, right }) => ({ seen: left.mul(right).mul(weight) }),
);

describe('for two strongly correlated unknowns', () => {
  const FRAMES = 48;
  const SPREAD = 0.1;
  const scene = createScene([
    definePlugin({
      name: 'marks',
      contract: 1,
      components: [Mark],
      build: ({ model }) => {
        for (const side of ['left', 'right']) model.addField('world', side, f32, { fill: 1 });
        model.addField('marks', 'seen', f32);
        model.addPass('observe', product);
      },
    }),
  ]);
  for (let k = 0; k < MARKS; k++) scene.add(Mark, { weight: 1 + k / 10 });
  const problem: Problem = {
    model: buildModel(scene),
    frames: FRAMES,
    frameRate: 10,
    substeps: 1,
    parameters: ['left', 'right'].map((name) => ({
      name,
      field: `world.${name}`,
      initial: 1.1,
      scale: 1,
      prior: { mean: 1, standardDeviation: SPREAD },
    })),
    observations: [
      {
        field: 'marks.seen',
        target: Array.from(
          { length: FRAMES * MARKS },
          (_, k) => 1 + (k % MARKS) / 10 + 0.001 * normal() * (1 + (k % MARKS) / 10),
        ),
      },
    ],
  };

  it('the profile interval ends where the penalty of both priors along the valley has risen by 1.96^2', async () => {
    const { parameters } = await by(problem, 'profile');
    // Their product is 1 to a thousandth, so either is left with the priors of itself and of its reciprocal.
    const risen = (a: number): number => ((a - 1) ** 2 + (1 / a - 1) ** 2) / SPREAD ** 2 - 1.96 ** 2;
    const root = (low: number, high: number): number => {
      const middle = (low + high) / 2;
      if (high - low < 1e-6) return middle;
      return risen(middle) > 0 === risen(low) > 0 ? root(middle, high) : root(low, middle);
    };
    for (const { profile } of Object.values(parameters)) {
      expect(Math.abs(profile![0] / root(0.2, 1) - 1)).toBeLessThan(0.03);
      expect(Math.abs(profile![1] / root(1, 5) - 1)).toBeLessThan(0.03);
    }
  });
});

describe('pictures with correlated noise', () => {
  const model = lineModel();
  const clean = (async () => {
    const simulation = await createSimulation(model, { device, ...LINE, record: ['pixels.light'] });
    simulation.forward();
    const seen = await simulation.readFrames('pixels.light');
    simulation.dispose();
    return seen;
  })();
  /**
   * Problem whose target has white noise and an offset of each frame, correlated by 0.7 with that of the previous
   * frame.
   */
  async function noisy(): Promise<Problem> {
    const seen = await clean;
    let offset = normal();
    const target = seen.map((value, k) => {
      if (k % PIXELS === 0) offset = 0.7 * offset + Math.sqrt(1 - 0.49) * normal();
      return value + 0.05 * (offset + normal());
    });
    return {
      model,
      ...LINE,
      parameters: lineParameters(0.1),
      observations: [{ field: 'pixels.light', target }],
    };
  }

  it('have profile intervals as long as those from the curvature, which include the correlation', async () => {
    const { parameters } = await by(await noisy(), 'profile');
    for (const { interval, profile } of Object.values(parameters))
      expect(lengthOf(profile!) / lengthOf(interval!)).toBeCloseTo(1, 1);
  });

  it('have 95 % bootstrap intervals, of which at least 85 % contain the truth', async () => {
    let [held, all] = [0, 0];
    for (let draw = 0; draw < 20; draw++) {
      const { parameters } = await by(await noisy(), 'bootstrap');
      for (const { bootstrap, truth } of Object.values(parameters)) {
        all++;
        if (bootstrap![0] <= truth! && truth! <= bootstrap![1]) held++;
      }
    }
    console.log(`bootstrap: ${((100 * held) / all).toFixed(1)} % of ${all}`);
    expect(held / all).toBeGreaterThanOrEqual(0.85);
  });
});

it('with 3 observed frames there are no bootstrap intervals, and a finding says so', async () => {
  const problem = await (async () => {
    const seen = await seenBy(motesModel(), 0.01, normal);
    return motesProblem(seen, { observation: { frames: [0, 4, 8] } });
  })();
  const { parameters, verdict } = await by(problem, 'bootstrap');
  expect(parameters.drag).not.toHaveProperty('bootstrap');
  expect(verdict.findings.find(({ kind }) => kind === 'intervals')!.note).toMatch(/too few frames/);
});

it.each(['profile', 'bootstrap', 'verify'])('if interrupted, standard errors alone are kept: %s', async (what) => {
  const stop = new AbortController();
  const isBegun = { profile: 'profile', bootstrap: 'bootstrap', verify: 'least squares' }[what];
  let hasErrors = false;
  const found = await estimate(
    {
      ...motesProblem(await seenBy(motesModel(), 0.01, normal)),
      options:
        what === 'verify' ? { uncertainty: { verify: true } } : { uncertainty: { intervals: what as 'profile' } },
    },
    {
      device,
      signal: stop.signal,
      journal: {
        once: (of, _given, work) => {
          hasErrors ||= of === 'evidence';
          if (hasErrors && of === isBegun) stop.abort();
          return work();
        },
      },
    },
  );
  expect(stop.signal.aborted).toBe(true);
  expect(found.parameters.drag).not.toHaveProperty(what);
  expect(found.verification).toEqual([]);
  expect(found.stopped).toBe('interrupted');
  expect(found.parameters.drag.standardError).toBeGreaterThan(0);
});

it('the option intervals is refused without standard errors, and with an unknown value', async () => {
  const problem = motesProblem(await seenBy(motesModel()));
  await expect(by({ ...problem, options: { search: { method: 'adam' } } }, 'profile')).rejects.toThrowCode({
    code: 'optim/hessian-missing',
    values: ['`intervals`'],
  });
  const misspelt = { ...problem, options: { uncertainty: { intervals: 'profil' } } } as unknown as Problem;
  await expect(estimate(misspelt, { device })).rejects.toThrowCode({
    code: 'optim/unknown-choice',
    values: ['profil'],
  });
});
