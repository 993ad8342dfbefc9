import { f64Device } from '@gradsim/core';
import { estimate } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { motesModel, motesProblem, seenBy } from '../motes.ts';

// Standard errors scale with the noise: those of a stated one of 1e-2 are a hundred times those of a scatter of 1e-4,
// and equal those of a scatter of 1e-2, as far as 144 residuals determine both.
it('a stated least noise keeps standard errors from falling below those of that noise, and has no effect below the actual noise', async () => {
  const device = f64Device();
  const normal = normalNumbers(randomNumbers(seedOfRun('least noise', 3)));
  const model = motesModel();
  const [little, large] = [await seenBy(model, 1e-4, normal), await seenBy(model, 1e-2, normal)];
  const errors = async (target: Float64Array, observation: object): Promise<number[]> => {
    const { parameters } = await estimate(motesProblem(target, { observation }), { device });
    return Object.values(parameters).map(({ standardError }) => standardError!);
  };
  const told = await errors(little, { noise: 1e-2, leastShare: 1 });
  const scattered = await errors(little, { noise: 1e-2 });
  const real = await errors(large, { noise: 1e-2 });
  told.forEach((error, k) => {
    expect(error / scattered[k]).toBeGreaterThan(50);
    expect(error / real[k]).toBeGreaterThan(0.6);
    expect(error / real[k]).toBeLessThan(1.7);
  });
  // And a larger scatter than stated is unaffected.
  const [most] = await errors(large, { noise: 1e-3, leastShare: 1 });
  expect(most / real[0]).toBeCloseTo(1, 6);
  // Of a perfect fit they are those of the noise too.
  const exact = await errors(await seenBy(model, 0, normal), { noise: 1e-2, leastShare: 1 });
  exact.forEach((error, k) => {
    expect(error / real[k]).toBeGreaterThan(0.6);
    expect(error / real[k]).toBeLessThan(1.7);
  });
  // A bound of a share of it counts as that share.
  const share = await errors(little, { noise: 1e-2, leastShare: 0.25 });
  share.forEach((error, k) => {
    expect(error / told[k]).toBeCloseTo(0.25, 6);
  });
  await expect(errors(little, { noise: 1e-2, leastShare: 2 })).rejects.toThrowCode('optim/option-out-of-range');
});
