import { articulated, Link } from '@gradsim/articulated';
import { ContactSphere, contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Scene, Simulation } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { box } from '@gradsim/mesh';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('articulated contact');
const material = { ke: 2000, kd: 8, kf: 20, mu: 0.4 };
const [mass, size] = [1.2, [0.3, 0.2, 0.4] as [number, number, number]];
const mesh = box({ size });
const moment = (a: number, b: number): number => (mass * (a * a + b * b)) / 12;
const [x, y, z] = size;
const inertia = [moment(y, z), 0, 0, 0, moment(x, z), 0, 0, 0, moment(x, y)];

async function ended(scene: Scene, substeps: number): Promise<Simulation> {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 2,
    substeps,
  });
  simulation.forward();
  return simulation;
}

const thrown = { orientation: [0.2, 0.1, 0, 1], velocity: [1, 0, 0], angularVelocity: [0, 0, 2] };
function withBody(): Scene {
  const scene = createScene([rigid(), contact()]);
  const body = scene.add(Body, { mesh, mass, position: [0, 0.6, 0], ...thrown });
  scene.attach(body, contactOf(Body), material);
  scene.add(HalfSpace, {});
  return scene;
}
/**
 * Scene with the same box as a free link; its angular velocity is in its own axes, whereas that of a body is in world
 * axes.
 */
function withLink(): Scene {
  const scene = createScene([articulated(), contact()]);
  const link = scene.add(Link, {
    joint: 'free',
    mesh,
    mass,
    inertia,
    anchor: [0, 0.5, 0],
    translation: [0, 0.1, 0],
    jointOrientation: thrown.orientation,
    velocity: thrown.velocity,
    angularVelocity: ownAxes(thrown.orientation, thrown.angularVelocity),
  });
  scene.attach(link, contactOf(Link), material);
  scene.add(HalfSpace, {});
  return scene;
}
/** Rotates v by the inverse of the quaternion q, into own axes. */
function ownAxes(q: readonly number[], v: readonly number[]): number[] {
  const length = Math.hypot(...q);
  const [a, b, c, w] = q.map((part) => part / length);
  const cross = ([p, r, s]: readonly number[], [t, u, o]: readonly number[]) => [
    r * o - s * u,
    s * t - p * o,
    p * u - r * t,
  ];
  const axis = [-a, -b, -c];
  const t = cross(axis, v).map((part) => 2 * part);
  const tt = cross(axis, t);
  return v.map((part, k) => part + w * t[k] + tt[k]);
}

describe('links in contact', () => {
  it('on free joints move in contact like the same rigid body, up to an error that falls with the substep', async () => {
    const errors: number[] = [];
    for (const substeps of [2000, 4000]) {
      const [body, link] = [await ended(withBody(), substeps), await ended(withLink(), substeps)];
      const at = await body.read(Body.position);
      const moved = await link.read(Link.translation);
      errors.push(Math.max(...[0, 0.5, 0].map((anchor, k) => Math.abs(at[k] - anchor - moved[k]))));
    }
    console.info(`box as body and as link, m apart: ${errors.join(', ')}`);
    expect(errors[0]).toBeLessThan(1e-6);
    expect(errors[0] / errors[1]).toBeGreaterThan(1.5);
  });

  it('press on the ground at rest with their own weight and that of the links that they carry', async () => {
    // A post that slides upright and a point mass fixed on top: at rest ke C = (m + M) g.
    const scene = createScene([articulated(), contact()]);
    const post = scene.add(Link, { joint: 'prismatic', axis: [0, 1, 0], anchor: [0, 0.1, 0], mass });
    scene.add(Link, { parent: post, joint: 'fixed', anchor: [0, 1, 0], mass: 0.8 });
    scene.add(ContactSphere, { body: post, radius: 0.1, ke: 4000, kd: 400, kf: 0, mu: 0 });
    scene.add(HalfSpace, {});
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 0.5,
      substeps: 8000,
    });
    simulation.forward();
    expect((await simulation.read(Link.coordinate))[0]).toBeCloseTo((-9.81 * (mass + 0.8)) / 4000, 9);
  });

  it('have derivatives that agree with central differences', async () => {
    const scene = withLink();
    const arm = scene.add(Link, {
      joint: 'revolute',
      axis: [0, 0, 1],
      anchor: [2, 0.3, 0],
      mass: 0.5,
      centre: [0.3, 0, 0],
      rate: -2,
    });
    scene.add(ContactSphere, { body: arm, position: [0.2, 0, 0], radius: 0.1, ...material });
    await checkGradients(buildModel(scene), {
      frames: 4,
      frameRate: 10,
      substeps: 60,
      seed: SEED,
      parameters: [Link.mass, Link.centre, contactOf(Link).ke, contactOf(Link).mu, Link.velocity, Link.rate],
      outputs: [Link.translation, Link.velocity, Link.coordinate, Link.rate],
    });
  });
});
