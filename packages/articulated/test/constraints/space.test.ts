import { articulated, Constraint, Gravity, Link } from '@gradsim/articulated';
import type { Scene } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { gravity } from '@gradsim/dynamics';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('constraints in space');
const INERTIA = [0.02, 0.001, 0, 0.001, 0.03, -0.002, 0, -0.002, 0.025];
const body = { mass: 0.5, centre: [0.1, 0.05, -0.1], inertia: INERTIA };

/**
 * A loop in space that a connect closes, a weld between branches, a gear of joints of two trees, and a pin of the world;
 * with dry friction and damping at the end of the substep, or without.
 */
function everything({ rubs }: { readonly rubs: boolean }): Scene {
  const scene = createScene([articulated({ implicitJoints: rubs })]);
  scene.add(Gravity, { acceleration: [0.3, -9.81, 0.2] });
  const passive = rubs ? { damping: 0.1, dryFriction: 0.05, frictionWidth: 0.1 } : { damping: 0.1 };
  const root = scene.add(Link, { ...body, joint: 'free', anchor: [0, 1, 0], angularVelocity: [0.5, -1, 0.3] });
  const arm = (more: object) =>
    scene.add(Link, { ...body, ...passive, joint: 'revolute', axis: [1, 0.5, 0], parent: root, ...more });
  const one = arm({ anchor: [0.2, 0, 0], armature: 0.01 });
  const two = scene.add(Link, { ...body, ...passive, joint: 'ball', parent: one, anchor: [0.2, 0.1, 0] });
  const three = arm({ anchor: [-0.1, 0.2, 0.1], axis: [0, 0.2, 1], stiffness: 0.5 });
  // Without offsets of the axes all orientations are those of the root: points are given by sums.
  scene.add(Constraint, {
    kind: 'connect',
    link: two,
    other: three,
    point: [-0.4, 0.3, 0.1],
    otherPoint: [0.1, 0.2, 0],
  });
  const welded = scene.add(Link, { ...body, joint: 'free', anchor: [0.6, 1.3, 0.2] });
  scene.add(Constraint, { kind: 'weld', link: welded, other: two, point: [0, 0, 0], otherPoint: [0.2, 0.2, 0.2] });
  const wheel = (more: object) => scene.add(Link, { ...body, ...passive, joint: 'revolute', axis: [0, 0, 1], ...more });
  const driver = wheel({ anchor: [2, 0, 0], rate: 0.5 });
  const driven = wheel({ anchor: [3, 0, 0], coordinate: 0.2, rate: -1 });
  scene.add(Constraint, { kind: 'gear', link: driven, other: driver, ratio: -2, offset: 0.2 });
  const hung = scene.add(Link, { ...body, joint: 'free', anchor: [0, 3, 0], angularVelocity: [0, 1, 0.2] });
  scene.add(Constraint, {
    kind: 'connect',
    link: hung,
    point: [0.1, 0.2, 0],
    otherPoint: [0.1, 3.2, 0],
    timeConstant: 0.02,
  });
  return scene;
}

const rollout = {
  frames: 3,
  frameRate: 20,
  substeps: 10,
  seed: SEED,
  outputs: [
    ...[Link.coordinate, Link.rate, Link.jointOrientation, Link.angularVelocity, Link.translation, Link.velocity],
    ...[Link.position, Link.worldOrientation],
  ],
};
const parameters = [
  ...[Link.mass, Link.centre, Link.inertia, Link.anchor, Link.axis, Link.damping, Link.stiffness, Link.armature],
  ...[Link.drive, Link.coordinate, Link.rate, Link.angularVelocity, Link.velocity, gravity],
  ...[Constraint.point, Constraint.otherPoint, Constraint.restOrientation, Constraint.ratio, Constraint.offset],
];

