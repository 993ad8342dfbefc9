import type { Device, I32, U32 } from '@gradsim/core';
import { cpuDevice, createSimulation, f32, f64Device, i32, kernel, Model, sin, u32 } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { compiledOf } from '../../src/tape/simulation.ts';

/** Number of elements of the domain `motes`. */
const MOTES = 5;

/** Returns the next number of a random number generator. Source: M. O'Neill, PCG, 2014 (RXS M XS, 32 bits). */
const next = (state: U32): U32 => state.mul(747_796_405).add(2_891_336_453);
const output = (state: U32): U32 => {
  const word = state.shiftRight(state.shiftRight(28).add(4)).xor(state).mul(277_803_737);
  return word.shiftRight(22).xor(word);
};
const uniform = (state: U32) =>
  output(state)
    .shiftRight(8)
    .toF32()
    .mul(2 ** -24);

/** Builds a model of motes that receive random kicks of strength `kick`, and count the kicks up and those down. */
function model(): Model {
  const m = new Model();
  m.addDomain('motes', MOTES);
  m.addField('motes', 'random', u32, { values: [1, 22, 333, 4444, 55_555] });
  m.addField('motes', 'balance', i32, { fill: -3 });
  m.addField('motes', 'x', f32, { values: [0.1, 0.2, 0.3, 0.4, 0.5] });
  m.addField('motes', 'kick', f32, { values: [1, 2, 3, 4, 5] });
  const step = kernel(
    'step',
    {
      domain: 'motes',
      reads: { random: u32, balance: i32, x: f32, kick: f32 },
      writes: { random: u32, balance: i32, x: f32 },
    },
    ({ random, balance, x, kick }) => {
      const share = uniform(random).sub(0.5);
      return {
        random: next(random),
        balance: balance.add(share.gt(0).toI32().mul(2).sub(1) as I32),
        x: sin(x).add(kick.mul(share)),
      };
    },
  );
  m.addPass('integrate', step);
  return m;
}

/** Returns the expected states, computed in plain JavaScript. */
function expected(substeps: number) {
  const random = Uint32Array.of(1, 22, 333, 4444, 55_555);
  const balance = new Int32Array(MOTES).fill(-3);
  const x = [0.1, 0.2, 0.3, 0.4, 0.5];
  for (let n = 0; n < substeps; n++) {
    for (let k = 0; k < MOTES; k++) {
      const state = random[k];
      const word = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277_803_737) >>> 0;
      const share = (((word >>> 22) ^ word) >>> 8) * 2 ** -24 - 0.5;
      balance[k] += share > 0 ? 1 : -1;
      x[k] = Math.sin(x[k]) + (k + 1) * share;
      random[k] = Math.imul(state, 747_796_405) + 2_891_336_453;
    }
  }
  return { random: [...random], balance: [...balance], x };
}

const RUN = {
  frames: 5,
  frameRate: 10,
  substeps: 8,
  parameters: ['motes.kick', 'motes.x'],
  outputs: ['motes.x'],
};

describe('states of whole numbers', () => {
  const devices: [string, Device][] = [
    ['cpu', cpuDevice()],
    ['doubles', f64Device()],
  ];
  for (const [name, device] of devices) {
    it(`${name}: carry over from substep to substep`, async () => {
      const simulation = await createSimulation(model(), { device, ...RUN });
      simulation.forward();
      const { random, balance, x } = expected(32);
      expect([...(await simulation.read('motes.random'))]).toEqual(random);
      expect([...(await simulation.read('motes.balance'))]).toEqual(balance);
      (await simulation.read('motes.x')).forEach((value, k) => expect(value).toBeCloseTo(x[k], 4));
    });
    it(`${name}: are restored for a gradient in little memory, bit for bit`, async () => {
      const gradients = async (memory: number) => {
        const simulation = await createSimulation(model(), { device, memory, ...RUN });
        const isSparing = compiledOf(simulation).history.checkpoints > 0;
        const results: number[][] = [];
        for (let run = 0; run < 2; run++) {
          simulation.forward();
          simulation.backward({ 'motes.x': [1, 2, 3, 4, 5] });
          for (const key of RUN.parameters) results.push([...(await simulation.gradient(key))]);
          results.push([...(await simulation.read('motes.random'))]);
        }
        return { results, isSparing };
      };
      const { stateBytes } = compiledOf(await createSimulation(model(), { device, ...RUN })).layout;
      const ample = await gradients(1e6);
      expect(ample.isSparing).toBe(false);
      for (const states of [3, 5, 9]) {
        const sparing = await gradients(2 * states * stateBytes);
        expect(sparing.isSparing).toBe(true);
        expect(sparing.results).toEqual(ample.results);
      }
    });
  }
  it('leave the gradients of float fields beside them correct', () =>
    checkGradients(model(), {
      frames: 3,
      frameRate: 10,
      substeps: 3,
      parameters: ['motes.kick', 'motes.x'],
      outputs: ['motes.x'],
    }));
  it('can be set, and are refused as parameters', async () => {
    const simulation = await createSimulation(model(), { device: cpuDevice(), ...RUN });
    simulation.set('motes.random', [9, 9, 9, 9, 9]);
    simulation.forward();
    const [first, ...others] = await simulation.read('motes.random');
    expect(others).toEqual([first, first, first, first]);
    await expect(
      createSimulation(model(), { device: cpuDevice(), ...RUN, parameters: ['motes.random'] }),
    ).rejects.toThrowCode('core/wrong-type');
  });
});
