import { expect, it } from 'vitest';
import { sweepInChaos } from '../src/sweep/chaos.ts';

// By the built command, as users have it: `npm test` builds before.
it('a sweep whose workers and coordinator are killed has every result once, bit for bit those of an undisturbed sweep', async () => {
  const { lost, twice, differing, killedWorkers, killedCoordinators } = await sweepInChaos({
    trials: 30,
    idle: 60,
    coordinators: 2,
    workers: 2,
    seed: 3,
  });
  expect({ lost, twice, differing }).toEqual({ lost: 0, twice: 0, differing: 0 });
  expect(killedCoordinators).toBeGreaterThan(0);
  expect(killedWorkers).toBeGreaterThan(0);
});
