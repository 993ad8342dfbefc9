import { cpuDevice } from '@gradsim/core';
import arm from '@gradsim/examples/arm';
import bounce from '@gradsim/examples/bounce';
import doublePendulum from '@gradsim/examples/double-pendulum';
import pendulum from '@gradsim/examples/pendulum';
import type { ParameterSpec } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';

const context = { device: cpuDevice(), settings: { size: '32' }, log: () => {} };

describe('estimates from films of pendula', () => {
  it('determine the length of a pendulum, and only gravity over length if both are unknown', async () => {
    const stages = await pendulum.stages(context);
    const of = (name: string) =>
      estimate(stages.find((stage) => stage.name === name)!.problem, { device: context.device });
    const { length } = (await of('length')).parameters;
    expect(Math.abs(length.estimate / length.truth! - 1)).toBeLessThan(1e-5);
    const { parameters, undetermined } = await of('length and gravity');
    expect(parameters.gravity.estimate / parameters.length.estimate).toBeCloseTo(-9.81, 3);
    expect(undetermined[0].note).toMatch(/length up, gravity down is not determined/);
  });

  it('determine both lengths of a double pendulum to 0.01 %', async () => {
    const [{ problem }] = await doublePendulum.stages(context);
    const found = Object.values((await estimate(problem, { device: context.device })).parameters);
    for (const { estimate: value, truth } of found) expect(Math.abs(value / truth! - 1)).toBeLessThan(1e-4);
  });

  it('determine all unknowns of a bouncing ball to 0.001 %', async () => {
    const [{ problem }] = await bounce.stages(context);
    const { parameters, undetermined } = await estimate(problem, { device: context.device });
    const errors = Object.values(parameters).map(({ estimate: value, truth }) => Math.abs(value / truth! - 1));
    expect(Math.max(...errors)).toBeLessThan(1e-5);
    expect(undetermined).toEqual([]);
  });

  it('determine only ratios of unknowns of a freely swinging arm, but all of a driven arm to 0.1 %, starting 2 % off', async () => {
    const stages = await arm.stages({ ...context, settings: { size: '24' } });
    const found = async (name: string, start: (of: string, truth: number, k: number) => number, iterations: number) => {
      const { problem } = stages.find((stage) => stage.name === name)!;
      const parameters = (problem.parameters as readonly ParameterSpec[]).map((unknown, k) => ({
        ...unknown,
        initial: start(unknown.name, unknown.truth!, k),
      }));
      const options = { search: { iterations, tolerance: 1e-9, horizons: [1] } };
      return estimate({ ...problem, parameters, options }, { device: context.device });
    };
    const worst = (of: Readonly<Record<string, { estimate: number; truth?: number }>>): number =>
      Math.max(...Object.values(of).map(({ estimate: value, truth }) => Math.abs(value / truth! - 1)));
    // All masses and all friction half as large again: the same film, and nothing to be found out.
    const scaled = (name: string, truth: number): number => (name.startsWith('centre') ? truth : 1.5 * truth);
    const swinging = await found('swinging', scaled, 1);
    // Of pictures in single precision.
    expect(swinging.residual).toBeLessThan(1e-5);
    expect(swinging.parameters['mass 2'].estimate).toBeCloseTo(1.35, 3);
    expect(swinging.undetermined).toHaveLength(1);
    for (const k of [1, 2, 3, 4]) expect(swinging.undetermined[0].note).toMatch(`mass ${k} up`);
    expect(worst(swinging.derived)).toBeLessThan(1e-3);
    // From a fiftieth beside the truth: the way from further off takes the experiment longer.
    const driven = await found('driven', (_, truth, k) => truth * (k % 2 ? 1.02 : 0.98), 6);
    expect(driven.undetermined).toEqual([]);
    expect(worst(driven.parameters)).toBeLessThan(1e-3);
  });

  it('refuse a film given by the user, since they make their own', async () => {
    await expect(async () => pendulum.stages({ ...context, video: 'a.webm' })).rejects.toThrowCode({
      code: 'optim/film-not-taken',
      values: ['--video'],
    });
  });
});
