import { ContactSphere, contact, contactOf, HalfSpace, HalfSpaceMaterial } from '@gradsim/contact';
import type { Scene, Simulation } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients, checkKernel } from '@gradsim/core/testing';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { touchWithPoint } from '../src/half-space.ts';
import { spheres } from '../src/shapes/sphere.ts';
import { BODIES, POINTS } from './offers.ts';

async function run(scene: Scene, seconds: number, substeps: number, gravity = 0): Promise<Simulation> {
  scene.add(Gravity, { acceleration: [0, -gravity, 0] });
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / seconds,
    substeps,
  });
  simulation.forward();
  return simulation;
}

describe('particles on half-spaces, without rigid bodies', () => {
  it('rest at penetration C = m g / ke, measured from the thickness', async () => {
    const scene = createScene([particles(), contact()]);
    const drop = scene.add(Particle, { position: [0, 0.02, 0], mass: 0.5 });
    scene.attach(drop, contactOf(Particle), { ke: 1000, kd: 20, thickness: 0.01 });
    scene.add(HalfSpace, {});
    const x = await (await run(scene, 3, 6000, 9.81)).read('particles.position');
    expect(x[1]).toBeCloseTo(0.01 - (0.5 * 9.81) / 1000, 9);
  });

  it('that slide at speed v stop after v^2 / (2 mu g), in three directions', async () => {
    // Steps of -mu g dt: v^2 / (2 mu g) - v dt / 2, and slightly more where friction is linear, m u / kf: 1e-4 m.
    const [v0, mu, n] = [1, 0.5, 4000];
    for (const angle of [0, Math.PI / 4, 2.5]) {
      const scene = createScene([particles(), contact()]);
      const drop = scene.add(Particle, {
        position: [0, -9.81 / 1e4, 0],
        velocity: [v0 * Math.cos(angle), 0, v0 * Math.sin(angle)],
        mass: 1,
      });
      scene.attach(drop, contactOf(Particle), { ke: 1e4, kd: 50, kf: 500, mu });
      scene.add(HalfSpace, {});
      const x = await (await run(scene, 1, n, 9.81)).read('particles.position');
      expect(Math.abs(Math.hypot(x[0], x[2]) - (v0 * v0) / (2 * mu * 9.81))).toBeLessThan(v0 / n);
    }
  });

  it('use the mean ke of both materials; particles without contact fall through', async () => {
    const scene = createScene([particles(), contact()]);
    const [drop] = [
      scene.add(Particle, { position: [0, 0, 0], mass: 0.5 }),
      scene.add(Particle, { position: [0, 0, 0], mass: 0.5 }),
    ];
    scene.attach(drop, contactOf(Particle), { ke: 1500, kd: 30 });
    scene.attach(scene.add(HalfSpace, {}), HalfSpaceMaterial, { ke: 500, kd: 10 });
    const x = await (await run(scene, 3, 6000, 9.81)).read('particles.position');
    expect(x[1]).toBeCloseTo((-0.5 * 9.81) / 1000, 9);
    expect(x[4]).toBeLessThan(-40);
  });

  it('need a plugin: the contact plugin alone, with nothing that touches, is refused', () => {
    expect(() => buildModel(createScene([contact()]))).toThrowCode({
      code: 'contact/nothing-offered',
      values: ['gradsim/contact'],
    });
  });
});

/** Creates a scene of particles thrown at a free ball whose contact sphere is off-centre. */
function collision(): Scene {
  const scene = createScene([rigid(), particles(), contact()]);
  const ball = scene.add(Body, {
    mass: 0.5,
    inertia: [0.002, 0, 0, 0, 0.003, 0, 0, 0, 0.004],
    position: [0, 1, 0],
    velocity: [0.2, 0, -0.1],
    angularVelocity: [1, 2, -1],
  });
  scene.add(ContactSphere, {
    body: ball,
    position: [0.01, 0, 0],
    radius: 0.1,
    ke: 800,
    kd: 0.5,
    kf: 2,
    mu: 0.6,
  });
  for (const [position, velocity] of [
    [
      [0.3, 1.03, 0.02],
      [-2, 0, 0],
    ],
    [
      [-0.1, 1.3, 0.05],
      [1, -2.5, 0],
    ],
  ]) {
    const entity = scene.add(Particle, { position, velocity, mass: 0.2 });
    scene.attach(entity, contactOf(Particle), { ke: 1200, kd: 1, kf: 3, mu: 0.4, thickness: 0.01 });
  }
  return scene;
}

