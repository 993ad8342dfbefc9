import { f64Device } from '@gradsim/core';
import type { Observation, ParameterSpec } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { withoutPriors, withPriors } from '../../src/objective/priors.ts';
import { Unknowns } from '../../src/unknowns/unknowns.ts';
import { drag, gravity, motesModel, RUN, seenBy, TRUTH } from '../motes.ts';

const model = motesModel();
const random = randomNumbers(seedOfRun('priors', 5));
const target = (await seenBy(model)).map((x) => x + 0.01 * (random() - 0.5));
const observation: Observation = { field: 'motes.seen', target };

describe('a prior', () => {
  it('of half the standard error of the observations moves the estimate 60 to 95 % of the way to its mean', async () => {
    const find = async (prior?: { mean: number; standardDeviation: number }) =>
      (
        await estimate(
          { model, ...RUN, parameters: [{ ...gravity, prior }], observations: [observation] },
          { device: f64Device() },
        )
      ).parameters[gravity.name];
    const alone = await find();
    const standardDeviation = alone.standardError! / 2;
    const mean = alone.estimate + 0.01;
    const both = await find({ mean, standardDeviation });
    // Information 1/s^2 and 4/s^2, and s is estimated anew.
    expect((both.estimate - alone.estimate) / 0.01).toBeGreaterThan(0.6);
    expect((both.estimate - alone.estimate) / 0.01).toBeLessThan(0.95);
    expect(both.determinedBy).toBe('priors');
    expect(alone.determinedBy).toBe('observations');
  });

  it('as precise as observations that fit better than they state moves the estimate halfway to its mean', async () => {
    const find = async (prior?: { mean: number; standardDeviation: number }) =>
      (
        await estimate(
          {
            model,
            ...RUN,
            parameters: [{ ...gravity, prior }],
            observations: [{ ...observation, noise: 0.1, leastShare: 0.5 }],
          },
          { device: f64Device() },
        )
      ).parameters[gravity.name];
    const alone = await find();
    const standardDeviation = alone.standardError!;
    const mean = alone.estimate + standardDeviation;
    const both = await find({ mean, standardDeviation });
    expect((both.estimate - alone.estimate) / standardDeviation).toBeGreaterThan(0.4);
    expect((both.estimate - alone.estimate) / standardDeviation).toBeLessThan(0.6);
    expect(both.standardError! / standardDeviation).toBeCloseTo(Math.SQRT1_2, 1);
  });

  it('is reported as contradicted if precise observations are five of its standard deviations away, not if three', async () => {
    const find = async (deviations: number) => {
      const truth = (
        await estimate({ model, ...RUN, parameters: [gravity], observations: [observation] }, { device: f64Device() })
      ).parameters[gravity.name];
      // So wide that observations count far more.
      const standardDeviation = 20 * truth.standardError!;
      const prior = { mean: truth.estimate + deviations * standardDeviation, standardDeviation };
      const { verdict } = await estimate(
        { model, ...RUN, parameters: [{ ...gravity, prior }], observations: [observation] },
        { device: f64Device() },
      );
      return verdict.findings.filter(({ kind }) => kind === 'against priors');
    };
    expect(await find(3)).toEqual([]);
    const [finding] = await find(-5);
    expect(finding).toMatchObject({ isCritical: true, unknowns: [gravity.name] });
    expect(finding.note).toContain('5 standard deviations of its prior above');
  });

  it('of the logarithm holds what observations leave open to its factor, and is contradicted by factors', async () => {
    const mean = 2 * TRUTH.drag;
    const standardDeviation = 1.5;
    const unknown = { ...drag, transform: 'log' as const, initial: 0.4 };
    const find = async (prior: NonNullable<ParameterSpec['prior']>) =>
      estimate(
        { model, ...RUN, parameters: [{ ...unknown, prior }], observations: [observation] },
        { device: f64Device() },
      );
    const held = (await find({ mean, standardDeviation: 1e-4, isLogNormal: true })).parameters[drag.name];
    expect(held.estimate / mean).toBeCloseTo(1, 2);
    expect(held.standardError! / held.estimate).toBeLessThan(2e-4);
    const free = await find({ mean, standardDeviation, isLogNormal: true });
    expect(free.parameters[drag.name].determinedBy).toBe('observations');
    expect(free.verdict.findings.filter(({ kind }) => kind === 'against priors')).toEqual([]);
    const far = await find({ mean: mean * Math.exp(5 * 0.3), standardDeviation: 0.3, isLogNormal: true });
    expect(far.verdict.findings.filter(({ kind }) => kind === 'against priors')).toHaveLength(1);
  });

  // Sizes and speeds through one camera: scaling all of them by one factor looks the same.
  it('that alone determines the scale leaves the estimate trusted, with its own standard deviation as error, for 20 seeds', async () => {
    const component = (name: string, field: string, element: number, axis: number, initial: number) => ({
      name,
      field,
      elements: [element],
      component: axis,
      initial,
    });
    const state = ['position', 'velocity'].flatMap((field) =>
      [0, 1].flatMap((element) =>
        [0, 1].map((axis) => component(`${field} ${element} ${axis}`, `motes.${field}`, element, axis, 0.3 + element)),
      ),
    );
    const zoom = {
      name: 'zoom',
      field: 'world.zoom',
      initial: 1.02,
      prior: { mean: 1, standardDeviation: 0.01 },
    };
    const clean = await seenBy(model);
    for (let seed = 1; seed <= 20; seed++) {
      const normal = normalNumbers(randomNumbers(seed));
      const seen = clean.map((value) => value + 0.003 * normal());
      const { verdict, parameters } = await estimate(
        {
          model,
          ...RUN,
          parameters: [gravity, ...state, zoom],
          observations: [{ field: 'motes.seen', target: seen, noise: 0.003 }],
        },
        { device: f64Device() },
      );
      const where = `seed ${seed}: ${verdict.findings.map(({ note }) => note).join(' ')}`;
      expect(verdict.trusted, where).toBe(true);
      expect(parameters.zoom.determinedBy, where).toBe('priors');
      expect(parameters.zoom.standardError, where).toBeGreaterThan(0.0095);
      expect(parameters.zoom.standardError, where).toBeLessThan(0.0105);
    }
  });
});

