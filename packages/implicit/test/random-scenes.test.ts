import type { Device } from '@gradsim/core';
import { cpuDevice, f64Device } from '@gradsim/core';
import { afterAll, describe, expect, it } from 'vitest';
import { drawn, draws, seedOfRun } from '../../../scripts/vitest/draws.ts';
import { apart, balanceOfRun, gradientErrors, leastMemory, runOf } from './support/judge.ts';
import type { Drawn } from './support/random-scene.ts';
import { drawScene } from './support/random-scene.ts';

const SEED = seedOfRun('random scenes under implicit steps');
/**
 * Seeds of random scenes with chains, nets, blocks and loose particles, and contact with the ground, boxes, spheres and
 * moving bodies.
 */
const SEEDS = [1, 3, 1002, 1003, 1004, 1006];
/**
 * Seeds of scenes that are hard to solve: chains, nets or blocks are compressed, or particles slide. Matrices that
 * conjugate residuals do not solve (16), steps of which no fraction reduces r (43, 111), and both (164).
 */
const HARD = [16, 43, 111, 164];

const devices: Device[] = [];
const made = (device: Device): Device => {
  devices.push(device);
  return device;
};
const exact = made(f64Device({ threads: 1 }));
const [one, two] = [1, 2].map((threads) => made(cpuDevice({ threads })));
afterAll(() => {
  for (const device of devices) device.dispose();
});

const largest = (errors: Readonly<Record<string, number>>): number => Math.max(...Object.values(errors));
/** Error message of a substep that has no solution, or for which none is found. */
const UNSOLVED =
  /^implicit(Middle)?(Steps|Back|Along) (found no velocity|did not reach its tolerance).*\(in substep \d+\)$/s;

async function expectRight(drawn: Drawn, seed: number, ofDifferences: number) {
  // The reference in plain numbers implements order 1.
  if (drawn.order !== 2) {
    const balance = await balanceOfRun(drawn, exact);
    expect(balance.missing).toBeLessThan(1e-11);
    expect(balance.missingOfBody).toBeLessThan(1e-11);
  }
  const run = await runOf(drawn, seed, { device: exact });
  const { transposed, differences, unsettled } = await gradientErrors(drawn, seed, run, ofDifferences);
  expect(largest(transposed)).toBeLessThan(1e-8);
  // Where a step has several solutions, two ends of a difference may also both be of the other: none of them counts.
  if (unsettled.length === 0) expect(largest(differences)).toBeLessThan(ofDifferences);
  return { run, unsettled };
}

describe('random scenes under implicit steps', () => {
  it.each(SEEDS)(
    'balance momentum, and have gradients that agree with differences, tangents and single precision: seed %i',
    async (seed) => {
      const drawn = drawScene(seed);
      const { run, unsettled } = await expectRight(drawn, seed, 1e-5);
      expect(unsettled).toEqual([]);
      const single = apart(await runOf(drawn, seed, { device: one }), run, drawn);
      expect(single.states).toBeLessThan(1e-3);
      expect(single.gradients).toBeLessThan(1e-2);
    },
  );

  it.each([1, 1002, 1003])(
    'have with order 2 gradients that agree with differences, tangents and single precision: seed %i',
    async (seed) => {
      const drawn: Drawn = { ...drawScene(seed), order: 2 };
      const { run, unsettled } = await expectRight(drawn, seed, 1e-5);
      expect(unsettled).toEqual([]);
      const single = apart(await runOf(drawn, seed, { device: one }), run, drawn);
      expect(single.states).toBeLessThan(1e-3);
      expect(single.gradients).toBeLessThan(1e-2);
    },
  );

  it.each(HARD)('have right gradients where forces have kinks and structures buckle: seed %i', async (seed) => {
    const { unsettled } = await expectRight(drawScene(seed), seed, 1e-4);
    expect(unsettled).toEqual([]);
  });

  it('give right steps and gradients, or an error that says what was not solved, for new seeds', async () => {
    const count = draws(2, 300);
    let rough = 0;
    for (let n = 0; n < count; n++) {
      const seed = SEED + n;
      // A step is solved to 3e-13 of its momentum, of which the stiffest springs make up to 1e-4 of a difference; 2e-3
      // of the smallest, where those of longer steps lead to scenes that are not solved (seed 59).
      const drawn: Drawn = { ...drawScene(seed), order: n === 0 ? 2 : 1 };
      try {
        const { unsettled } = await expectRight(drawn, seed, 5e-3);
        if (unsettled.length > 0) rough++;
        if (unsettled.length > 0) console.log(`SEED=${seed}: no differences settle along ${unsettled.join(', ')}`);
      } catch (error) {
        const { message } = error as Error;
        if (!UNSOLVED.test(message)) throw new Error(`SEED=${seed}: ${message}`, { cause: error });
      }
    }
    // As in seed 806925533, where a net buckles.
    expect(rough).toBeLessThanOrEqual(1 + count / 20);
  });

  it('have bitwise equal results with one and two threads, and with states stored or recomputed', async () => {
    for (const seed of drawn(SEEDS, 1)) {
      const drawn = drawScene(seed);
      const alone = await runOf(drawn, seed, { device: one });
      expect(await runOf(drawn, seed, { device: two })).toEqual(alone);
      const memory = await leastMemory(drawn, one);
      expect(await runOf(drawn, seed, { device: one, memory })).toEqual(alone);
    }
  });
});
