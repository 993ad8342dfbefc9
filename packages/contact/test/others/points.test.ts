import { ContactBox, ContactSphere, contact, contactOf, HalfSpace, surfaceContact } from '@gradsim/contact';
import type { Component, Entity, Model, Plugin, Scene, Simulation } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, definePlugin, f64Device } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { PointsThatTouch } from '@gradsim/dynamics';
import { box } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../../scripts/vitest/draws.ts';
import type { Soup } from '../brute-force.ts';
import { bruteForce, soup } from '../brute-force.ts';
import { Mote, momentum, motes } from './motes.ts';

const SEED = seedOfRun('points of another plugin');
const G = 9.81;
const MATERIAL = { ke: 400, kd: 1, kf: 4, mu: 0.4, thickness: 0.02 };

/** A plugin of points: its component, a function that adds a point, and the names of the state fields. */
interface Kind {
  readonly plugin: (triangles?: readonly number[]) => Plugin;
  readonly component: Component;
  readonly add: (scene: Scene, position: readonly number[], velocity: readonly number[], mass: number) => Entity;
  readonly state: readonly [position: string, velocity: string];
}
const MOTES: Kind = {
  plugin: (triangles) => motes({ triangles }),
  component: Mote,
  add: (scene, place, speed, mass) => scene.add(Mote, { place, speed, mass }),
  state: ['motes.place', 'motes.speed'],
};
const PARTICLES: Kind = {
  plugin: () => particles(),
  component: Particle,
  add: (scene, position, velocity, mass) => scene.add(Particle, { position, velocity, mass }),
  state: ['particles.position', 'particles.velocity'],
};

/**
 * Builds a scene in which one point of each kind is thrown onto the ground, one onto a static box, and one onto a free
 * ball.
 */
function thrown(kinds: readonly Kind[]): Model {
  const scene = createScene([...kinds.map(({ plugin }) => plugin()), rigid(), contact()]);
  scene.add(HalfSpace, {});
  scene.add(ContactBox, {
    position: [1, 0.2, 0],
    size: [0.4, 0.4, 0.4],
    orientation: [0, 0.1, 0, 1],
    ...surface,
  });
  const ball = scene.add(Body, { mesh: box({ size: [0.2, 0.2, 0.2] }), mass: 0.5, position: [2, 0.4, 0] });
  scene.add(ContactSphere, { body: ball, radius: 0.2, ...surface });
  for (const { component, add } of kinds) {
    for (const [x, y, z] of [
      [0, 0.1, 0],
      [1.03, 0.5, 0.02],
      [2.02, 0.75, 0.03],
    ])
      scene.attach(add(scene, [x, y, z], [0.3, -2, 0.1], 0.1), contactOf(component), MATERIAL);
  }
  return buildModel(scene);
}
const { thickness: _, ...surface } = MATERIAL;

async function run(model: Model, seconds: number, substeps: number): Promise<Simulation> {
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / seconds,
    substeps,
  });
  simulation.forward();
  return simulation;
}

