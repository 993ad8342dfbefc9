import type { Device, Model } from '@gradsim/core';
import {
  buildModel,
  cpuDevice,
  createScene,
  createSimulation,
  definePlugin,
  f64Device,
  field,
  kernel,
} from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import type { SmokeOptions, SmokePluginOptions } from '@gradsim/smoke';
import { addSmoke, buoyancy, SmokeCell, smoke } from '@gradsim/smoke';
import { describe, expect, it } from 'vitest';
import type { Plain } from './plain.ts';
import { plainSteps } from './plain.ts';

const [rows, columns] = [9, 12];
const n = rows * columns;
const wave = (amplitude: number, phase: number): number[] =>
  Array.from({ length: n }, (_, k) => {
    const [i, j] = [Math.floor(k / columns), k % columns];
    return amplitude * Math.sin(1.3 * i + 0.9 * j * j * 0.2 + phase);
  });
/** Returns a velocity field as waves of an amplitude, two numbers per cell. */
const flow = (amplitude: number): number[] => wave(amplitude, 0.3).flatMap((x, k) => [x, wave(amplitude, 1.7)[k]]);
const thick = wave(0.5, 0).map((d) => d + 0.5);
const none = Array<number>(n).fill(0);
/** Mask of an obstacle: a block of six cells, and a single cell. */
const block = none.map((_, k) => {
  const [i, j] = [Math.floor(k / columns), k % columns];
  return (i >= 3 && i <= 4 && j >= 4 && j <= 6) || (i === 7 && j === 9) ? 1 : 0;
});
const mouth = none.map((_, k) => (k >= 8 * columns + 2 && k <= 8 * columns + 4 ? 1 : 0));

const modelOf = (options: Partial<SmokeOptions>, how: SmokePluginOptions = { sweeps: 5 }): Model => {
  const scene = createScene([smoke(how)]);
  addSmoke(scene, { rows, columns, ...options });
  return buildModel(scene);
};
async function run(
  model: Model,
  steps: number,
  device: Device = f64Device(),
): Promise<{ density: number[]; velocity: number[] }> {
  const simulation = await createSimulation(model, { device, frames: steps + 1, frameRate: 1, substeps: 1 });
  simulation.forward();
  const [density, velocity] = [await simulation.read(SmokeCell.density), await simulation.read(SmokeCell.velocity)];
  simulation.dispose();
  return { density: [...density], velocity: [...velocity] };
}
const largest = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((x, k) => Math.abs(x - b[k])));

const PLAIN: Plain = {
  rows,
  columns,
  closed: { rows: false, columns: false },
  obstacle: none,
  inflow: none,
  buoyancy: 0,
  sweeps: 5,
  inflowDensity: 0.8,
  inflowVelocity: [-0.4, 0.1],
};
const start = { density: thick, velocity: flow(2.5) };

describe('a step of smoke', () => {
  it.each<[string, Partial<SmokeOptions>, Partial<Plain>]>([
    ['goes round', {}, {}],
    ['rises by its density', { buoyancy: 0.07 }, { buoyancy: 0.07 }],
    ['stops at walls', { rim: 'closed' }, { closed: { rows: true, columns: true } }],
    [
      'stops at a floor and goes round sideways',
      { rim: { rows: 'closed', columns: 'periodic' } },
      { closed: { rows: true, columns: false } },
    ],
    ['goes round obstacles', { obstacle: block }, { obstacle: block }],
    [
      'does all of it, with an inflow',
      {
        rim: 'closed',
        obstacle: block,
        buoyancy: 0.05,
        inflow: mouth,
        inflowDensity: 0.8,
        inflowVelocity: [-0.4, 0.1],
      },
      { closed: { rows: true, columns: true }, obstacle: block, buoyancy: 0.05, inflow: mouth },
    ],
  ])('equals a reference in plain loops: %s', async (_, options, plain) => {
    const expected = plainSteps({ ...PLAIN, ...plain }, start, 7);
    const got = await run(modelOf({ ...start, ...options }), 7);
    expect(largest(got.density, expected.density)).toBeLessThan(1e-12);
    expect(largest(got.velocity, expected.velocity)).toBeLessThan(1e-12);
  });

  it('advects smoke by the velocity, around a periodic boundary', async () => {
    const { density } = await run(modelOf({ density: thick, velocity: [2, -3] }), 4);
    const shifted = thick.map((_, k) => {
      const [i, j] = [Math.floor(k / columns), k % columns];
      return thick[((i + 8 * rows - 8) % rows) * columns + ((j + 12) % columns)];
    });
    expect(largest(density, shifted)).toBeLessThan(1e-12);
  });

  it('keeps every density between 0 and the initial maximum', async () => {
    const { density } = await run(modelOf({ ...start, rim: 'closed', obstacle: block }), 40);
    expect(Math.min(...density)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...density)).toBeLessThanOrEqual(Math.max(...thick));
  });
});

