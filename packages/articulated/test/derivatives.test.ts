import { articulated, Gravity, Link } from '@gradsim/articulated';
import type { Scene } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkDevices, checkGradients, checkKernel } from '@gradsim/core/testing';
import { gravity } from '@gradsim/dynamics';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';
import { axisEffort, ballEffort } from '../src/efforts/effort.ts';
import { moveAxis, moveBall, moveFree } from '../src/move.ts';

const SEED = seedOfRun('articulated derivatives');

const INERTIA = [0.02, 0.001, 0, 0.001, 0.03, -0.002, 0, -0.002, 0.025];

/** Scene of joints that run into their limits from within: joints with an axis at both limits, and a ball joint. */
function limited(): Scene {
  const scene = createScene([articulated()]);
  const limit = { limitStiffness: 30, limitDamping: 0.4, lower: -0.3, upper: 0.25 };
  const body = { mass: 0.5, centre: [0.1, -0.2, 0], inertia: INERTIA };
  const first = scene.add(Link, { ...body, ...limit, joint: 'revolute', rate: 4 });
  scene.add(Link, {
    ...body,
    ...limit,
    parent: first,
    joint: 'prismatic',
    anchor: [0.2, 0, 0],
    axis: [1, 0, 0],
    rate: -3,
  });
  scene.add(Link, { ...body, ...limit, lower: -1e9, joint: 'ball', angularVelocity: [2, 1, 4] });
  return scene;
}

/** Scene with every kind of joint and every kind of force, in a branching tree, and a second tree. */
function everything(): Scene {
  const scene = createScene([articulated()]);
  scene.add(Gravity, { acceleration: [0.3, -9.81, 0.2] });
  const passive = { stiffness: 0.5, damping: 0.1, dryFriction: 0.05, frictionStiffness: 0.4, armature: 0.01 };
  const body = { mass: 0.5, centre: [0.1, 0.05, -0.1], inertia: INERTIA };
  const root = scene.add(Link, {
    ...body,
    joint: 'free',
    anchor: [0, 1, 0],
    jointOrientation: [0.1, 0.2, 0, 1],
    velocity: [0.1, 0, 0.2],
    angularVelocity: [0.5, -1, 0.3],
  });
  const arm = scene.add(Link, {
    ...body,
    ...passive,
    parent: root,
    joint: 'revolute',
    axis: [1, 0.5, 0],
    anchor: [0.2, 0, 0],
    drive: 0.2,
    coordinate: 0.4,
    rate: 1,
    restCoordinate: 0.1,
  });
  scene.add(Link, {
    ...body,
    ...passive,
    parent: arm,
    joint: 'ball',
    anchor: [0.2, 0.1, 0],
    jointOrientation: [0.2, -0.1, 0.3, 1],
    angularVelocity: [1, 0.5, -2],
    ballDrive: [0.1, 0, -0.2],
    upper: 0.7,
    limitStiffness: 3,
    limitDamping: 0.05,
  });
  const slide = scene.add(Link, {
    ...body,
    ...passive,
    parent: root,
    joint: 'prismatic',
    axis: [0, 1, 0.3],
    coordinate: 0.15,
    rate: 0.2,
    lower: -0.2,
    upper: 0.1,
    limitStiffness: 20,
    limitDamping: 0.3,
  });
  // Without dry friction of its own a joint is at the corner of min(kf |q'|, tau_c), where there is no derivative.
  const plate = scene.add(Link, {
    ...body,
    parent: slide,
    joint: 'fixed',
    restOrientation: [0.3, 0, 0.1, 1],
  });
  scene.add(Link, {
    ...body,
    ...passive,
    parent: plate,
    joint: 'revolute',
    axis: [0, 0, 1],
    anchor: [0, 0.1, 0],
    rate: -1,
  });
  const hung = scene.add(Link, { joint: 'ball', ...body, ...passive, angularVelocity: [0, 1, 0.2] });
  scene.add(Link, {
    parent: hung,
    joint: 'free',
    ...body,
    translation: [0.3, 0, 0],
    angularVelocity: [1, 0, 1],
  });
  return scene;
}

