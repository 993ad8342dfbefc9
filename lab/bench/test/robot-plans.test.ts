// Motions planned for logs of an arm by a simulator of its own: standard errors as foretold, and a chirp's beside them.
import { median } from '@gradsim/base';
import { expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';
import { drawFrom } from '../src/robots/draw.ts';
import { planTrial } from '../src/robots/plan.ts';

const SEED = seedOfRun('plans of motions');

it('standard errors of a planned motion are found as foretold, and those of a chirp are twice as large', async () => {
  const trials = await Promise.all([0, 1, 2].map((k) => planTrial(drawFrom(SEED + k), k === 0)));
  const ratios = trials.map(({ bars }) => median(bars.map(({ foretold, found }) => found / foretold)));
  expect(ratios.filter((ratio) => ratio < 1.5 && ratio > 1 / 1.5).length, `${ratios}, seed ${SEED}`).toBeGreaterThan(1);
  for (const { bars, taken } of trials) {
    expect(bars.length).toBeGreaterThan(8);
    // A twentieth of each bound is left free.
    expect(taken).toBeLessThan(0.96);
  }
  const logs = trials.flatMap(({ bars }) =>
    bars.flatMap(({ chirp, found }) => (chirp ? [Math.log(chirp / found)] : [])),
  );
  expect(logs.reduce((sum, x) => sum + x, 0) / logs.length, `seed ${SEED}`).toBeGreaterThan(Math.log(2));
});
