import { articulated, Link } from '@gradsim/articulated';
import { addCloth, cloth } from '@gradsim/cloth';
import { ContactBox, ContactSphere, contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Entity, Model, Scene } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { box, plane, tetBox } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import type { GradientCase } from './case.ts';

const GRAVITY = 9.81;
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const BOUND = { of: 'rms', normal: 6, friction: 6 } as const;
/** Duration of a touch of a mass on a spring, s. */
const touchOf = (mass: number, ke: number): number => Math.PI * Math.sqrt(mass / ke);

/** The same weights for each of `count` vectors. */
const repeatWeights = (count: number, weights: readonly number[]): number[] =>
  Array.from({ length: count }, () => weights).flat();
/** Returns a field's initial vectors, each moved by `by`. */
const initialVectorsMovedBy = (model: Model, key: string, by: readonly number[]): number[] =>
  Array.from(model.field(key).values!, (x, k) => x + by[k % 3]);

/** A box that is thrown onto its corners, and tumbles. */
export function boxOnCorners(): GradientCase {
  const scene = createScene([rigid(), contact()]);
  const half = [0.3, 0.2, 0.25];
  const [ke, mass, fall] = [2e4, 14.3, 0.5];
  const body = scene.add(Body, {
    mesh: box({ size: [2 * half[0], 2 * half[1], 2 * half[2]] }),
    mass,
    position: [0, 0.6, 0],
    orientation: [0.2, -0.3, 0.25, 0.9],
    velocity: [1.2, -fall, 0.4],
    angularVelocity: [0.8, -0.97, 0.54],
  });
  scene.attach(body, contactOf(Body), { ke, kd: 60, kf: 200, mu: 0.35 });
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: [0, -GRAVITY, 0] });
  const model = buildModel(scene);
  const impact = Math.sqrt(fall ** 2 + 2 * GRAVITY * 0.2);
  return {
    name: 'box on its corners',
    model,
    seconds: 0.5,
    // A corner feels about a third of the mass.
    touch: touchOf(mass / 3, ke),
    unknowns: [
      { name: 'velocity', key: 'bodies.velocity', directions: AXES },
      { name: 'spin', key: 'bodies.angularVelocity', directions: AXES },
      { name: 'mass', key: 'bodies.mass', directions: [[1]] },
      { name: 'ke', key: contactOf(Body).ke.key, directions: [[1]] },
    ],
    outputs: [
      {
        name: 'position, orientation and velocities',
        weights: {
          'bodies.position': [0.6, 0.16, 0.42],
          'bodies.orientation': [0.59, 0.77, 0.67, 0.19],
          'bodies.velocity': [0.2, 0.1, 0.1],
          'bodies.angularVelocity': [0.05, -0.1, 0.05],
        },
        contactAxis: 'normal',
      },
    ],
    start: (later) => ({ 'bodies.position': initialVectorsMovedBy(model, 'bodies.position', [0, impact * later, 0]) }),
    bound: BOUND,
  };
}

/** Unknown and outputs of particles that fall together onto something. */
const fallingOnto = (
  model: Model,
  count: number,
  speed: number,
): Pick<GradientCase, 'unknowns' | 'outputs' | 'start'> => ({
  unknowns: [{ name: 'height', key: 'particles.position', directions: [repeatWeights(count, [0, 1, 0])] }],
  outputs: [
    {
      name: 'mean y',
      weights: { 'particles.position': repeatWeights(count, [0, 1 / count, 0]) },
      contactAxis: 'normal',
    },
    {
      name: 'mean x',
      weights: { 'particles.position': repeatWeights(count, [1 / count, 0, 0]) },
      contactAxis: 'friction',
    },
  ],
  start: (later) => ({
    'particles.position': initialVectorsMovedBy(model, 'particles.position', [0, speed * later, 0]),
  }),
});

/** Attaches one contact material to all particles of a body, and adds gravity. */
function attachContact(scene: Scene, all: readonly Entity[], material: Readonly<Record<string, number>>): void {
  for (const particle of all) scene.attach(particle, contactOf(Particle), material);
  scene.add(Gravity, { acceleration: [0, -GRAVITY, 0] });
}

/** A sheet that falls onto a sphere that stands. */
export function clothOnSphere(): GradientCase {
  const scene = createScene([particles(), cloth(), contact()]);
  const mesh = plane({ size: [0.6, 0.6], segments: [6, 6] });
  const lifted = { ...mesh, positions: mesh.positions.map((x, k) => x + [0.013, 0.2, -0.007][k % 3]) };
  const [ke, speed] = [2000, 1.5];
  const { particles: all } = addCloth(scene, lifted, {
    mu: 400,
    lambda: 400,
    density: 0.4,
    velocity: [0.5, -speed, 0],
  });
  attachContact(scene, all, { ke, kd: 0.3, kf: 0.5, mu: 0.4, thickness: 0.01 });
  scene.add(ContactSphere, { radius: 0.15, ke, kd: 0.3, kf: 0.5, mu: 0.4 });
  const model = buildModel(scene);
  return {
    name: 'cloth on a sphere',
    model,
    seconds: 0.15,
    touch: touchOf((0.4 * 0.36) / all.length, ke),
    ...fallingOnto(model, all.length, speed),
  };
}

