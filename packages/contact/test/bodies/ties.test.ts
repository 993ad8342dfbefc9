import { ContactBox, ContactCapsule, ContactSphere, contact, contactOf } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device, kernel, Model, vec3 } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';
import { nearBox } from '../../src/shapes/box.ts';
import type { Thrown } from './scenes.ts';
import { emptyScene, throwBody } from './scenes.ts';

const SMOOTH = { ke: 4000, kd: 4, kf: 0, mu: 0 };
const thrown = (scene: Scene, one: Thrown) => throwBody(scene, one, SMOOTH);

/** Quaternion (x, y, z, w) of a rotation by 90 degrees about x. */
const LYING = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];

const RUN = { frames: 2, frameRate: 25, substeps: 80, seed: 11 };
const OF_BODIES = {
  ...RUN,
  parameters: ['bodies.position', 'bodies.velocity'],
  outputs: ['bodies.position', 'bodies.velocity'],
};

// Offsets are exactly 0 along axes, velocities lie along one: the normal still turns with the offsets.
describe('gradients of symmetric contact agree with tangents and central differences', () => {
  const scenes: Readonly<Record<string, () => Scene>> = {
    'two balls, head on': () => {
      const scene = emptyScene();
      thrown(scene, { shape: 'sphere', position: [0, 0, 0], velocity: [1, 0, 0] });
      thrown(scene, { shape: 'sphere', position: [0.20037, 0, 0], velocity: [-1, 0, 0] });
      return scene;
    },
    'a ball on a static ball': () => {
      const scene = emptyScene([0, -9.81, 0]);
      scene.add(ContactSphere, { radius: 0.2, ke: 4000, kd: 4 });
      thrown(scene, { shape: 'sphere', position: [0, 0.30037, 0], velocity: [0, -0.5, 0] });
      return scene;
    },
    'two parallel capsules': () => {
      const scene = emptyScene();
      thrown(scene, { shape: 'capsule', position: [0, 0, 0], orientation: LYING, velocity: [1, 0, 0] });
      thrown(scene, { shape: 'capsule', position: [0.12037, 0, 0], orientation: LYING, velocity: [-1, 0, 0] });
      return scene;
    },
    'a ball on the middle of a capsule': () => {
      const scene = emptyScene();
      thrown(scene, { shape: 'capsule', position: [0, 0, 0] });
      thrown(scene, { shape: 'sphere', position: [0, 0, 0.16037], velocity: [0, 0, -1] });
      return scene;
    },
    'a ball on the middle of a box': () => {
      const scene = emptyScene([0, -9.81, 0]);
      scene.add(ContactBox, { size: [1, 0.2, 1], ke: 4000, kd: 4 });
      thrown(scene, { shape: 'sphere', position: [0, 0.20037, 0], velocity: [0, -0.5, 0] });
      return scene;
    },
  };
  for (const [name, scene] of Object.entries(scenes))
    it(name, async () => {
      const { parameters } = await checkGradients(buildModel(scene()), OF_BODIES);
      expect(Math.abs(parameters['bodies.velocity'].adjoint)).toBeGreaterThan(1e-3);
    });

  it('a particle on a capsule without length', async () => {
    const scene = createScene([particles(), contact()]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    scene.add(ContactCapsule, { length: 0, radius: 0.1, ke: 4000, kd: 4 });
    const particle = scene.add(Particle, { position: [0.10037, 0, 0], velocity: [-1, 0, 0], mass: 1 });
    scene.attach(particle, contactOf(Particle), { ke: 4000, kd: 4 });
    const columns = ['particles.position', 'particles.velocity'];
    await checkGradients(buildModel(scene), { ...RUN, parameters: columns, outputs: columns });
  });
});

describe('the normal of a box', () => {
  const turn = kernel('turn', { domain: 'points', reads: { p: vec3 }, writes: { normal: vec3 } }, ({ p }) => ({
    normal: nearBox(p, vec3(0.2, 0.24, 0.2)).normal,
  }));
  /** Derivatives of the sum of the normals' x and z components, and of their y components twice, by where points are. */
  const slopesAt = async (places: readonly (readonly number[])[]): Promise<Float64Array> => {
    const model = new Model();
    model.addDomain('points', places.length);
    model.addField('points', 'p', vec3, { values: places.flat() });
    model.addField('points', 'normal', vec3, { fill: 0 });
    model.addPass('integrate', turn);
    const simulation = await createSimulation(model, {
      device: f64Device(),
      frames: 2,
      frameRate: 1,
      substeps: 1,
      parameters: ['points.p'],
      outputs: ['points.normal'],
    });
    simulation.forward();
    simulation.backward({ 'points.normal': places.flatMap(() => [1, 2, 1]) });
    const slopes = await simulation.gradient('points.p');
    simulation.dispose();
    return slopes;
  };

  it('does not turn where a point lies beyond one face, by however little', async () => {
    const places = Array.from({ length: 60 }, (_, k) => [0.03, 0.12 + (k + 1) * 2 ** -54, -0.02]);
    expect(Math.max(...(await slopesAt(places)).map(Math.abs))).toBe(0);
  });

  it('has no derivative as good as infinite where a point lies on an edge but for rounding', async () => {
    const slopes = await slopesAt([[0.1 + 2 ** -56, 0.12 + 2 ** -56, 0]]);
    expect(Math.max(...slopes.map(Math.abs))).toBe(0);
  });

  it('turns by half beside an edge, where a point lies exactly between face and edge', async () => {
    // Beyond the face at y = 0.12 by 0.05, above the end of the face at x = 0.1: beside it the normal turns about the
    // edge by 1 / 0.05 a metre, or not at all.
    const slopes = await slopesAt([[0.1, 0.17, 0]]);
    expect(slopes[0]).toBeCloseTo(0.5 / 0.05, 10);
    expect(slopes[2]).toBe(0);
  });
});
