import { expect, it } from 'vitest';
import { SimulationCount } from '../src/simulation-count.ts';

it('counts a simulation per loss, one more per unknown of a system, and none of the inference', async () => {
  const count = new SimulationCount(5);
  const points = [new Float64Array(5), new Float64Array(5)];
  expect(await count.once('losses', points, async () => 'result')).toBe('result');
  await count.once('least squares', points, async () => {});
  await count.once('evidence', points, async () => {});
  expect(count.simulations).toBe(2 + 2 * 6);
});
