import { createSimulation, f64Device } from '@gradsim/core';
import type { Observation } from '@gradsim/optim';
import { estimate, randomNumbers } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { Residuals } from '../src/residuals.ts';
import { Unknowns } from '../src/unknowns.ts';
import { gravity, motesModel, printedSeed, RUN, seenBy } from './motes.ts';

const model = motesModel();
const random = randomNumbers(printedSeed('correlated', 5));
const target = (await seenBy(model)).map((x) => x + 0.01 * (random() - 0.5));
const observation: Observation = { field: 'motes.seen', target };

/** Of a simulation that has what is recorded, which residuals need. */
async function count(given: Partial<Observation>): Promise<number> {
  const simulation = await createSimulation(model, { device: f64Device(), ...RUN, record: ['motes.seen'] });
  simulation.dispose();
  return new Residuals(model, [{ ...observation, ...given }], RUN.frames).count;
}

describe('values that err together', () => {
  it('count for so many fewer, and those without a weight not at all', async () => {
    expect(await count({})).toBe(target.length);
    expect(await count({ correlated: 4 })).toBe(target.length / 4);
    expect(await count({ weights: [1, 0, 0], correlated: 2 })).toBe(target.length / 6);
    await expect(count({ correlated: 0.5 })).rejects.toThrow('correlated 0.5; it is at least 1');
  });

  it('give way to a prior: the estimate is the mean of both, weighted by information', async () => {
    const find = async (correlated: number, prior?: { mean: number; standardDeviation: number }) =>
      (
        await estimate(
          {
            model,
            ...RUN,
            parameters: [{ ...gravity, prior }],
            observations: [{ ...observation, correlated }],
          },
          { device: f64Device() },
        )
      ).parameters[gravity.name];
    const alone = await find(4);
    const standardDeviation = alone.standardError! / 2;
    const mean = alone.estimate + 0.01;
    const both = await find(4, { mean, standardDeviation });
    // Information 1/s^2 and 4/s^2; 4/s^2 each where every value counts.
    expect((both.estimate - alone.estimate) / 0.01).toBeCloseTo(0.8, 1);
    const sure = await find(1, { mean, standardDeviation });
    expect((sure.estimate - alone.estimate) / 0.01).toBeCloseTo(0.5, 1);
  });
});

describe('a start', () => {
  it('is where the search begins; what is reported as initial stays', async () => {
    const spec = { ...gravity, start: gravity.initial + 1 };
    const unknowns = new Unknowns({ model, ...RUN, parameters: [spec] });
    expect(unknowns.values(unknowns.initial())[0]).toBeCloseTo(spec.start, 12);
    const { parameters, history } = await estimate(
      { model, ...RUN, parameters: [spec], observations: [observation] },
      { device: f64Device() },
    );
    expect(history[0].parameters[gravity.name]).toBeCloseTo(spec.start, 12);
    expect(parameters[gravity.name].initial).toBe(gravity.initial);
  });
});