describe('the loss with priors', () => {
  it('has the derivatives of its differences, rises with both, and leads back to that without, below the stated least one and above', () => {
    for (const leastLoss of [0, 0.02, 0.5])
      for (const loss of [1e-3, 0.1, 0.499, 0.6])
        for (const sum of [0, 2, 9, 70]) {
          const weighing = { count: 20, leastLoss };
          const at = (l: number, s: number): number => withPriors(l, s, weighing).loss;
          const { loss: total, ofLoss, ofPriors } = withPriors(loss, sum, weighing);
          const where = `${leastLoss}, ${loss}, ${sum}`;
          expect(ofLoss, where).toBeCloseTo((at(loss + 1e-7, sum) - at(loss - 1e-7, sum)) / 2e-7, 5);
          expect(ofPriors, where).toBeCloseTo((at(loss, sum + 1e-7) - at(loss, sum - 1e-7)) / 2e-7, 5);
          expect(withoutPriors(total, sum, weighing), where).toBeCloseTo(loss, 10);
        }
  });
});

describe('a start value that differs from the initial one', () => {
  it('begins the search, and leaves the reported initial value unchanged', async () => {
    const spec = { ...gravity, start: gravity.initial + 1 };
    const unknowns = new Unknowns({ model, ...RUN, parameters: [spec] });
    expect(unknowns.values(unknowns.initial())[0]).toBeCloseTo(spec.start, 12);
    const { parameters, history } = await estimate(
      { model, ...RUN, parameters: [spec], observations: [observation] },
      { device: f64Device() },
    );
    expect(history[0].parameters[gravity.name]).toBeCloseTo(spec.start, 12);
    expect(parameters[gravity.name].initial).toBe(gravity.initial);
  });
});
