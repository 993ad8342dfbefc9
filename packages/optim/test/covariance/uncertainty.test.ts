import { f64Device } from '@gradsim/core';
import type { ParameterSpec } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { draws, normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { uncertaintyOf } from '../../src/covariance/uncertainty.ts';
import type { Uncertainty } from '../../src/posterior/uncertainty.ts';
import { Unknowns } from '../../src/unknowns/unknowns.ts';
import { motesModel, motesProblem, RUN, seenBy, vx } from '../motes.ts';

const model = motesModel();
const speed = (name: string, element: number, component: number): ParameterSpec => ({
  name,
  field: 'motes.velocity',
  elements: [element],
  component,
  initial: 1,
});

/** Uncertainty from a given Hessian and sum of squares, with independent residuals by default. */
const alone = (
  unknowns: Unknowns,
  x: readonly number[],
  hessian: readonly number[],
  squares: number,
  values: number,
  rounding = 0,
  scores: readonly (readonly number[])[] = [],
  least = 0,
): Uncertainty =>
  uncertaintyOf(
    unknowns,
    x,
    {
      squares,
      values,
      mispredicted: [],
      roundingLengths: [],
      precision: null,
      patternSums: null,
      scores: scores.map((score) => Float64Array.from(score)),
      information: scores.map(() => Float64Array.from(hessian)),
      hessian: Float64Array.from(hessian),
    },
    { count: values, floor: 0, smallestShare: 1e-11, rounding, departed: null, least, leastOfScores: 0 },
  );

describe('the uncertainty of a linear problem', () => {
  // y = A x + noise of variance s^2 has the covariance s^2 (A^T A)^-1. For A^T A = [[4, 2], [2, 3]] the inverse is
  // [[3, -2], [-2, 4]] / 8; the residuals' sum of squares 20 over 12 - 2 degrees of freedom makes s^2 = 2.
  const unknowns = new Unknowns({ model, ...RUN, parameters: [speed('a', 0, 0), speed('b', 1, 0)] });
  const found = alone(unknowns, [1, 1], [4, 2, 2, 3], 20, 12);

  it('has the standard errors and the correlation of the closed form', () => {
    expect(found.standardErrors[0]).toBeCloseTo(Math.sqrt((2 * 3) / 8), 12);
    expect(found.standardErrors[1]).toBeCloseTo(Math.sqrt((2 * 4) / 8), 12);
    expect(found.correlation[0][1]).toBeCloseTo(-2 / Math.sqrt(3 * 4), 12);
    expect(found.correlation[1][0]).toBeCloseTo(-2 / Math.sqrt(3 * 4), 12);
    expect(found.correlation[0][0]).toBeCloseTo(1, 12);
    expect(found.leastDetermined).toBe('b');
  });
  it('has the bound of Cramer and Rao, which a stated noise above that of the residuals leaves as it is', () => {
    const stated = alone(unknowns, [1, 1], [4, 2, 2, 3], 20, 12, 0, [], 4 * 2);
    for (const { bound } of [found, stated])
      [3, -2, -2, 4].forEach((c, at) => expect(bound[at]).toBeCloseTo((2 * c) / 8, 12));
    expect(stated.standardErrors[0]).toBeCloseTo(2 * found.standardErrors[0], 12);
  });
  it('is no smaller than the rounding error of the values (relative 1e-7), however large the information', () => {
    const exact = alone(unknowns, [3, -2], [4e20, 0, 0, 4e20], 20, 12, 1e-7);
    expect(exact.standardErrors[0]).toBeCloseTo(3e-7, 12);
    expect(exact.standardErrors[1]).toBeCloseTo(2e-7, 12);
  });
  it('includes the remaining Gauss-Newton step after an early stop, and no step where a prior balances the residuals', () => {
    const near = (mean: number): Unknowns =>
      new Unknowns({
        model,
        ...RUN,
        parameters: [{ ...speed('a', 0, 0), prior: { mean, standardDeviation: 10 } }, speed('b', 1, 0)],
      });
    // J^T r = (4, 2) with J^T J as above: one step of (-1, 0) takes all of the sum of squares 4.
    const early = alone(near(1), [1, 1], [4, 2, 2, 3], 4 + 1e-12, 12, 0, [[4, 2]]);
    expect(early.standardErrors[0]).toBeCloseTo(1, 2);
    expect(early.standardErrors[1]).toBeLessThan(0.01);
    // Residuals of variance 20 / 12 and a prior of 100 balance: J^T r over the one is the distance over the other.
    const squares = 20;
    const held = alone(near(1 + 1e4), [1, 1], [4, 2, 2, 3], squares, 12, 0, [[(1e4 / 100) * (squares / 12), 0]]);
    expect([...held.remainingStep].every((one) => Math.abs(one) < 1e-9)).toBe(true);
  });

  it('does not depend on the scales of the parameters', () => {
    const stretched = new Unknowns({
      model,
      ...RUN,
      parameters: [
        { ...speed('a', 0, 0), scale: 10 },
        { ...speed('b', 1, 0), scale: 0.1 },
      ],
    });
    const other = alone(stretched, [1, 1], [4, 2, 2, 3], 20, 12);
    other.standardErrors.forEach((error, k) => expect(error).toBeCloseTo(found.standardErrors[k]!, 9));
  });
  it('of a parameter with transform log is multiplied by its value', () => {
    // value = exp(x), so the error of the value is value times that of x.
    const log = new Unknowns({ model, ...RUN, parameters: [{ ...speed('a', 0, 0), transform: 'log' }] });
    expect(alone(log, [Math.log(5)], [4], 11, 12).standardErrors[0]).toBeCloseTo(5 / 2, 12);
  });
  it('is zero for an exact fit, which still has correlations and a least determined parameter', () => {
    const exact = alone(unknowns, [1, 1], [4, 2, 2, 3], 0, 12);
    for (const error of exact.standardErrors) expect(error).toBeLessThan(1e-40);
    expect(exact.correlation[0][1]).toBeCloseTo(-2 / Math.sqrt(12), 12);
    expect(exact.leastDetermined).toBe('b');
    expect(exact.undetermined).toEqual([]);
  });
});

describe('an undetermined direction', () => {
  it('of one parameter is found and described; the standard error of that is infinite', async () => {
    const clean = await seenBy(model);
    // Weights leave only x, which the speed along z does not affect.
    const { parameters, undetermined, leastDetermined, correlation } = await estimate(
      motesProblem(clean, { parameters: [vx, speed('vz', 0, 2)], observation: { weights: [1, 0, 0] } }),
      { device: f64Device() },
    );
    expect(parameters.vz).toMatchObject({
      standardError: Number.POSITIVE_INFINITY,
      interval: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
      determinedBy: 'nothing',
    });
    expect(parameters.vz.estimate).toBe(1);
    expect(parameters.vx.standardError).toBeLessThan(1);
    expect(parameters.vx.determinedBy).toBe('observations');
    expect(leastDetermined).toBe('vz');
    expect(correlation[0][1]).toBeNull();
    expect(undetermined).toHaveLength(1);
    expect(undetermined[0].note).toBe('vz is not determined by these observations.');
    expect(Math.abs(undetermined[0].direction.vz)).toBeCloseTo(1, 9);
    expect(undetermined[0].standardDeviation).toBeNull();
  });

  it('is not trusted if all is undetermined but what was known before', async () => {
    const known = { ...vx, prior: { mean: 1, standardDeviation: 1 } };
    const clean = await seenBy(model);
    const verdictOf = async (parameters: readonly ParameterSpec[]) =>
      (
        await estimate(motesProblem(clean, { parameters, observation: { weights: [1, 0, 0] } }), {
          device: f64Device(),
        })
      ).verdict;
    expect((await verdictOf([vx, speed('vz', 0, 2)])).trusted).toBe(true);
    const { trusted, findings } = await verdictOf([known, speed('vz', 0, 2)]);
    expect(trusted).toBe(false);
    expect(findings[0]).toMatchObject({ kind: 'undetermined', unknowns: ['vz'] });
    expect(findings[0].note).toMatch(/^The observations determine none of the unknowns/);
  });

  it('of a combination of two parameters is found and described; the standard errors of both are infinite', async () => {
    // Only the last frame of one mote's height counts, which the height at the start and the speed both move: (1, T) in
    // their coordinates, so (T, -1) is free.
    const clean = await seenBy(model);
    const height: ParameterSpec = {
      name: 'height',
      field: 'motes.position',
      elements: [0],
      component: 1,
      initial: 1,
    };
    // With drag c, the distance in time T per unit of speed is the sum of dt exp(-c dt)^k over the substeps.
    const [n, dt] = [(RUN.frames - 1) * RUN.substeps, 1 / (RUN.frameRate * RUN.substeps)];
    const way = Array.from({ length: n }, (_, k) => dt * Math.exp(-0.5 * dt * (k + 1))).reduce((a, b) => a + b);
    const { undetermined, parameters, derived } = await estimate(
      {
        ...motesProblem(clean, {
          parameters: [height, speed('vy', 0, 1)],
          observation: { frames: 'last', weights: [0, 1, 0, 0, 0, 0] },
        }),
        derived: {
          'last height': { compute: ({ height: start, vy }) => start + way * vy },
          difference: { compute: ({ height: start, vy }) => start - vy },
        },
      },
      { device: f64Device() },
    );
    // A quantity that does not change along the direction is determined, though none of its parameters is.
    expect(derived['last height'].standardError).toBeLessThan(1e-6);
    expect(derived.difference.standardError).toBe(Number.POSITIVE_INFINITY);
    expect(undetermined).toHaveLength(1);
    const { direction, note } = undetermined[0];
    expect(Math.hypot(direction.height, direction.vy)).toBeCloseTo(1, 9);
    expect(direction.height / direction.vy).toBeCloseTo(-way, 9);
    expect(note).toMatch(/^The combination vy up, height down is not determined: changed together/);
    expect(parameters.height.standardError).toBe(Number.POSITIVE_INFINITY);
    expect(parameters.vy.standardError).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('standard errors', () => {
  it('equal the scatter of repeated estimates, within four standard deviations of that', async () => {
    const count = draws(15, 1000);
    const normal = normalNumbers(randomNumbers(seedOfRun('scatter', 5)));
    const deviations: number[] = [];
    const clean = await seenBy(model);
    for (let k = 0; k < count; k++) {
      const target = clean.map((value) => value + 0.05 * normal());
      const { vx: found } = (await estimate(motesProblem(target), { device: f64Device() })).parameters;
      deviations.push((found.estimate - 0.4) / found.standardError!);
    }
    // Mean 0 and variance 1; over n draws the mean scatters by 1 / sqrt(n), the variance by sqrt(2 / n): four of each.
    const mean = deviations.reduce((a, b) => a + b) / count;
    const variance = deviations.reduce((sum, d) => sum + d * d, 0) / count;
    expect(Math.abs(mean)).toBeLessThan(4 / Math.sqrt(count));
    expect(Math.abs(variance - 1)).toBeLessThan(4 * Math.sqrt(2 / count));
  });
});
