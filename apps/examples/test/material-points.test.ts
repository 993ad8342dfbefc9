import { cpuDevice } from '@gradsim/core';
import heap from '@gradsim/examples/heap';
import jelly from '@gradsim/examples/jelly';
import pudding from '@gradsim/examples/pudding';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';

describe('material points', () => {
  it.each([jelly, heap])('have a material found from their noisy motion: $name', async (experiment) => {
    const context = { device: cpuDevice(), settings: {}, log: () => {} };
    const [{ problem }] = await experiment.stages(context);
    const found = await estimate(problem, { device: context.device });
    const [{ name, truth = 0 }] = problem.parameters!;
    const { estimate: value, standardError } = found.parameters[name];
    console.info(`${name}: ${value} +- ${standardError}, truth ${truth}`);
    expect(Math.abs(value - truth)).toBeLessThan(3 * standardError!);
    expect(standardError!).toBeLessThan(0.02 * truth);
    context.device.dispose();
  });

  it('have stiffness and viscosity found from pictures of their surface', async () => {
    const context = { device: cpuDevice(), settings: {}, log: () => {} };
    const [{ problem }] = await pudding.stages(context);
    const { parameters, verdict } = await estimate(problem, { device: context.device });
    for (const { name, truth = 0 } of problem.parameters!) {
      const { estimate: value, standardError } = parameters[name];
      console.info(`${name}: ${value} +- ${standardError}, truth ${truth}`);
      expect(Math.abs(value - truth)).toBeLessThan(3 * standardError!);
      expect(standardError!).toBeLessThan(0.05 * truth);
    }
    expect(verdict.trusted).toBe(true);
    context.device.dispose();
  });
});