describe('the pressure of smoke', () => {
  it('solved to a tolerance gives the velocities of 4000 sweeps to 1e-9', async () => {
    const exact = await run(modelOf({ ...start, obstacle: block }, { tolerance: 1e-13 }), 3);
    const swept = await run(modelOf({ ...start, obstacle: block }, { sweeps: 4000 }), 3);
    expect(largest(exact.velocity, swept.velocity)).toBeLessThan(1e-9);
  });

  it('with a tolerance below the precision of the device is refused; a tolerance per precision is accepted', async () => {
    const options = { device: cpuDevice(), frames: 3, frameRate: 1, substeps: 1 };
    await expect(createSimulation(modelOf(start, { tolerance: 1e-9 }), options)).rejects.toThrowCode({
      code: 'core/tolerance-too-fine',
      values: ['1e-9', 'smokePressure', 'single'],
    });
    const simulation = await createSimulation(modelOf(start, { tolerance: { f32: 1e-5, f64: 1e-9 } }), options);
    simulation.forward();
    expect((await simulation.read(SmokeCell.density)).every(Number.isFinite)).toBe(true);
    simulation.dispose();
  });
});

const ROLLOUT = {
  frames: 7,
  frameRate: 1,
  substeps: 1,
  parameters: [SmokeCell.density, SmokeCell.velocity, buoyancy, SmokeCell.inflowDensity, SmokeCell.inflowVelocity],
  outputs: [SmokeCell.density, SmokeCell.velocity],
};
const whole: Partial<SmokeOptions> = {
  density: thick,
  velocity: flow(0.8),
  rim: 'closed',
  obstacle: block,
  buoyancy: 0.05,
  inflow: mouth,
  inflowDensity: 0.8,
  inflowVelocity: [-0.4, 0.1],
};

describe('gradients of smoke', () => {
  it('agree with central differences, with sweeps', async () => {
    await checkGradients(modelOf(whole), ROLLOUT);
  });
  it('agree with central differences, with the pressure solved to a tolerance', async () => {
    await checkGradients(modelOf(whole, { tolerance: 1e-13 }), ROLLOUT);
  });
  it('agree in single precision with doubles, with sweeps and with a tolerance', async () => {
    await checkDevices(modelOf(whole), { ...ROLLOUT, devices: [cpuDevice()] });
    await checkDevices(modelOf(whole, { tolerance: 2e-6 }), { ...ROLLOUT, devices: [cpuDevice()] });
  });
  it('by a force of another plugin agree with central differences', async () => {
    const fan = field('smoke', 'fan', SmokeCell.push.type);
    const blow = kernel(
      'blow',
      { domain: SmokeCell, reads: { fan }, adds: { push: SmokeCell.push } },
      ({ fan, push }) => push.add(fan),
    );
    const fans = definePlugin({
      name: 'fan',
      contract: 1,
      requires: ['@gradsim/smoke'],
      build: ({ model }) => {
        model.addField(fan, { fill: [0.02, -0.01] });
        model.addPass('force', blow);
      },
    });
    const scene = createScene([smoke({ sweeps: 4 }), fans]);
    addSmoke(scene, { rows, columns, density: thick, velocity: flow(0.5) });
    const rollout = { ...ROLLOUT, parameters: [fan, SmokeCell.velocity] };
    const { parameters } = await checkGradients(buildModel(scene), rollout);
    expect(Object.keys(parameters)).toEqual([fan.key, SmokeCell.velocity.key]);
  });
});

describe('smoke() or addSmoke() refuses', () => {
  const scene = () => createScene([smoke()]);
  it.each([
    [
      { rows: 2, columns: 5 },
      { code: 'smoke/option-out-of-range', field: 'rows', values: [3, 2] },
    ],
    [{ rows, columns, rim: 'open' }, 'base/unknown-choice'],
    [
      { rows, columns, density: [1, 2, 3] },
      { code: 'smoke/wrong-size', field: 'density', values: [3, 108] },
    ],
    [
      { rows, columns, obstacle: none.map(() => 1) },
      { code: 'smoke/no-free-cell', values: [108] },
    ],
    [
      { rows, columns, obstacle: [1] },
      { code: 'smoke/wrong-size', field: 'obstacle', values: [1] },
    ],
    [
      { rows, columns, inflow: none.map(() => 0.5) },
      { code: 'smoke/mask-value', field: 'inflow', values: [0.5] },
    ],
    [
      { rows, columns, buoyancy: Number.NaN },
      { code: 'smoke/option-out-of-range', field: 'buoyancy' },
    ],
    [{ rows, columns, densty: 1 }, 'base/unknown-option'],
  ])('%j', (options, message) => {
    const refused = scene();
    expect(() => addSmoke(refused, options as unknown as SmokeOptions)).toThrowCode(message);
    // Nothing was added.
    expect(refused.entities(SmokeCell)).toEqual([]);
  });

  it('a scene without a grid, or with two', () => {
    expect(() => buildModel(scene())).toThrowCode('smoke/no-grid');
    const two = scene();
    addSmoke(two, { rows, columns });
    addSmoke(two, { rows, columns });
    expect(() => buildModel(two)).toThrowCode({ code: 'smoke/second-grid', element: 'smoke grid 1' });
  });

  it('sweeps together with a tolerance, 0 sweeps, and a tolerance of 0', () => {
    expect(() => smoke({ sweeps: 3, tolerance: 1e-5 })).toThrowCode('smoke/two-ways-given');
    expect(() => smoke({ sweeps: 0 })).toThrowCode({
      code: 'smoke/option-out-of-range',
      field: 'sweeps',
      values: [1, 0],
    });
    expect(() => smoke({ tolerance: 0 })).toThrowCode({ code: 'smoke/option-out-of-range', values: [0, 1] });
  });
});

it('errors name a cell by its row and column', () => {
  const scene = createScene([smoke()]);
  const cells = addSmoke(scene, { rows, columns });
  expect(scene.describe(cells[2 * columns + 5])).toBe('smoke cell (row 2, column 5)');
});