describe('particles against spheres of free bodies', () => {
  it('conserve momentum, and angular momentum to first order in the step', async () => {
    const errors: number[] = [];
    for (const substeps of [1000, 2000]) {
      const simulation = await run(collision(), 0.3, substeps);
      const read = (key: string): Promise<ArrayLike<number>> => simulation.read(key);
      const [x, v] = [await read('particles.position'), await read('particles.velocity')];
      const [c, u] = [await read('bodies.position'), await read('bodies.velocity')];
      const [q, w] = [await read('bodies.orientation'), await read('bodies.angularVelocity')];
      // Both particles have been hit.
      expect(Math.hypot(v[0] + 2, v[1], v[2])).toBeGreaterThan(0.5);
      const momentum = [0, 1, 2].map((k) => 0.2 * (v[k] + v[3 + k]) + 0.5 * u[k]);
      [0.2 * (-2 + 1) + 0.5 * 0.2, 0.2 * -2.5, 0.5 * -0.1].forEach((p, k) => expect(momentum[k]).toBeCloseTo(p, 13));
      const cross = (a: ArrayLike<number>, b: ArrayLike<number>, i = 0): number[] => [
        a[i + 1] * b[i + 2] - a[i + 2] * b[i + 1],
        a[i + 2] * b[i] - a[i] * b[i + 2],
        a[i] * b[i + 1] - a[i + 1] * b[i],
      ];
      const turn = (sign: number, p: number[]): number[] => {
        const r = [q[0] * sign, q[1] * sign, q[2] * sign];
        const t = cross(r, p).map((a) => 2 * a);
        return p.map((a, k) => a + q[3] * t[k] + cross(r, t)[k]);
      };
      const spin = turn(
        1,
        turn(-1, [w[0], w[1], w[2]]).map((a, k) => a * [0.002, 0.003, 0.004][k]),
      );
      const after = [0, 1, 2].map((k) => 0.2 * (cross(x, v)[k] + cross(x, v, 3)[k]) + 0.5 * cross(c, u)[k] + spin[k]);
      const start = [0, 1, 2].map(
        (k) =>
          0.2 * (cross([0.3, 1.03, 0.02], [-2, 0, 0])[k] + cross([-0.1, 1.3, 0.05], [1, -2.5, 0])[k]) +
          0.5 * cross([0, 1, 0], [0.2, 0, -0.1])[k] +
          [0.002, 0.006, -0.004][k],
      );
      errors.push(Math.hypot(...after.map((a, k) => a - start[k])));
    }
    expect(errors[1]).toBeLessThan(1e-5);
    expect(errors[1] / errors[0]).toBeLessThan(0.6);
  });

  it('have gradients through a run that agree with central differences', () =>
    checkGradients(buildModel(collision()), {
      frames: 2,
      frameRate: 4,
      substeps: 250,
      parameters: [
        'particles.ke',
        'particles.kd',
        'particles.kf',
        'particles.mu',
        'particles.thickness',
        'particles.position',
        'spheres.ke',
        'spheres.kd',
        'spheres.kf',
        'spheres.mu',
        'spheres.radius',
        'spheres.position',
        'bodies.mass',
        'bodies.velocity',
        'bodies.angularVelocity',
      ],
      outputs: ['particles.position', 'particles.velocity', 'bodies.position', 'bodies.angularVelocity'],
      seed: 3,
      differenceTolerance: 1e-5,
    }));
});

describe('derivatives of kernels', () => {
  const material: Record<string, readonly [number, number]> = {
    ke: [10, 20],
    kd: [0.1, 1],
    kf: [0.5, 5],
    mu: [0.2, 0.9],
    surfaceKe: [10, 20],
    surfaceKd: [0.1, 1],
    surfaceKf: [0.5, 5],
    surfaceMu: [0.2, 0.9],
  };
  const { ke, kd, kf, mu } = material;
  const own = { ke, kd, kf, mu };
  // At 100 m/s many particles are in the first substep of their contact.
  it.each([1, 100])('particle on half-space, up to %d m/s', async (speed) => {
    await checkKernel(touchWithPoint(POINTS, 'around'), {
      ranges: { ...own, thickness: [0, 0.5], velocity: [-speed, speed] },
      seed: 11,
    });
  });
  it('particle on sphere', () =>
    checkKernel(spheres.onBody(POINTS, 'around')(BODIES), {
      ranges: {
        ke: [10, 20],
        kd: [0.1, 1],
        kf: [0.5, 5],
        mu: [0.2, 0.9],
        surfaceKe: [10, 20],
        surfaceKd: [0.1, 1],
        surfaceKf: [0.5, 5],
        surfaceMu: [0.2, 0.9],
        radius: [1, 3],
        thickness: [0, 0.5],
      },
      seed: 11,
    }));
});
