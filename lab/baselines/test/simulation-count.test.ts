import { expect, it } from 'vitest';
import { SimulationCount } from '../src/simulation-count.ts';

it('the cost count is 1 simulation per loss, 1 plus the number of unknowns per least-squares system, and 0 for evidence', async () => {
  const count = new SimulationCount(5);
  const points = [new Float64Array(5), new Float64Array(5)];
  expect(await count.once('losses', points, async () => 'result')).toBe('result');
  await count.once('least squares', points, async () => {});
  await count.once('evidence', points, async () => {});
  expect(count.simulations).toBe(2 + 2 * 6);
});
