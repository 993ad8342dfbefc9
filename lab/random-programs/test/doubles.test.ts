import type { Device } from '@gradsim/core';
import { createSimulation, f64Device } from '@gradsim/core';
import { evaluatorDevice } from '@gradsim/core/testing';
import { buildProgram, describeProgram, generateProgram, seedOf } from '@gradsim/random-programs';
import { afterAll, expect, it } from 'vitest';
import { draws, seedOfRun } from '../../../scripts/vitest/draws.ts';
import { results } from './support/results.ts';

const SEED = seedOfRun('doubles of random programs');
/** Number of random programs tested. */
const COUNT = draws(12, 1000);

const oracle = evaluatorDevice();
const doubles = [f64Device(), f64Device({ simd: false })];
afterAll(() => {
  for (const device of doubles) device.dispose();
});

it('WebAssembly doubles equal JavaScript bit for bit in random programs, with and without SIMD, gradients included', async () => {
  let numbers = 0;
  for (let n = 0; n < COUNT; n++) {
    const program = generateProgram(seedOf(SEED, n));
    const { spareStates: _, searchEvery: __, ...run } = program.run;
    const model = buildProgram(program);
    const on = async (device: Device): Promise<unknown[]> => {
      const settings = { device, ...run, derivative: 'adjoint' as const, onWarning: () => {} };
      const simulation = await createSimulation(model, settings);
      const found = await results(simulation);
      simulation.dispose();
      return found;
    };
    const exact = await on(oracle);
    for (const device of doubles)
      expect(await on(device), `SEED=${SEED}, program ${n}: ${describeProgram(program)}`).toEqual(exact);
    numbers += exact.filter((values) => values instanceof Float64Array).length;
  }
  expect(numbers).toBeGreaterThan(COUNT);
});
