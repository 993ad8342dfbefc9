// The change of area of a surface, a penalty: its closed form for a sheet that is stretched evenly, its gradient, refusals.
import { addCloth, cloth } from '@gradsim/cloth';
import { buildModel, cpuDevice, createScene, createSimulation } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { plane } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { afterAll, expect, it } from 'vitest';
import { areaChange } from '../src/index.ts';

const device = cpuDevice();
afterAll(() => device.dispose());
const mesh = plane({ size: [2, 1], segments: [4, 2] });

function sheet(more: object = {}) {
  const scene = createScene([particles(), cloth(), areaChange(Particle.position, mesh)]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  addCloth(scene, mesh, { mu: 0, lambda: 0, mass: 1, ...more });
  return buildModel(scene);
}

it('areaChange of a free, uniformly growing sheet is the time integral of the squared relative change of its area', async () => {
  // Points that move away from the middle at their distance from it, times 1/s: the area is (1 + t)^2 times as large.
  const simulation = await createSimulation(sheet({ mu: 1e-6, lambda: 1e-6 }), {
    device,
    frames: 2,
    frameRate: 2,
    substeps: 500,
    record: ['world.areaChange'],
  });
  simulation.set('particles.velocity', mesh.positions);
  simulation.forward();
  const [, change] = await simulation.readFrames('world.areaChange');
  // Integral of (2 t + t^2)^2 from 0 to 1/2, by the left rule of 500 steps: off by about half a step times the last value.
  const exact = (4 / 3) * 0.5 ** 3 + 0.5 ** 4 + 0.5 ** 5 / 5;
  expect(Math.abs(change - exact)).toBeLessThan(0.001 * 1.25 ** 2);
  simulation.dispose();
});

it('areaChange has a gradient that agrees with central differences in doubles, and on the device cpu with doubles', async () => {
  const run = {
    frames: 3,
    frameRate: 20,
    substeps: 20,
    seed: 3,
    parameters: ['particles.velocity', 'triangles.actuation'],
    outputs: ['world.areaChange'],
  };
  const model = sheet({ mu: 200, lambda: 200, actuation: 0.1 });
  await checkGradients(model, run);
  await checkDevices(model, { ...run, devices: [device] });
});

it.each([
  [
    { positions: [0, 0, 0], triangles: [] },
    { code: 'control/wrong-size', values: [0] },
  ],
  [
    { positions: [0, 0, 0, 1, 0, 0, 2, 0, 0], triangles: [0, 1, 2] },
    { code: 'control/degenerate-triangle', values: [0] },
  ],
  [
    { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 3] },
    { code: 'control/no-such-vertex', values: [0, 3, 2] },
  ],
])('areaChange refuses no triangles, a degenerate one or an unknown vertex (case %#)', (surface, expected) => {
  expect(() => areaChange(Particle.position, surface)).toThrowCode(expected);
});

it('areaChange refuses a scene with fewer points than the surface', () => {
  const scene = createScene([particles(), areaChange(Particle.position, mesh)]);
  scene.add(Particle, { mass: 1, position: [0, 0, 0] });
  expect(() => buildModel(scene)).toThrowCode({ code: 'control/wrong-size', values: [15, 'particles'] });
});
