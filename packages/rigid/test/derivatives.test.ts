import { buildModel, cpuDevice, createScene } from '@gradsim/core';
import { checkDevices, checkGradients, checkKernel } from '@gradsim/core/testing';
import { box } from '@gradsim/mesh';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';
import { massOfBody, startOrientation } from '../src/mass.ts';
import { moveBody, poseBody, pushBody } from '../src/motion.ts';

const SEED = seedOfRun('rigid derivatives');

describe('gradient checks of kernels of rigid bodies', () => {
  it('mass, orientation, pose', async () => {
    const eye = [2, 0.1, 0, 0.1, 3, 0.2, 0, 0.2, 4];
    const ranges = { density: [1, 2], volume: [0.5, 1], mass: [0.5, 1] } as const;
    await checkKernel(massOfBody, { seed: SEED, ranges, values: { inertiaPerMass: eye, inertia: eye } });
    await checkKernel(startOrientation, { seed: SEED, edges: { orientation: [0] } });
    await checkKernel(poseBody, { seed: SEED });
  });
  it('pushes, within their time window and at its ends', () =>
    checkKernel(pushBody(), { seed: SEED, ranges: { start: [-0.02, 0.004], end: [0.006, 0.02] } }));
  it('motion, at rest too', async () => {
    const carries = ['positionCarry', 'orientationCarry', 'velocityCarry', 'angularVelocityCarry'];
    const { passedOver } = await checkKernel(moveBody, {
      seed: SEED,
      constants: [...carries, 'fixed'],
      values: { fixed: [0, 0, 1], ...Object.fromEntries(carries.map((c) => [c, [0]])) },
      ranges: { totalMass: [0.5, 2], drag: [0, 1] },
      edges: { velocity: [0], angularVelocity: [0], force: [0], torque: [0] },
    });
    expect(passedOver).not.toContain('bodies.velocity = 0');
  });
});

describe('runs of rigid bodies', () => {
  const scene = () => {
    const s = createScene([rigid()]);
    const a = s.add(Body, {
      mesh: box({ size: [0.2, 0.3, 0.4] }),
      density: 200,
      position: [0, 1, 0],
      velocity: [1, 2, 0],
      angularVelocity: [3, 1, -2],
      drag: 0.1,
      orientation: [0.1, 0.2, 0.3, 1],
    });
    s.add(Body, { mass: 2, inertia: [1, 0, 0, 0, 2, 0, 0, 0, 1.5], angularVelocity: [0, 1, 1] });
    s.add(BodyPush, { body: a, force: [5, 0, 3], point: [0.1, 0.1, 0], start: 0.113, end: 0.31 });
    s.add(BodyPush, { body: a, force: [0, 9, 3], start: 0.2, end: 0.41 });
    return s;
  };
  const rollout = {
    frames: 6,
    frameRate: 12,
    substeps: 8,
    outputs: [
      'bodies.position',
      'bodies.velocity',
      'bodies.angularVelocity',
      'bodies.orientation',
      'bodyVertices.position',
    ],
    seed: SEED,
  };
  const parameters = [
    'bodies.density',
    'bodies.mass',
    'bodies.drag',
    'bodies.position',
    'bodies.velocity',
    'bodies.orientation',
    'bodies.angularVelocity',
    'bodyPushes.force',
    'bodyPushes.point',
    'world.gravity',
  ];
  it('have adjoints that agree with tangents and central differences', () =>
    checkGradients(buildModel(scene()), {
      ...rollout,
      parameters: [...parameters, 'bodyPushes.start', 'bodyPushes.end'],
    }));
  it('have states and derivatives in single precision that agree with doubles', async () => {
    const cpu = await cpuDevice();
    const { devices } = await checkDevices(buildModel(scene()), { ...rollout, parameters, devices: [cpu] });
    expect(devices).toHaveLength(1);
    cpu.dispose();
  });
});