describe('points of another plugin, with field names of its own', () => {
  it('rest on the ground at penetration C = m g / ke, measured from their thickness', async () => {
    const scene = createScene([motes(), contact()]);
    scene.add(HalfSpace, { normal: [0, 2, 0], offset: 0.5 });
    const mote = scene.add(Mote, { place: [0, 0.6, 0], mass: 0.2 });
    scene.attach(mote, contactOf(Mote), { ke: 400, kd: 10, thickness: 0.01 });
    const end = await run(buildModel(scene), 4, 8000);
    // Critical damping is 2 sqrt(ke m) = 18 N s/m: the remainder after 4 s is exp(-4 kd / 2 m) = exp(-100).
    expect((await end.read(Mote.place))[1]).toBeCloseTo(0.5 + 0.01 - (0.2 * G) / 400, 12);
  });

  it('touch half-spaces and shapes as particles do', async () => {
    const ends = await Promise.all(
      [MOTES, PARTICLES].map(async (kind) => {
        const end = await run(thrown([kind]), 0.3, 600);
        return Promise.all([...kind.state, 'bodies.position', 'bodies.angularVelocity'].map((key) => end.read(key)));
      }),
    );
    // Particles use compensated sums, motes do not.
    ends[0].forEach((values, k) =>
      values.forEach((value, at) => expect(Math.abs(value - ends[1][k][at])).toBeLessThan(1e-11)),
    );
    // All have bounced: free fall would give -2 - 0.3 g = -4.9 m/s.
    for (const k of [1, 4, 7]) expect(ends[0][1][k]).toBeGreaterThan(-4);
  });

  it('do not affect particles in the same scene', async () => {
    const still = (kinds: readonly Kind[]): Model => {
      const scene = createScene([...kinds.map(({ plugin }) => plugin()), contact()]);
      scene.add(HalfSpace, {});
      scene.add(ContactBox, { position: [1, 0.2, 0], size: [0.4, 0.4, 0.4], ...surface });
      kinds.forEach(({ component, add }, k) => {
        for (const x of [0, 1.03])
          scene.attach(add(scene, [x, 0.5, 0], [0.3, -2, 0.1], 0.1), contactOf(component), {
            ...MATERIAL,
            ke: 400 + 100 * k,
          });
      });
      return buildModel(scene);
    };
    const both = await run(still([PARTICLES, MOTES]), 0.3, 300);
    const alone = await run(still([PARTICLES]), 0.3, 300);
    for (const key of PARTICLES.state) expect(await both.read(key)).toEqual(await alone.read(key));
    const [, height] = await both.read('particles.position');
    const [, place] = await both.read('motes.place');
    expect(Math.abs(height - place)).toBeGreaterThan(1e-4);
  });

  it('and particles collide with the same free body, conserving total momentum', async () => {
    const scene = createScene([particles(), motes(), rigid(), contact()]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const ball = scene.add(Body, { mesh: box(), mass: 2 });
    scene.add(ContactSphere, { body: ball, radius: 0.5, ...surface });
    for (const { component, add } of [MOTES, PARTICLES]) {
      for (const side of [-1, 1]) {
        const point = add(scene, [0.6 * side, 0.1, 0.05], [-2 * side, 0.3, 0], 0.1 + 0.05 * side);
        scene.attach(point, contactOf(component), MATERIAL);
      }
    }
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 2,
      substeps: 1000,
      record: [momentum],
    });
    simulation.forward();
    const ofMotes = await simulation.readFrames(momentum);
    const v = await simulation.read('particles.velocity');
    const u = await simulation.read('bodies.velocity');
    expect(Math.hypot(...u)).toBeGreaterThan(0.1);
    for (let axis = 0; axis < 3; axis++) {
      const after = ofMotes[3 + axis] + 0.05 * v[axis] + 0.15 * v[3 + axis] + 2 * u[axis];
      // Particles start with the same momentum as motes.
      expect(Math.abs(after - 2 * ofMotes[axis])).toBeLessThan(1e-12);
    }
  });

  it('have gradients that agree with central differences, and with doubles in single precision', async () => {
    const { ke, mu, kd, thickness } = contactOf(Mote);
    const rollout = {
      frames: 2,
      frameRate: 6,
      substeps: 300,
      seed: 5,
      parameters: [ke, kd, mu, thickness, Mote.mass, Mote.speed, ContactBox.ke, Body.mass],
      outputs: [Mote.place, Mote.speed, Body.position, Body.angularVelocity],
    };
    const { parameters } = await checkGradients(thrown([MOTES, PARTICLES]), rollout);
    for (const [key, { adjoint }] of Object.entries(parameters)) expect(Math.abs(adjoint), key).toBeGreaterThan(1e-7);
    const cpu = await cpuDevice();
    await checkDevices(thrown([MOTES, PARTICLES]), { ...rollout, devices: [cpu] });
    cpu.dispose();
  });
});

/** Substep, s. */
const DT = 1 / 500;

/**
 * Builds a scene of random triangles between motes; with `beside`, there is also a particle with contact at every mote.
 */
