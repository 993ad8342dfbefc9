import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { Gravity } from '@gradsim/dynamics';
import { addPoints, ElasticPoint, LiquidPoint, mpm, pointsInBox, SandPoint } from '@gradsim/mpm';
import { describe, expect, it } from 'vitest';

const SPACING = 0.02;

/** Three materials that move against each other in free space. */
function splash() {
  const scene = createScene([mpm({ size: [24, 28, 20], spacing: SPACING })]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const block = (x: number, y: number) =>
    pointsInBox({ from: [x, y, 0.15], to: [x + 0.06, y + 0.06, 0.21], spacing: 0.01 });
  addPoints(scene, ElasticPoint, {
    ...block(0.14, 0.2),
    density: 900,
    youngsModulus: 2e4,
    viscosity: 0.5,
    velocity: [1, 0.2, 0.1],
  });
  addPoints(scene, LiquidPoint, {
    ...block(0.21, 0.2),
    density: 1000,
    bulkModulus: 1e4,
    viscosity: 1,
    velocity: [-1, 0, 0],
  });
  addPoints(scene, SandPoint, {
    ...block(0.18, 0.27),
    density: 1600,
    youngsModulus: 3e4,
    frictionAngle: 0.6,
    velocity: [0, -1, 0],
  });
  return scene;
}
const KINDS = [ElasticPoint, LiquidPoint, SandPoint];

describe('material points', () => {
  it.each([
    ['doubles', f64Device, 1e-13],
    ['single precision', cpuDevice, 3e-6],
  ])('keep mass and momentum, in %s', async (_, deviceOf, tolerance) => {
    const device = deviceOf();
    const model = buildModel(splash());
    const run = { device, frames: 3, frameRate: 100, substeps: 40 };
    const simulation = await createSimulation(model, run);
    const sums = async () => {
      let momentum = [0, 0, 0];
      let scale = 0;
      for (const { domain, velocity } of KINDS) {
        const v = await simulation.read(velocity);
        const values = (name: string) => model.field(`${domain}.${name}`).values!;
        for (let k = 0; k < v.length / 3; k++) {
          const mass = values('density')[k] * values('volume')[k];
          momentum = momentum.map((p, c) => p + mass * v[3 * k + c]);
          scale += mass * Math.hypot(...v.slice(3 * k, 3 * k + 3));
        }
      }
      return { momentum, scale };
    };
    simulation.forward();
    const after = await sums();
    // 216 points each: (900 1 - 1000 1, 900 0.2 - 1600 1, 900 0.1) times 216e-6 m^3.
    const before = [-100, 180 - 1600, 90].map((p) => p * 216e-6);
    before.forEach((p, c) => expect(Math.abs(after.momentum[c] - p)).toBeLessThan(tolerance * after.scale));
    // They have met: momentum went from one to the other.
    const [elastic] = [await simulation.read(ElasticPoint.velocity)];
    expect(Math.abs(elastic.reduce((s, v, k) => s + (k % 3 ? 0 : v), 0) / 216 - 1)).toBeGreaterThan(0.1);
    simulation.dispose();
    device.dispose();
  });
});