/** A soft block that falls onto the ground with one edge first. */
export function softBlock(): GradientCase {
  const scene = createScene([particles(), fem(), contact()]);
  const mesh = tetBox({ size: [0.5, 0.25, 0.25], cells: [4, 2, 2] });
  const tilted = {
    ...mesh,
    positions: mesh.positions.map((_, k, all) => {
      const [x, y] = [all[k - (k % 3)], all[k - (k % 3) + 1]];
      return [0.98 * x - 0.2 * y, 0.2 * x + 0.98 * y + 0.23, all[k]][k % 3];
    }),
  };
  const [ke, speed] = [1e4, 1];
  const { particles: all } = addSoftBody(scene, tilted, {
    mu: 4000,
    lambda: 4000,
    damping: 1,
    density: 100,
    velocity: [0.8, -speed, 0.3],
  });
  attachContact(scene, all, { ke, kd: 5, kf: 20, mu: 0.4, thickness: 0.01 });
  scene.add(HalfSpace, {});
  const model = buildModel(scene);
  return {
    name: 'soft block',
    model,
    seconds: 0.15,
    touch: touchOf((100 * 0.03125) / all.length, ke),
    ...fallingOnto(model, all.length, speed),
  };
}

/** An arm that a motor drives against its limit. */
export function armAtLimit(): GradientCase {
  const scene = createScene([articulated()]);
  const [inertia, limitStiffness, rate] = [0.1, 400, 2];
  scene.add(Link, {
    joint: 'revolute',
    mass: 1,
    centre: [0, -0.3, 0],
    inertia: [0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01],
    coordinate: 0,
    rate,
    drive: 1,
    upper: 0.4,
    limitStiffness,
    limitDamping: 1,
  });
  scene.add(Gravity, { acceleration: [0, -GRAVITY, 0] });
  return {
    name: 'arm against its limit',
    model: buildModel(scene),
    seconds: 0.6,
    touch: touchOf(inertia, limitStiffness),
    unknowns: [
      { name: 'angle', key: 'links.coordinate', directions: [[1]] },
      { name: 'rate', key: 'links.rate', directions: [[1]] },
    ],
    outputs: [{ name: 'angle', weights: { 'links.coordinate': [1] }, contactAxis: 'normal' }],
    start: (later) => ({ 'links.coordinate': [-rate * later] }),
    bound: BOUND,
  };
}

/** A stack of two boxes on a table, of which the upper one is hit by a third. */
export function stackPushed(): GradientCase {
  const scene = createScene([rigid(), contact({ bodies: { maxSpeed: 4 } })]);
  const material = { ke: 2e4, kd: 40, kf: 60, mu: 0.4 };
  scene.add(ContactBox, { position: [0, -0.1, 0], size: [2, 0.2, 2], ...material });
  const size: [number, number, number] = [0.2, 0.1, 0.2];
  // Where they rest: corners of both of a pair touch, and the lower ones carry two.
  const places = [
    [0, 0.0498, 0],
    [0.01, 0.1497, 0.005],
    [-0.26, 0.16, 0.02],
  ];
  for (const position of places) {
    const body = scene.add(Body, { mesh: box({ size }), mass: 1, position });
    scene.add(ContactBox, { body, size, ...material });
  }
  scene.add(BodyPush, { body: scene.entities(Body)[2], force: [0, GRAVITY, 0] });
  scene.add(Gravity, { acceleration: [0, -GRAVITY, 0] });
  const speed = 1.5;
  return {
    name: 'stack pushed',
    model: buildModel(scene),
    seconds: 0.25,
    touch: touchOf(0.125, material.ke),
    unknowns: [{ name: 'speed', key: 'bodies.velocity', directions: [[0, 0, 0, 0, 0, 0, 1, 0, 0]] }],
    outputs: [
      { name: 'x of the upper', weights: { 'bodies.position': [0, 0, 0, 1, 0, 0, 0, 0, 0] }, contactAxis: 'normal' },
    ],
    start: (later) => ({
      'bodies.position': places.flatMap(([x, y, z], k) => [k === 2 ? x - speed * later : x, y, z]),
      'bodies.velocity': [0, 0, 0, 0, 0, 0, speed, 0, 0],
    }),
  };
}
