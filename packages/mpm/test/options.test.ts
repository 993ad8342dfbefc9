import { buildModel, cpuDevice, createScene, createSimulation } from '@gradsim/core';
import type { MpmOptions, PointOptions } from '@gradsim/mpm';
import { addPoints, ElasticPoint, LiquidPoint, mpm, pointsInBox, SandPoint } from '@gradsim/mpm';
import { describe, expect, it } from 'vitest';
import '../../../scripts/vitest/to-throw-code.ts';

const GRID: MpmOptions = { size: [10, 10], spacing: 0.1 };
const POINT = { positions: [0.5, 0.5, 0], volume: 1e-3, density: 1000 };

describe('options of mpm', () => {
  it.each([
    [{ size: [10] }, /size is/],
    [{ size: undefined }, /size is undefined/],
    [{ periodic: true }, /periodic is true/],
    [{ periodic: [true, false, true] }, /periodic/],
  ])('are refused out of their range: %o', (options, message) => {
    expect(() => mpm({ ...GRID, ...options } as MpmOptions)).toThrow(message);
  });

  it('refuse a grid without a spacing when the model is built', () => {
    expect(() => buildModel(createScene([mpm({ ...GRID, spacing: -1 })]))).toThrow(/spacing is -1/);
  });
});

describe('points', () => {
  it('of a box lie in the middle of cells, and share its volume', () => {
    const { positions, volume } = pointsInBox({ from: [0, 0, 1], to: [0.2, 0.3, 1.1], spacing: 0.1 });
    expect(positions).toHaveLength(2 * 3 * 1 * 3);
    [0.05, 0.05, 1.05].forEach((x, k) => expect(positions[k]).toBeCloseTo(x, 12));
    expect(volume).toBeCloseTo(1e-3, 15);
    const flat = pointsInBox({ from: [0, 0], to: [1, 1], spacing: 0.25, keeps: (x, y) => Math.hypot(x, y) < 0.5 });
    expect(Array.from(flat.positions)).toEqual([0.125, 0.125, 0, 0.125, 0.375, 0, 0.375, 0.125, 0]);
    expect(flat.volume).toBe(1 / 16);
    expect(() => pointsInBox({ from: [0, 0, 0], to: [0, 1, 1], spacing: 0.1 })).toThrow(/along x/);
  });

  it('take one value for all, or one for each', () => {
    const scene = createScene([mpm(GRID)]);
    const two = { positions: [0.4, 0.5, 0, 0.6, 0.5, 0], volume: 1e-3, density: [900, 1000] };
    addPoints(scene, ElasticPoint, { ...two, youngsModulus: 1e4, velocity: [1, 2, 0], name: 'pair' });
    const model = buildModel(scene);
    expect(Array.from(model.field(ElasticPoint.density).values!)).toEqual([900, 1000]);
    expect(Array.from(model.field(ElasticPoint.velocity).values!)).toEqual([1, 2, 0, 1, 2, 0]);
    expect(model.describe('elasticPoints', 1)).toBe('point 1 of elastic points "pair"');
  });

  it.each([
    [{ ...POINT, positions: [1, 2] }, /positions/],
    [{ volume: 1 }, /positions is undefined/],
    [{ ...POINT, youngsModulus: 1 }, /frictionAngle is missing/],
    [{ ...POINT, youngsModulus: 1, frictionAngle: 2 }, /below pi/],
    [{ ...POINT, youngsModulus: 1, frictionAngle: 0.5, viscosity: 1 }, /no "viscosity"/],
  ])('are refused where values are missing or wrong: %o', (options, message) => {
    const scene = createScene([mpm(GRID)]);
    expect(() => addPoints(scene, SandPoint, options as PointOptions)).toThrow(message);
  });

  it('that leave the grid are named', async () => {
    const scene = createScene([mpm(GRID)]);
    addPoints(scene, LiquidPoint, { ...POINT, bulkModulus: 1e4, name: 'drop' });
    const device = cpuDevice();
    const simulation = await createSimulation(buildModel(scene), { device, frames: 2, frameRate: 2, substeps: 100 });
    simulation.forward();
    await expect(simulation.read(LiquidPoint.position)).rejects.toThrow(
      /point 0 of liquid points "drop" has left the grid .*y from 0\.1 to 0\.8 m are within/,
    );
    simulation.dispose();
    device.dispose();
  });

  // c = sqrt(bulkModulus / density) = 10 m/s: h / c = 10 ms.
  it('say how large a substep may be', async () => {
    const scene = createScene([mpm(GRID)]);
    addPoints(scene, LiquidPoint, { ...POINT, bulkModulus: 1e5 });
    const device = cpuDevice();
    const simulation = await createSimulation(buildModel(scene), { device, frames: 2, frameRate: 100, substeps: 4 });
    const { dt, from } = (await simulation.stableStep())!;
    expect(dt).toBeCloseTo(0.01, 8);
    expect(from).toMatchObject({ 'liquidPoints.bulkModulus': 1e5 });
    simulation.dispose();
    device.dispose();
  });
});
