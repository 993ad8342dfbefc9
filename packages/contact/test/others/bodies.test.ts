import { ContactBox, ContactMesh, ContactSphere, contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { box } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { Flap, flaps } from './flaps.ts';

const G = 9.81;
const [LENGTH, MASS] = [0.5, 0.3];
const MATERIAL = { ke: 500, kd: 1, kf: 2, mu: 0.4 };

async function restOf(scene: ReturnType<typeof createScene>): Promise<number> {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / 6,
    substeps: 12_000,
  });
  simulation.forward();
  const [angle] = await simulation.read(Flap.angle);
  return angle;
}

describe('bodies of another plugin, whose state follows from the angle of a joint', () => {
  it('rest on the ground with an end, where ke times the penetration carries half of the weight', async () => {
    const scene = createScene([flaps(), contact()]);
    scene.add(HalfSpace, {});
    const flap = scene.add(Flap, { hinge: [0, 0.1, 0], length: LENGTH, mass: MASS, angle: 0.3 });
    scene.attach(flap, contactOf(Flap), { ke: 500, kd: 10 });
    // About the hinge: ke C l cos a = m g l / 2 cos a. The end is at y = 0.1 + l sin a = -C.
    const C = (MASS * G) / (2 * 500);
    expect(await restOf(scene)).toBeCloseTo(Math.asin((-C - 0.1) / LENGTH), 10);
  });

  it('rest on a ContactSphere if they have no vertices, without which contactOf is refused', async () => {
    const scene = createScene([flaps({ ends: false }), contact()]);
    scene.add(HalfSpace, {});
    const flap = scene.add(Flap, { hinge: [0, 0.1, 0], length: LENGTH, mass: MASS, angle: 0.3 }, 'the flap');
    scene.add(ContactSphere, { body: flap, position: [LENGTH / 2, 0, 0], radius: 0.03, ke: 500, kd: 10 });
    // The sphere's lowest point lies below its centre, so the force has the same arm as before.
    const C = (MASS * G) / (2 * 500);
    expect(await restOf(scene)).toBeCloseTo(Math.asin((0.03 - C - 0.1) / LENGTH), 10);

    scene.attach(flap, contactOf(Flap), { ke: 500 });
    expect(() => buildModel(scene)).toThrowCode({
      code: 'contact/no-vertices',
      element: 'the flap',
      values: ['contactOf(flaps)'],
    });
  });

  it('refuse a ContactMesh for which no mesh is given', () => {
    const scene = createScene([flaps(), particles(), contact()]);
    const flap = scene.add(Flap, { hinge: [0, 0.1, 0], length: LENGTH, mass: MASS });
    scene.add(ContactMesh, { body: flap, ke: 1 }, 'its skin');
    expect(() => buildModel(scene)).toThrowCode({ code: 'contact/no-mesh', field: 'meshes.mesh', element: 'its skin' });
  });

  /** Builds a scene of a flap and a rigid crate above the ground, each with a contact box on which a particle falls. */
  function caught(): Model {
    const scene = createScene([flaps(), rigid(), particles(), contact()]);
    scene.add(HalfSpace, {});
    const flap = scene.add(Flap, { hinge: [0, 0.1, 0], length: LENGTH, mass: MASS, angle: 0.05, rate: -1 });
    scene.attach(flap, contactOf(Flap), MATERIAL);
    scene.add(ContactBox, { body: flap, size: [LENGTH, 0.02, 0.1], ...MATERIAL });
    const crate = scene.add(Body, { mesh: box({ size: [0.2, 0.2, 0.2] }), mass: 0.5, position: [1, 0.1, 0] });
    scene.attach(crate, contactOf(Body), MATERIAL);
    scene.add(ContactBox, { body: crate, size: [0.2, 0.2, 0.2], ...MATERIAL });
    for (const [x, y] of [
      [0.4, 0.15],
      [1.01, 0.25],
    ]) {
      const drop = scene.add(Particle, { position: [x, y, 0.01], velocity: [0.2, -2, 0], mass: 0.05 });
      scene.attach(drop, contactOf(Particle), { ...MATERIAL, thickness: 0.01 });
    }
    return buildModel(scene);
  }

  it('carry contact shapes beside rigid bodies, with gradients that agree with central differences', async () => {
    const model = caught();
    const simulation = await createSimulation(model, {
      device: f64Device(),
      frames: 2,
      frameRate: 10,
      substeps: 400,
    });
    simulation.forward();
    const v = await simulation.read(Particle.velocity);
    // Both have bounced: in free fall they would be at -2 - 0.1 g.
    for (const k of [1, 4]) expect(v[k]).toBeGreaterThan(-1);
    const rollout = {
      frames: 2,
      frameRate: 10,
      substeps: 200,
      seed: 6,
      parameters: [
        Flap.mass,
        Flap.rate,
        Flap.hinge,
        contactOf(Flap).ke,
        contactOf(Body).ke,
        ContactBox.ke,
        Particle.mass,
      ],
      outputs: [Flap.angle, Flap.rate, Body.position, Particle.position, Particle.velocity],
    };
    const { parameters } = await checkGradients(model, rollout);
    for (const [key, { adjoint }] of Object.entries(parameters)) expect(Math.abs(adjoint), key).toBeGreaterThan(1e-7);
    const cpu = await cpuDevice();
    await checkDevices(model, { ...rollout, devices: [cpu] });
    cpu.dispose();
  });
});