function veils(s: Soup, components?: readonly Component[], beside = false, maxSpeed = 2.5): Model {
  const scene = createScene([
    ...[motes({ triangles: s.triangles }), particles(), contact()],
    surfaceContact({ maxSpeed, refresh: 7, neighbours: 116, components }),
  ]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const vector = (of: Float64Array, k: number): number[] => [...of.subarray(3 * k, 3 * k + 3)];
  s.mass.forEach((mass, k) => {
    const mote = scene.add(Mote, { place: vector(s.position, k), speed: vector(s.velocity, k), mass });
    const [ke, kd, kf, mu, thickness] = [s.ke, s.kd, s.kf, s.mu, s.thickness].map((all) => all[k]);
    scene.attach(mote, contactOf(Mote), { ke, kd, kf, mu, thickness });
    if (!beside) return;
    const particle = scene.add(Particle, { position: vector(s.position, k), mass });
    scene.attach(particle, contactOf(Particle), { ke, kd, kf, mu, thickness });
  });
  return buildModel(scene);
}

describe('surfaces between points of another plugin', () => {
  it('touch like the all-pairs reference, also beside particles that the option `of` leaves out', async () => {
    // Large enough: of 300 soups of 24 triangles and 16 points two had only 7 contacts per substep.
    const s = soup(SEED, 32, 20, 0.16);
    const right = bruteForce(s, 16, DT);
    expect(right.touches).toBeGreaterThan(100);
    // In 2 of 1500 soups a slender triangle throws out a corner, at 11 m/s in one.
    const maxSpeed = Math.max(2.5, 1.01 * right.topSpeed);
    for (const model of [veils(s, undefined, false, maxSpeed), veils(s, [Mote], true, maxSpeed)]) {
      const end = await run(model, 16 * DT, 16);
      const [x, v] = [await end.read(Mote.place), await end.read(Mote.speed)];
      // Rounding grows with the motion; a missed contact would show at 1e-4.
      x.forEach((value, k) => expect(Math.abs(value - right.position[k])).toBeLessThan(1e-9));
      v.forEach((value, k) => expect(Math.abs(value - right.velocity[k])).toBeLessThan(1e-8));
    }
  });

  it('have gradients that agree with central differences', async () => {
    const { ke, kd, thickness } = contactOf(Mote);
    const { parameters } = await checkGradients(veils(soup(3, 12, 8, 0.12)), {
      frames: 2,
      frameRate: 1 / (20 * DT),
      substeps: 20,
      seed: 3,
      parameters: [ke, kd, thickness, Mote.place, Mote.speed, Mote.mass],
      outputs: [Mote.place, Mote.speed],
    });
    for (const [key, { adjoint }] of Object.entries(parameters)) expect(Math.abs(adjoint), key).toBeGreaterThan(1e-7);
  });
});

describe('offers that contact cannot use are refused by name', () => {
  it('surfaceContact if two plugins have points and `of` names none, or if it names a component without points', () => {
    expect(() => veils(soup(1, 2, 0, 1), undefined, true)).toThrowCode({
      code: 'contact/mixed-components',
      values: ['surfaceContact', 'motes, particles'],
    });
    expect(() => veils(soup(1, 2, 0, 1), [Body])).toThrowCode({
      code: 'contact/nothing-offered',
      values: ['surfaceContact', 'bodies', 'points that can touch'],
    });
  });

  it('surfaces between points without rest positions', () => {
    const scene = createScene([
      ...[motes({ triangles: [0, 1, 2], rest: false }), contact(), surfaceContact({ maxSpeed: 1 })],
    ]);
    for (const place of [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ])
      scene.attach(scene.add(Mote, { place }), contactOf(Mote), { ke: 1 });
    expect(() => buildModel(scene)).toThrowCode({
      code: 'contact/no-rest-shape',
      values: ['`rest`', 'surfaceContact', 'veil 0', 'motes', 'points that can touch'],
    });
  });

  it('points offered twice, without a component or a field, or with a field over another domain', () => {
    const offering = (...all: readonly object[]): (() => Model) => {
      const offers = definePlugin({
        name: 'more',
        contract: 1,
        requires: ['motes'],
        offers: [PointsThatTouch],
        build: ({ model }) => {
          for (const points of all) model.offer(PointsThatTouch, points as PointsThatTouch);
        },
      });
      return () => buildModel(createScene([particles(), motes(), offers, contact()]));
    };
    const { place: position, speed: velocity, push: force } = Mote;
    expect(offering({ component: Mote, position, velocity, force })).toThrowCode('core/wrong-offer');
    expect(offering({ component: Gravity, position, velocity })).toThrowCode({
      code: 'core/wrong-offer',
      values: ['`position`', 'motes.place'],
    });
    expect(offering({ component: Body, position: Body.position, velocity: Body.velocity })).toThrowCode({
      code: 'core/wrong-offer',
      values: ['`force`'],
    });
    expect(offering({ position, velocity, force })).toThrowCode({ code: 'core/wrong-offer', values: ['`component`'] });
  });

  it('contact of components that no plugin offers, or without the plugin of contact or of the component', () => {
    const scene = createScene([rigid(), contact()]);
    const push = scene.add(Gravity, { acceleration: [0, 0, 0] }, 'the gravity');
    scene.attach(push, contactOf(Gravity), { ke: 1 });
    expect(() => buildModel(scene)).toThrowCode({
      code: 'contact/nothing-offered',
      element: 'the gravity',
      values: ['bodies'],
    });
    const without = createScene([particles()]);
    const particle = without.add(Particle, { position: [0, 0, 0], mass: 1 });
    expect(() => without.attach(particle, contactOf(Particle), { ke: 1 })).toThrowCode({
      code: 'core/unknown-component',
      values: ['"contactOf(particles)"', '@gradsim/particles'],
    });
    expect(() => createScene([particles(), contact()]).attach(0, contactOf(Mote), { ke: 1 })).toThrowCode({
      code: 'core/plugin-missing',
      values: ['"contactOf(motes)"', '"motes"'],
    });
  });
});