describe('scenes of every kind of constraint', () => {
  it('have derivatives that agree with central differences', async () => {
    const { parameters: found } = await checkGradients(buildModel(everything({ rubs: false })), {
      ...rollout,
      parameters,
    });
    for (const name of ['point', 'otherPoint', 'restOrientation', 'ratio', 'offset'])
      expect(Math.abs(found[`constraints.${name}`].adjoint), name).toBeGreaterThan(1e-4);
  });
  it('have them with dry friction and damping at the end of the substep', async () => {
    await checkGradients(buildModel(everything({ rubs: true })), {
      ...rollout,
      parameters: [...parameters, Link.dryFriction],
    });
  });
  it('have states and derivatives on cpu that agree with doubles', async () => {
    await checkDevices(buildModel(everything({ rubs: true })), { ...rollout, parameters, devices: [cpuDevice()] });
  });
});

describe('two free bodies that a weld holds together', () => {
  // As a body with the other one fixed to it, but for what semi-implicit Euler makes of order dt of either.
  it('turn as one, with the momentum that they had', async () => {
    const scene = createScene([articulated()]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const spin = [0.6, -1, 0.8];
    const one = scene.add(Link, { ...body, joint: 'free', angularVelocity: spin });
    const away = [0.4, 0.1, 0.2];
    const cross = ([a, b, c]: number[], [x, y, z]: number[]) => [b * z - c * y, c * x - a * z, a * y - b * x];
    const other = scene.add(Link, {
      ...body,
      joint: 'free',
      anchor: away,
      velocity: cross(spin, away),
      angularVelocity: spin,
    });
    scene.add(Constraint, { kind: 'weld', link: other, other: one, otherPoint: away });
    const whole = createScene([articulated()]);
    whole.add(Gravity, { acceleration: [0, 0, 0] });
    const base = whole.add(Link, { ...body, joint: 'free', angularVelocity: spin });
    whole.add(Link, { ...body, joint: 'fixed', parent: base, anchor: away });
    const ends = [];
    for (const each of [scene, whole]) {
      const simulation = await createSimulation(buildModel(each), {
        device: f64Device(),
        frames: 2,
        frameRate: 1,
        substeps: 2000,
        outputs: [Link.jointOrientation, Link.angularVelocity, Link.translation],
      });
      simulation.forward();
      const [turned, spun, moved] = await Promise.all(
        [Link.jointOrientation, Link.angularVelocity, Link.translation].map((field) => simulation.read(field)),
      );
      ends.push({ turned: Array.from(turned), spun: Array.from(spun), moved: Array.from(moved) });
      simulation.dispose();
    }
    const [two, together] = ends;
    for (const name of ['turned', 'spun', 'moved'] as const) {
      const size = name === 'turned' ? 4 : 3;
      for (let k = 0; k < size; k++) expect(Math.abs(two[name][k] - together[name][k]), name).toBeLessThan(2e-4);
    }
    for (let k = 0; k < 4; k++) expect(two.turned[4 + k]).toBeCloseTo(two.turned[k], 6);
  });
});

describe('constraints that say the same twice', () => {
  // Two welds of the same bodies: six numbers too many.
  it('share their load', async () => {
    const ends = [];
    for (const count of [1, 2]) {
      const scene = createScene([articulated()]);
      const arm = scene.add(Link, { ...body, joint: 'revolute', axis: [0, 0, 1] });
      const tip = scene.add(Link, { ...body, joint: 'ball', parent: arm, anchor: [0.3, 0, 0] });
      for (let k = 0; k < count; k++)
        scene.add(Constraint, { kind: 'weld', link: tip, other: arm, otherPoint: [0.3, 0, 0] });
      const simulation = await createSimulation(buildModel(scene), {
        device: f64Device(),
        frames: 2,
        frameRate: 2,
        substeps: 500,
        outputs: [Link.coordinate],
      });
      simulation.forward();
      ends.push((await simulation.read(Link.coordinate))[0]);
      simulation.dispose();
    }
    expect(ends[1]).toBeCloseTo(ends[0], 6);
  });
});