const rollout = {
  frames: 4,
  frameRate: 20,
  substeps: 8,
  seed: SEED,
  parameters: [
    ...[Link.mass, Link.centre, Link.inertia, Link.anchor, Link.axis, Link.restOrientation, Link.armature],
    ...[Link.stiffness, Link.restCoordinate, Link.damping, Link.dryFriction, Link.frictionStiffness],
    ...[Link.limitStiffness, Link.limitDamping, Link.drive, Link.ballDrive],
    ...[Link.coordinate, Link.rate, Link.jointOrientation, Link.angularVelocity, Link.translation, Link.velocity],
    gravity,
  ],
  outputs: [
    ...[Link.coordinate, Link.rate, Link.jointOrientation, Link.angularVelocity, Link.translation, Link.velocity],
    ...[Link.position, Link.worldOrientation],
  ],
};

describe('gradient checks of joint kernels', () => {
  it('joint efforts, at rest and beyond limits too', async () => {
    const ranges = { dryFriction: [0.1, 1], frictionStiffness: [0.5, 2], upper: [0.3, 0.6] } as const;
    await checkKernel(axisEffort('around'), {
      seed: SEED,
      ranges: { ...ranges, lower: [-0.6, -0.3] },
      edges: { rate: [0] },
    });
    await checkKernel(ballEffort('around'), {
      seed: SEED,
      ranges,
      edges: { angularVelocity: [0] },
      values: { jointOrientation: [0.3, 0.1, -0.2, 0.9273618495495703] },
    });
  });
  it('joint motion, at rest too', async () => {
    const carried = (names: readonly string[]) => ({
      seed: SEED,
      constants: names,
      values: Object.fromEntries(names.map((name) => [name, [0]])),
    });
    await checkKernel(moveAxis, carried(['coordinateCarry', 'rateCarry']));
    await checkKernel(moveBall, {
      ...carried(['orientationCarry', 'angularVelocityCarry']),
      edges: { angularVelocity: [0] },
    });
    await checkKernel(moveFree, carried(['translationCarry', 'velocityCarry']));
  });
});

describe('runs of trees with every joint', () => {
  it('have derivatives by masses, geometry, springs, friction, drives and states that agree with central differences', async () => {
    await checkGradients(buildModel(everything()), rollout);
  });
  it('have derivatives by the limits of joints that reach them, in agreement with central differences', async () => {
    const [frames, frameRate, substeps] = [4, 20, 40];
    const { parameters } = await checkGradients(buildModel(limited()), {
      frames,
      frameRate,
      substeps,
      seed: SEED,
      parameters: [Link.upper, Link.limitStiffness, Link.limitDamping, Link.rate],
      outputs: [Link.coordinate, Link.rate, Link.angularVelocity],
    });
    expect(Math.abs(parameters['links.upper'].adjoint)).toBeGreaterThan(1e-3);
  });
  it('have states and derivatives on cpu that agree with doubles', async () => {
    await checkDevices(buildModel(everything()), { ...rollout, devices: [cpuDevice()] });
  });
});

describe('joints without dry friction, at rest', () => {
  // Their friction stiffness is that of friction that has no maximum to hold with: free, they turn by T for a rate of 1.
  it('turn freely by their rate, whatever the friction stiffness', async () => {
    const scene = createScene([articulated()]);
    const body = { mass: 0.5, inertia: INERTIA, frictionStiffness: 2 };
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    scene.add(Link, { ...body, joint: 'revolute' });
    scene.add(Link, { ...body, joint: 'ball' });
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 2,
      substeps: 50,
      parameters: [Link.rate, Link.angularVelocity],
      outputs: [Link.coordinate, Link.angularVelocity],
    });
    simulation.forward();
    simulation.backward({ [Link.coordinate.key]: [1, 0], [Link.angularVelocity.key]: [0, 0, 0, 1, 1, 1] });
    expect((await simulation.gradient(Link.rate))[0]).toBeCloseTo(0.5, 12);
    for (const slope of (await simulation.gradient(Link.angularVelocity)).slice(3)) expect(slope).toBeCloseTo(1, 12);
    simulation.dispose();
  });
});
