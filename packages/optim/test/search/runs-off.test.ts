// A coefficient on a log scale whose best value would be below 0, as that of friction often is where there is none: the
// search must not run after it while the others wait, nor swing about where its prior holds it.
import { randomNumbers, standardNormal } from '@gradsim/base';
import { f64Device, recordOf } from '@gradsim/core';
import { estimate, search } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { LINE, lineModel, lineParameters } from '../line.ts';

const device = f64Device();
const model = lineModel();
const [centre, speed, push] = lineParameters(0.1);

it.each([[1], [0.3, 1]])(
  'values beside an unknown that runs off to 0 are those of the model without it',
  async (...horizons) => {
    const target = await recordOf(model, 'pixels.light', { device, ...LINE, values: { 'world.push': [-0.05] } });
    const found = async (isLogarithm: boolean) =>
      estimate(
        {
          model,
          ...LINE,
          values: { 'world.push': [0] },
          parameters: [centre, speed, ...(isLogarithm ? [{ ...push, transform: 'log', initial: 3 } as const] : [])],
          observations: [{ field: 'pixels.light', target, noise: 1e-3 }],
          options: { search: { horizons } },
        },
        { device },
      );
    const [alone, beside] = [await found(false), await found(true)];
    expect(beside.stopped).toBe('tolerance');
    for (const name of ['centre', 'speed'])
      expect(beside.parameters[name].estimate).toBeCloseTo(alone.parameters[name].estimate, 4);
    expect(beside.history.length).toBeLessThan(3 * alone.history.length + 20);
  },
);

it('a logarithm that the data lower and its prior holds is found in a few steps', async () => {
  const random = randomNumbers(7);
  const clear = await recordOf(model, 'pixels.light', { device, ...LINE, values: { 'world.push': [-5] } });
  const prior = { mean: 1, standardDeviation: 0.5, isLogNormal: true };
  const { stopped, history, parameters } = await search(
    {
      model,
      ...LINE,
      values: { 'world.push': [0] },
      parameters: [{ ...push, transform: 'log', initial: 1, prior }],
      observations: [{ field: 'pixels.light', target: clear.map((light) => light + 0.3 * standardNormal(random)) }],
      options: { search: { horizons: [1] } },
    },
    { device },
  );
  expect(stopped).toBe('tolerance');
  expect(parameters.push).toBeLessThan(prior.mean * Math.exp(-2 * prior.standardDeviation));
  expect(history.length).toBeLessThan(12);
});
