import type { Device } from '@gradsim/core';
import { addCompensated, cpuDevice, createSimulation, f32, f64Device, field, kernel, Model } from '@gradsim/core';
import { describe, expect, it } from 'vitest';

const position = field('motes', 'position', f32, { unit: 'm' });
const positionCarry = field('motes', 'positionCarry', f32, { unit: 'm' });
const states = { position, positionCarry };
/** Kernel that moves motes by 2^-10 m in each substep, with compensation. */
const creep = kernel('creep', { domain: 'motes', reads: states, writes: states }, (s) => {
  const { sum, compensation } = addCompensated(s.position, s.positionCarry, f32(2 ** -10));
  return { position: sum, positionCarry: compensation };
});

function motes(given: readonly number[]): Model {
  const model = new Model();
  model.addDomain('motes', given.length);
  model.addField(position, { values: given });
  model.addField(positionCarry, { fill: 0, carryOf: position });
  model.addPass('integrate', creep);
  return model;
}

describe.each<[string, Device]>([
  ['cpu', cpuDevice()],
  ['f64', f64Device()],
])('the compensation of a state summed with two floats, on %s', (_, device) => {
  const rates = { device, frames: 2, frameRate: 1, substeps: 64 };
  const end = 64 * 2 ** -10;
  /** Returns the positions of motes, m, corrected by their rounding compensation. */
  const exact = async (model: Model, set?: (numbers: number[]) => readonly number[]): Promise<number[]> => {
    const simulation = await createSimulation(model, { ...rates, worlds: set ? 2 : 1 });
    if (set) simulation.set(position, set([0.7, 1 / 3]), 1);
    simulation.forward();
    const [rounded, carry] = await Promise.all([simulation.read(position), simulation.read(positionCarry)]);
    return Array.from(rounded, (x, k) => x - carry[k]);
  };

  it('holds the part of the initial values beyond single precision', async () => {
    const given = [0.1, -2 / 3, 1e-3];
    (await exact(motes(given))).forEach((x, k) => expect(x).toBeCloseTo(given[k] + end, 9));
  });

  it('is set along with the values that are set for one of two worlds', async () => {
    const ends = await exact(motes([0.1, 0.2]), (values) => values);
    [0.1, 0.2, 0.7, 1 / 3].forEach((x, k) => expect(ends[k]).toBeCloseTo(x + end, 9));
  });

  it('is set along with the values that are set between steps', async () => {
    const simulation = await createSimulation(motes([0.1]), rates);
    simulation.step();
    simulation.set(position, [Math.PI]);
    simulation.step();
    const [[x], [carry]] = [simulation.readSync(position), simulation.readSync(positionCarry)];
    expect(x - carry).toBeCloseTo(Math.PI + end, 9);
  });
});
