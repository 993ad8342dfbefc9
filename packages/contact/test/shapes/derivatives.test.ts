import { contact, contactOf } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, selectDevice } from '@gradsim/core';
import { checkDevices, checkGradients, checkKernel } from '@gradsim/core/testing';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { missingAdapter } from '../../../kernel/test/webgpu-adapter.ts';
import { boxes } from '../../src/shapes/box.ts';
import { capsules } from '../../src/shapes/capsule.ts';
import { meshes } from '../../src/shapes/mesh.ts';
import { spheres } from '../../src/shapes/sphere.ts';
import { BODIES, POINTS } from '../offers.ts';
import { SHAPES } from './shapes.ts';

const SEED = seedOfRun('contact with shapes, derivatives');

/** Reason why WebGPU cannot be tested on this machine; null if it can. */
describe('gradient checks of kernels', () => {
  const materials = { ke: [10, 20], kd: [0.1, 1], kf: [0.5, 5], mu: [0.2, 0.9] } as const;
  const ranges: Record<string, readonly [number, number]> = {
    ...materials,
    surfaceKe: materials.ke,
    surfaceKd: materials.kd,
    surfaceKf: materials.kf,
    surfaceMu: materials.mu,
    thickness: [0.5, 1],
  };
  const sizes = { particles: 12 };
  // Any coefficients will do for a sum of distances to 4 x 4 x 4 points.
  const grid = {
    values: {
      gridCentre: [0.1, 0, -0.1],
      spacing: [1.1],
      middle: [1.5],
      first: [0],
      row: [4],
      layer: [16],
      reach: [2],
    },
    constants: ['gridCentre', 'spacing', 'middle', 'reach', 'coefficient'],
    sizes: { ...sizes, meshPoints: 64 },
  };
  const cases = [
    [
      spheres.inWorld(POINTS, 'around'),
      spheres.onBody(POINTS, 'around')(BODIES),
      { ranges: { ...ranges, radius: [0.5, 1] }, sizes },
    ],
    [
      boxes.inWorld(POINTS, 'around'),
      boxes.onBody(POINTS, 'around')(BODIES),
      { ranges: { ...ranges, size: [0.5, 2] }, sizes },
    ],
    [
      capsules.inWorld(POINTS, 'around'),
      capsules.onBody(POINTS, 'around')(BODIES),
      { ranges: { ...ranges, length: [0.5, 2], radius: [0.2, 1] }, sizes },
    ],
    [meshes.inWorld(POINTS, 'around'), meshes.onBody(POINTS, 'around')(BODIES), { ranges, ...grid }],
  ] as const;
  for (const [inWorld, onBody, options] of cases) {
    for (const kernel of [inWorld, onBody]) {
      // At 100 m/s many particles are in the first substep of their contact.
      it.each([1, 100])(`${kernel.name}, up to %d m/s`, async (speed) => {
        await checkKernel(kernel, {
          seed: SEED,
          ...options,
          ranges: { ...options.ranges, velocity: [-speed, speed] },
          sizes: { ...options.sizes, [kernel.form.domain]: 96 },
        });
      });
    }
  }
});

/**
 * Builds a scene of two particles thrown at a free body with a shape of one kind, and a third at a static such shape.
 */
function collision(kind: string): Model {
  const scene = createScene([rigid(), particles(), contact()]);
  const body = scene.add(Body, {
    mass: 0.5,
    inertia: [0.002, 0, 0, 0, 0.003, 0, 0, 0, 0.004],
    position: [0, 1, 0],
    orientation: [0.1, 0.05, 0, 1],
    velocity: [0.2, 0, -0.1],
    angularVelocity: [1, 2, -1],
  });
  const material = { ke: 800, kd: 0.5, kf: 2, mu: 0.6 };
  SHAPES[kind](scene, { body, position: [0.01, 0, 0], orientation: [0, 0.1, 0.02, 1] }, material);
  SHAPES[kind](scene, { position: [1, 0.5, 0], orientation: [0.05, 0.1, 0.1, 1] }, material);
  const thrown = [
    { position: [0.3, 1.03, 0.02], velocity: [-2, 0, 0] },
    { position: [-0.1, 1.3, 0.05], velocity: [1, -2.5, 0] },
    { position: [1.01, 0.75, 0.02], velocity: [0.3, -2, 0.2] },
  ];
  for (const values of thrown) {
    const particle = scene.add(Particle, { ...values, mass: 0.2 });
    scene.attach(particle, contactOf(Particle), { ke: 1200, kd: 1, kf: 3, mu: 0.4, thickness: 0.03 });
  }
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  return buildModel(scene);
}

describe.each(Object.keys(SHAPES))('a collision with %s', (kind) => {
  const sizes: Record<string, string[]> = {
    spheres: ['radius'],
    boxes: ['size', 'orientation'],
    capsules: ['length', 'radius', 'orientation'],
    meshes: ['orientation'],
  };
  const rollout = {
    frames: 2,
    frameRate: 4,
    substeps: 250,
    parameters: [
      ...['ke', 'kd', 'kf', 'mu', 'thickness', 'position', 'velocity', 'mass'].map((name) => `particles.${name}`),
      ...['ke', 'kd', 'kf', 'mu', 'position', ...sizes[kind]].map((name) => `${kind}.${name}`),
      ...['position', 'orientation', 'velocity', 'angularVelocity', 'mass', 'inertia'].map((name) => `bodies.${name}`),
    ],
    outputs: ['particles.position', 'particles.velocity', 'bodies.position', 'bodies.angularVelocity'],
    seed: 3,
  };
  it('has adjoints that agree with tangents and central differences', async () => {
    const { parameters } = await checkGradients(collision(kind), rollout);
    // It does touch: everything matters.
    for (const [key, { adjoint }] of Object.entries(parameters)) expect(Math.abs(adjoint), key).toBeGreaterThan(1e-7);
  });
  it('agrees between single and double precision', async () => {
    const cpu = await cpuDevice();
    await checkDevices(collision(kind), { ...rollout, devices: [cpu] });
    cpu.dispose();
  });
  it.skipIf(missingAdapter !== null)('agrees on webgpu with double precision', async () => {
    const device = await selectDevice('webgpu');
    await checkDevices(collision(kind), { ...rollout, devices: [device] });
    device.dispose();
  });
});
