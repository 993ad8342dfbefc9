import { cpuDevice } from '@gradsim/core';
import doublePendulum from '@gradsim/examples/double-pendulum';
import pendulum from '@gradsim/examples/pendulum';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';

const context = { device: cpuDevice(), settings: { size: '32' }, log: () => {} };

describe('films of pendula', () => {
  it('tell the length of one, and of length and gravity the ratio alone', { timeout: 60_000 }, async () => {
    const stages = await pendulum.stages(context);
    const of = (name: string) =>
      estimate(stages.find((stage) => stage.name === name)!.problem, { device: context.device });
    const { length } = (await of('length')).parameters;
    expect(Math.abs(length.estimate / length.truth! - 1)).toBeLessThan(1e-5);
    const { parameters, undetermined } = await of('length and gravity');
    expect(parameters.gravity.estimate / parameters.length.estimate).toBeCloseTo(-9.81, 3);
    expect(undetermined[0].note).toMatch(/length up, gravity down is not determined/);
  });

  it('tell both lengths of a double one, from 1.5 and 0.5', { timeout: 60_000 }, async () => {
    const [{ problem }] = await doublePendulum.stages(context);
    const found = Object.values((await estimate(problem, { device: context.device })).parameters);
    for (const { estimate: value, truth } of found) expect(Math.abs(value / truth! - 1)).toBeLessThan(1e-4);
  });

  it('are their own', async () => {
    await expect(async () => pendulum.stages({ ...context, video: 'a.webm' })).rejects.toThrow(/no --video/);
  });
});
