import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('spins');
const random = randomNumbers(SEED);

const spinning = (moments: readonly number[], angularVelocity: readonly number[]) => {
  const scene = createScene([rigid()]);
  const [a, b, c] = moments;
  scene.add(
    Body,
    { mass: 2, inertia: [2 * a, 0, 0, 0, 2 * b, 0, 0, 0, 2 * c], angularVelocity: [...angularVelocity] } as never,
    'the top',
  );
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  return buildModel(scene);
};

const simulated = async (model: ReturnType<typeof spinning>, substeps: number, frames: number) => {
  const warnings: string[] = [];
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames,
    frameRate: 1,
    substeps,
    record: ['bodies.angularVelocity', 'bodies.orientation'],
    onWarning: (text) => warnings.push(text),
  });
  return { simulation, warnings };
};

describe('the step that spinning allows', () => {
  it('follows from the moments: 2 E (c - m) (m - a) / (a b c) times twenty', async () => {
    for (let draw = 0; draw < 12; draw++) {
      const [a, b] = [1 + random(), 1 + random()];
      const c = Math.abs(a - b) + random() * (a + b - Math.abs(a - b));
      const moments = [a, b, c];
      const w = moments.map(() => 40 * (random() - 0.5));
      const energy = moments.reduce((sum, i, k) => sum + i * w[k] ** 2, 0);
      const mean = moments.reduce((sum, i, k) => sum + (i * w[k]) ** 2, 0) / energy;
      const [least, most] = [Math.min(...moments), Math.max(...moments)];
      const rate = (20 * energy * (most - mean) * (mean - least)) / (a * b * c);
      const { simulation } = await simulated(spinning(moments, w), 10, 2);
      const { dt } = await simulation.stableStep();
      // Outer moments are found to 1 % of the largest one.
      const off = (20 * energy * 0.02 * most * (most - least)) / (a * b * c);
      expect(Math.abs(1 / dt - rate), `${moments}, ${w}`).toBeLessThan(off + 1e-3 * rate);
      simulation.dispose();
    }
  });

  it('is warned about at 30 rad/s about the middle axis with 480 substeps, and keeps the energy to 5 % a second', async () => {
    const model = spinning([1, 2, 3], [0.01, 30, 0]);
    const { simulation: coarse, warnings } = await simulated(model, 480, 2);
    expect(warnings.join()).toMatch(/the top.*Take \d+ or more substeps/);
    const { dt } = await coarse.stableStep();
    coarse.dispose();
    const energy = async (substeps: number): Promise<number> => {
      const { simulation } = await simulated(model, substeps, 3);
      simulation.forward();
      const [w, q] = [
        await simulation.readFrames('bodies.angularVelocity'),
        await simulation.readFrames('bodies.orientation'),
      ];
      simulation.dispose();
      const [wx, wy, wz, x, y, z, s] = [...w.subarray(6, 9), ...q.subarray(8, 12)];
      // Rotated into body axes by the inverse of the orientation.
      const own = [
        (1 - 2 * (y * y + z * z)) * wx + 2 * (x * y + z * s) * wy + 2 * (x * z - y * s) * wz,
        2 * (x * y - z * s) * wx + (1 - 2 * (x * x + z * z)) * wy + 2 * (y * z + x * s) * wz,
        2 * (x * z + y * s) * wx + 2 * (y * z - x * s) * wy + (1 - 2 * (x * x + y * y)) * wz,
      ];
      return own.reduce((sum, v, k) => sum + (k + 1) * v * v, 0) / 1800;
    };
    // Two seconds.
    expect(await energy(480)).toBeGreaterThan(1.1);
    const kept = await energy(Math.ceil(1 / dt));
    expect(kept).toBeLessThan(1.05 ** 2);
    expect(kept).toBeGreaterThan(1);
  });

  it('is not limited for a wheel about its axis, nor for a cube', async () => {
    for (const [moments, w] of [
      [
        [1, 1, 2],
        [0, 0, 300],
      ],
      [
        [1, 1, 1],
        [100, -200, 30],
      ],
    ]) {
      const { simulation, warnings } = await simulated(spinning(moments, w), 480, 2);
      expect((await simulation.stableStep()).dt).toBeGreaterThan(1);
      expect(warnings).toEqual([]);
      simulation.dispose();
    }
  });
});
