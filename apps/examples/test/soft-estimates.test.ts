import { cpuDevice } from '@gradsim/core';
import type { SoftKind } from '@gradsim/examples';
import { estimateInstance, observe, RENDERERS, SOFT_KINDS } from '@gradsim/examples';
import { describe, expect, it } from 'vitest';

// Seconds on an idle machine.
const device = cpuDevice();

/** Draws an instance, films it in small pictures, and estimates its parameters from the film. */
async function estimated(kind: SoftKind, seed: number, size: number, seen: 'film' | 'positions' = 'film') {
  console.log(`${kind}: seed ${seed}`);
  const { draw, errors } = SOFT_KINDS[kind];
  const instance = draw(seed, { size, renderer: RENDERERS.softras });
  const found = await estimateInstance(instance, await observe(instance, seen, device), { device });
  return { instance, found, errors: errors(found) };
}

// The film is made by the model itself at the truth, in single precision: pixels of about 0.5 are rounded at 3e-8, and
// what an estimate leaves is that over how much a relative change of the unknown moves pixels. Elasticity moves them by
// 1e-2 or more, which leaves 1e-5 after search tolerances; a single mass by 1e-3 or less.
describe('estimates of deformable bodies from films alone find', () => {
  it('mu and lambda of a beam to 0.01 %, starting more than a factor of 2 off', async () => {
    const { instance, errors } = await estimated('beam', 1, 24);
    for (const { initial, truth } of instance.parameters)
      expect(Math.abs(Math.log(initial / truth!))).toBeGreaterThan(Math.log(2));
    expect(errors.mu).toBeLessThan(1e-4);
    expect(errors.lambda).toBeLessThan(1e-4);
  });

  it('mu and lambda of a bouncing ball to 0.01 %', async () => {
    const { errors } = await estimated('ball', 1, 24);
    expect(errors.mu).toBeLessThan(1e-4);
    expect(errors.lambda).toBeLessThan(1e-4);
  });

  it('the mass of each particle to 0.1 %', async () => {
    const { instance, found, errors } = await estimated('mass', 2, 24);
    // Starting values are drawn without regard to the truth, from a range of a factor of 4.
    const start = instance.parameters.map((p) => Math.abs(p.initial / p.truth! - 1));
    expect(start.reduce((a, b) => a + b) / start.length).toBeGreaterThan(0.4);
    expect(errors.mass).toBeLessThan(1e-3);
    expect(found.undetermined).toEqual([]);
  });

  it('the velocity of each particle of a sheet to 0.5 %', async () => {
    const { instance, errors } = await estimated('cloth', 2, 16);
    expect(instance.parameters.length).toBeGreaterThanOrEqual(75);
    // In-plane waves of a stiff sheet move pixels by 1e-4 and less, and buckling makes later frames sensitive.
    expect(errors.velocity).toBeLessThan(5e-3);
  });
});

it('an estimate from positions instead of a film finds the mass of each particle to 0.01 %', async () => {
  const { found, errors } = await estimated('mass', 3, 8, 'positions');
  expect(errors.mass).toBeLessThan(1e-4);
  expect(Object.keys(found.predicted)).toEqual(['vertices.position']);
});
