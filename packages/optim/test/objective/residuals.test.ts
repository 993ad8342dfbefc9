import type { Comparison, Simulation } from '@gradsim/core';
import { createSimulation, f64Device } from '@gradsim/core';
import type { Observation } from '@gradsim/optim';
import { afterEach, describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { Objective } from '../../src/objective/objective.ts';
import { residualsOf, sumsOf } from '../../src/objective/residuals.ts';
import { Unknowns } from '../../src/unknowns/unknowns.ts';
import { drag, gravity, motesModel, RUN, seenBy, vx } from '../motes.ts';

const model = motesModel();
const unknowns = new Unknowns({ model, ...RUN, parameters: [gravity, drag, vx] });
const P = unknowns.count;
/** Number of observed values per frame. */
const VALUES = 6;
const made: Simulation[] = [];
afterEach(() => made.splice(0).forEach((s) => s.dispose()));

async function simulation(
  derivative: 'none' | 'tangent' | 'adjoint',
  worlds: number,
  comparisons: readonly Comparison[] = [],
): Promise<Simulation> {
  const options = {
    device: f64Device(),
    ...RUN,
    worlds,
    derivative,
    record: ['motes.seen'],
    parameters: unknowns.fields,
    comparisons: { list: comparisons, columns: derivative === 'tangent' ? P : 1 },
  };
  const simulation = await createSimulation(model, options);
  made.push(simulation);
  return simulation;
}

const random = randomNumbers(seedOfRun('residuals', 11));
const target = (await seenBy(model)).map((x) => x + 0.2 * random());
const point = Float64Array.of(-7, Math.log(0.3), 0.2);
const CASES: [string, Partial<Observation>, number][] = [
  ['all frames', {}, 1],
  ['every third frame', { frames: { every: 3 } }, 1],
  ['first and last', { frames: 'first and last' }, 1],
  ['the last', { frames: 'last' }, 1],
  ['a list', { frames: [3, 1, 3] }, 1],
  ['weights of components', { weights: [1, 0.5, 0] }, 1],
  ['weights of a frame', { weights: Float64Array.from({ length: VALUES }, (_, k) => k) }, 1],
  ['weights of every value', { weights: Float64Array.from({ length: VALUES * RUN.frames }, (_, k) => k % 5) }, 1],
  ['exposure over 4 instants', { target: target.slice(0, (VALUES * RUN.frames) / 4) }, 4],
  [
    'exposure, some frames, weights',
    { target: target.slice(0, (VALUES * RUN.frames) / 4), frames: [0, 5], weights: [1, 2, 3] },
    4,
  ],
];
const FRAMES: Record<string, (frame: number, count: number) => boolean> = {
  'every third frame': (f) => f % 3 === 0,
  'first and last': (f, n) => f === 0 || f === n - 1,
  'the last': (f, n) => f === n - 1,
  'a list': (f) => f === 1 || f === 3,
  'exposure, some frames, weights': (f) => f === 0 || f === 5,
};

/** Loss of an observation computed from its definition, value by value. */
async function direct(
  name: string,
  { weights, ...o }: Partial<Observation>,
  instants: number,
  at: Float64Array,
): Promise<number> {
  const simulated = await simulation('none', 1);
  unknowns.apply(simulated, [at]);
  simulated.forward();
  const seen = await simulated.readFrames('motes.seen');
  const targets = o.target ?? target;
  const count = RUN.frames / instants;
  let [sum, weight] = [0, 0];
  for (let f = 0; f < count; f++) {
    if (FRAMES[name] && !FRAMES[name](f, count)) continue;
    for (let k = 0; k < VALUES; k++) {
      const w = !weights
        ? 1
        : weights.length === 3
          ? weights[k % 3]
          : weights.length === VALUES
            ? weights[k]
            : weights[f * VALUES + k];
      let mean = 0;
      for (let i = 0; i < instants; i++) mean += seen[(f * instants + i) * VALUES + k] / instants;
      sum += w * (mean - targets[f * VALUES + k]) ** 2;
      weight += w;
    }
  }
  return sum / weight;
}

const problem = { model, ...RUN, parameters: [gravity, drag, vx] };
const problemOf = (observation: Partial<Observation>, instants: number) => ({
  ...problem,
  observations: [{ field: 'motes.seen', target, instants, ...observation }],
});

describe('the loss of residuals', () => {
  for (const [name, observation, instants] of CASES) {
    const make = () => residualsOf(model, [{ field: 'motes.seen', target, instants, ...observation }], RUN.frames);

    it(`is the weighted mean of squared residuals: ${name}`, async () => {
      const objective = new Objective(problemOf(observation, instants), unknowns);
      const simulated = await simulation('none', 2, objective.comparisons);
      unknowns.apply(simulated, [point, unknowns.initial()]);
      simulated.forward();
      const losses = await objective.losses(simulated, [0, 1], [point, unknowns.initial()]);
      expect(losses[0]).toBeCloseTo(await direct(name, observation, instants, point), 12);
      expect(losses[1]).toBeCloseTo(await direct(name, observation, instants, unknowns.initial()), 12);
    });

    it(`has the same gradient by tangents, adjoints and central differences: ${name}`, async () => {
      const residuals = make();
      const forward = await simulation('tangent', 2 * P, residuals.comparisons);
      // Two starts: the system of one must not affect the other.
      const starts = [unknowns.initial(), point];
      const worlds = starts.flatMap((x) => Array<Float64Array>(P).fill(x));
      unknowns.apply(forward, worlds);
      unknowns.applyTangents(
        forward,
        worlds,
        worlds.map((_, w) => w % P),
      );
      forward.forward();
      const system = residuals.normalEquations(await sumsOf(forward), 2, P)[1];

      const objective = new Objective(problemOf(observation, instants), unknowns);
      const reverse = await simulation('adjoint', 1, objective.comparisons);
      unknowns.apply(reverse, [point]);
      reverse.forward();
      const { losses, seeds, squares } = await objective.assess(reverse, [point]);
      reverse.backward(seeds, squares);
      const [gradient] = await unknowns.gradients(reverse, [point]);
      expect(losses[0]).toBeCloseTo(system.loss, 12);
      for (let k = 0; k < P; k++) {
        // J^T r is half the gradient of the loss: both modes of differentiation agree up to rounding.
        expect(gradient[k]).toBeCloseTo(2 * system.gradient[k], 11);
        const h = 1e-5;
        const beside = (step: number) =>
          direct(
            name,
            observation,
            instants,
            point.map((x, i) => (i === k ? x + step : x)),
          );
        expect(gradient[k]).toBeCloseTo(((await beside(h)) - (await beside(-h))) / (2 * h), 7);
      }
      // The observation is linear in the launch speed, so J^T J is the exact second derivative there: (f(+) - 2 f +
      // f(-)) / h^2 / 2.
      const along = (step: number) =>
        direct(
          name,
          observation,
          instants,
          point.map((x, i) => (i === 2 ? x + step : x)),
        );
      const second = ((await along(0.1)) - 2 * (await along(0)) + (await along(-0.1))) / 0.01 / 2;
      expect(system.hessian[2 * P + 2]).toBeCloseTo(second, 9);
      for (let i = 0; i < P; i++)
        for (let j = 0; j < P; j++) expect(system.hessian[i * P + j]).toBe(system.hessian[j * P + i]);
    });
  }

  it('over two observations of one field is their mean by the sums of their weights', async () => {
    const parts: Observation[] = [
      { field: 'motes.seen', target, frames: [0, 1] },
      { field: 'motes.seen', target, frames: [2, 3], weights: [2, 2, 2] },
    ];
    const lossOf = async (observations: Observation[]) => {
      const objective = new Objective({ ...problem, observations }, unknowns);
      const simulated = await simulation('none', 1, objective.comparisons);
      unknowns.apply(simulated, [point]);
      simulated.forward();
      return (await objective.losses(simulated, [0], [point]))[0];
    };
    const [one, other] = [await lossOf([parts[0]]), await lossOf([parts[1]])];
    const both = await lossOf(parts);
    expect(both).toBeCloseTo((one + 2 * other) / 3, 12);
  });

  it('counts as exact below 1e-12 of the mean squared target in f32, and 1e-26 in f64', () => {
    const residuals = residualsOf(model, [{ field: 'motes.seen', target }], RUN.frames);
    const mean = target.reduce((sum, x) => sum + x * x, 0) / target.length;
    expect(residuals.exactLoss('f32') / mean).toBeCloseTo(1e-12, 20);
    expect(residuals.exactLoss('f64') / mean).toBeCloseTo(1e-26, 34);
  });
});

describe('an observation is refused', () => {
  const refused = (o: Partial<Observation>) =>
    expect(() => residualsOf(model, [{ field: 'motes.seen', target, ...o }], RUN.frames));
  it('if there is none', () =>
    expect(() => residualsOf(model, [], 24)).toThrowCode({
      code: 'optim/nothing-to-compare',
      values: ['nothing to compare with'],
    }));
  it('of an unknown field', () =>
    refused({ field: 'motes.sen' }).toThrowCode({ code: 'core/unknown-field', field: 'motes.sen' }));
  it('of another size than the frames of the run', () =>
    refused({ target: target.slice(6) }).toThrowCode({
      code: 'optim/wrong-size',
      field: 'motes.seen',
      values: [138, 24, 144],
    }));
  it('with NaN', () =>
    refused({ target: target.map((x, k) => (k === 13 ? Number.NaN : x)) }).toThrowCode({
      code: 'optim/target-not-finite',
      field: 'motes.seen',
      values: [2, 'NaN'],
    }));
  it('with a frame after the run', () =>
    refused({ frames: [24] }).toThrowCode({ code: 'optim/no-such-frame', values: [24] }));
  it('with `every: 0`', () => refused({ frames: { every: 0 } }).toThrowCode('optim/option-out-of-range'));
  it('with weights of another size, below 0, or all 0', () => {
    refused({ weights: [1, 2] }).toThrowCode({ code: 'optim/wrong-size', field: 'motes.seen', values: [2] });
    refused({ weights: [1, -1, 1] }).toThrowCode({
      code: 'optim/weight-out-of-range',
      field: 'motes.seen',
      values: [-1, 0],
    });
    refused({ weights: [0, 0, 0] }).toThrowCode({ code: 'optim/nothing-to-compare', values: ['All weights'] });
  });
  it('with a number of instants that does not divide that of the frames', () =>
    refused({ instants: 5 }).toThrowCode({ code: 'optim/instants', values: [5, 24] }));
});
