import { cpuDevice } from '@gradsim/core';
import type { ParameterSpec, Recording } from '@gradsim/optim';
import { estimateTogether } from '@gradsim/optim';
import { observedPoses, startOfFreeFlight, startUnknowns } from '@gradsim/recordings/poses';
import { expect, test } from 'vitest';
import { brick, INERTIA, MATERIAL, noisy, SEED, START, tossed } from './brick.ts';

console.info(`recordings together: seed ${SEED}`);
/** Standard deviation of the noise of positions, m; that of orientations in rad is twice this number. */
const NOISE = 0.0003;
const device = cpuDevice({ threads: 1 });

const unknown = (name: 'mu' | 'restitution', initial: number): ParameterSpec => ({
  name,
  field: `bodies.${name}`,
  transform: 'log',
  initial,
  range: [0.05, 0.95],
});

/** Simulates a toss with its own start and length, and returns its noisy poses. */
async function recording(k: number): Promise<Recording> {
  const start = {
    ...START,
    velocity: [0.8 - 0.3 * k, 0.2 * k, 0.4 * k - 0.5],
    angularVelocity: [3 - 2 * k, 2 * k, 4],
  };
  const frames = 55 + 4 * k;
  const poses = noisy(await tossed(frames, start), NOISE);
  const own = startUnknowns(startOfFreeFlight(poses, { inertia: INERTIA }));
  return {
    name: `toss ${k}`,
    problem: {
      model: brick(own.state, { ...MATERIAL, mu: 0.4, restitution: 0.6 }),
      frames,
      frameRate: 100,
      substeps: 40,
      parameters: [...own.parameters, unknown('mu', 0.4), unknown('restitution', 0.6)],
      arrays: own.arrays,
      observations: observedPoses(poses, { position: NOISE, orientation: 2 * NOISE }),
      options: { search: { method: 'levenberg-marquardt', horizons: 'growing' } },
    },
  };
}

test('five recordings of different starts and lengths together estimate mu and restitution to 2%', async () => {
  const recordings = await Promise.all([0, 1, 2, 3, 4].map(recording));
  const {
    shared,
    recordings: rest,
    verdict,
    loss,
  } = await estimateTogether(recordings, { shared: ['mu', 'restitution'] }, { device });
  expect(rest.map(({ name }) => name)).toEqual(recordings.map(({ name }) => name));
  expect(loss).toBeLessThan(1.5);
  for (const name of ['mu', 'restitution'] as const) {
    const { estimate, interval, standardError, alone } = shared[name];
    expect(estimate / MATERIAL[name], name).toBeCloseTo(1, 1.5);
    expect(interval![0], name).toBeLessThan(MATERIAL[name]);
    expect(interval![1], name).toBeGreaterThan(MATERIAL[name]);
    // Five say more than the one that is furthest off.
    const worst = Math.max(...alone.map((one) => Math.abs(one - MATERIAL[name])));
    expect(Math.abs(estimate - MATERIAL[name])).toBeLessThan(worst);
    expect(standardError).toBeGreaterThan(0);
  }
  expect(verdict).toMatchObject({ trusted: true, findings: [] });
});

test('estimateTogether refuses no recordings, two of one name, no shared parameters, and an unknown one', async () => {
  const one = await recording(0);
  const together = (recordings: readonly Recording[], shared: readonly string[]) => () =>
    estimateTogether(recordings, { shared }, { device });
  await expect(together([], ['mu'])).rejects.toThrowCode('optim/no-recordings');
  await expect(together([one, one], ['mu'])).rejects.toThrowCode({ code: 'optim/name-taken', values: ['toss 0'] });
  await expect(together([one], [])).rejects.toThrowCode({ code: 'optim/nothing-shared', values: ['`shared`'] });
  await expect(together([one], ['ke'])).rejects.toThrowCode({
    code: 'optim/parameter-missing',
    values: ['position.x', 'toss 0', 'ke'],
  });
});
