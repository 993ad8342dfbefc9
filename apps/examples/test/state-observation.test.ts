import { cpuDevice, createSimulation } from '@gradsim/core';
import { OBJECTS, randomToss, TOSS_TIMELINE, tossModel } from '@gradsim/examples';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';

/** Seed of the random toss. */
const SEED = 2;

describe('observation of 3D positions', () => {
  it('determines the mass of a pushed box from the positions of its vertices to 1e-6', async () => {
    console.log(`toss: seed ${SEED}`);
    const toss = randomToss(randomNumbers(SEED), 'box', 16);
    const model = tossModel(toss);
    const device = cpuDevice();
    const record = ['bodyVertices.position'];
    const simulation = await createSimulation(model, { device, ...TOSS_TIMELINE, record });
    simulation.forward();
    const target = await simulation.readFrames(record[0]);
    simulation.dispose();
    expect(target).toHaveLength(TOSS_TIMELINE.frames * OBJECTS.box.positions.length);

    const { parameters, predicted } = await estimate(
      {
        model,
        ...TOSS_TIMELINE,
        parameters: [
          {
            name: 'mass',
            field: 'bodies.mass',
            transform: 'log',
            initial: 10 * toss.mass,
            range: [0.5, 100],
          },
        ],
        observations: [{ field: record[0], target }],
        options: { search: { horizons: [0.25, 1], scan: 16, hops: 4 } },
      },
      { device },
    );
    // Positions carry about 7 digits in single precision.
    expect(parameters.mass.estimate / toss.mass).toBeCloseTo(1, 6);
    expect(predicted[record[0]]).toHaveLength(target.length);
  });
});
