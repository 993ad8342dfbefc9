import { selectDevice } from '@gradsim/core';
import { estimate } from '@gradsim/optim';
import { expect, test } from 'vitest';
import cubeToss from '../src/cube-toss.ts';

// The sample's poses are of four times as many substeps than the experiment takes, with the noise of a tracker.
test('friction and restitution of the sample are found within three standard errors, and trusted', async () => {
  const device = await selectDevice('cpu', { threads: 1 });
  const [{ problem }] = await cubeToss.stages({ device, settings: {}, log: () => {} });
  const { parameters, verdict, residual } = await estimate(problem, { device });
  expect(residual).toBeLessThan(1.2);
  for (const name of ['mu', 'restitution', 'duration']) {
    const { estimate: found, standardError, truth } = parameters[name];
    expect(Math.abs(found - truth!), name).toBeLessThan(3 * standardError!);
    expect(standardError! / truth!, name).toBeLessThan(0.1);
  }
  expect(verdict.trusted).toBe(true);
}, 90_000);

test('a table of poses that is wrong is refused by its name', async () => {
  const device = await selectDevice('cpu', { threads: 1 });
  const stages = (settings: Record<string, string>) => async () =>
    cubeToss.stages({ device, settings, log: () => {} });
  await expect(stages({ pose: 'x' })).rejects.toThrow('has no setting "pose"; it has poses');
  await expect(stages({ poses: import.meta.filename })).rejects.toThrow('has no column x');
});
