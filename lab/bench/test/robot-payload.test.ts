// Torque constants of motors from a known payload: an arm by a simulator that shares no code with the packages.
import { expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';
import { drawFrom } from '../src/robots/draw.ts';
import { payloadTrial } from '../src/robots/payload.ts';

const SEED = seedOfRun('payloads');

const cases = [
  ['all joints at once', false],
  ['one joint at a time', true],
] as const;
it.each(cases)(
  'a known payload gives gains and signs of currents, and bodies that no model gives: %s',
  async (_, isOneByOne) => {
    const { gains, told } = await payloadTrial(drawFrom(SEED + (isOneByOne ? 1 : 0)), isOneByOne);
    for (const [j, { name, estimate, standardError }] of told.sensors.entries()) {
      expect(name).toBe(`torque gain of j${j + 1}`);
      expect(Math.abs(estimate - gains[j]), `${name}, seed ${SEED}`).toBeLessThan(5 * standardError);
      expect(standardError / Math.abs(gains[j]), `${name}, seed ${SEED}`).toBeLessThan(0.03);
    }
    for (const { name, estimate, truth, standardError } of told.estimates)
      expect(Math.abs(estimate - truth), `${name}, seed ${SEED}`).toBeLessThan(5 * standardError);
  },
);
