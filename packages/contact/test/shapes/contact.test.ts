import { ContactMesh, contact, contactOf, HalfSpace, HalfSpaceMaterial } from '@gradsim/contact';
import type { Scene, Simulation } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box, placeMesh, tetBox } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { addSoftBody, fem } from '../../../fem/src/index.ts';
import { SHAPES } from './shapes.ts';

const G = 9.81;

async function run(scene: Scene, seconds: number, substeps: number, gravity = G): Promise<Simulation> {
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

const material = { ke: 1500, kd: 30, kf: 20, mu: 0.9 };

/**
 * Returns the tolerance of distances, m. A spline through samples has waves beside a kink that decay by the factor 3 -
 * sqrt(8) per cell. The mesh is 12 cells wide, and the particles are 6 cells from its edges and its middle, so the
 * error is below a cell times the fifth power of that factor. Of the motion, exp(-90) is left after 3 s.
 */
const exactness = (kind: string): number => (kind === 'meshes' ? (0.2 / 12) * (3 - Math.sqrt(8)) ** 5 : 1e-9);

describe.each(Object.keys(SHAPES))('particles on %s', (kind) => {
  const drop = (scene: Scene, x = 0): void => {
    const particle = scene.add(Particle, { position: [x, 0.62, 0], mass: 0.5 });
    scene.attach(particle, contactOf(Particle), { ke: 500, kd: 10, kf: 10, mu: 0.4, thickness: 0.01 });
  };
  // 0.5 above the world's origin; its top is 0.6.
  const height = 0.5;

  it('rest at penetration C = m g / ke, ke the mean of both, measured from the thickness', async () => {
    const scene = createScene([particles(), contact()]);
    drop(scene);
    SHAPES[kind](scene, { position: [0, height, 0] }, material);
    const x = await (await run(scene, 3, 6000)).read('particles.position');
    expect(Math.abs(x[1] - (0.6 + 0.01 - (0.5 * G) / 1000))).toBeLessThan(exactness(kind));
  });

  it('rest in the same way on a shape of a fixed body that is upside down', async () => {
    const scene = createScene([rigid(), particles(), contact()]);
    drop(scene);
    // The body is rotated upside down about z and displaced; the shape in it is rotated back.
    const body = scene.add(Body, {
      mass: 1,
      fixed: 1,
      inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1],
      position: [0.3, 0.6, 0],
      orientation: [0, 0, 1, 0],
    });
    SHAPES[kind](scene, { body, position: [0.3, 0.1, 0], orientation: [0, 0, -1, 0] }, material);
    const end = await run(scene, 3, 6000);
    const y = (await end.read('particles.position'))[1];
    expect(Math.abs(y - (0.6 + 0.01 - (0.5 * G) / 1000))).toBeLessThan(exactness(kind));
    expect([...(await end.read('bodies.position'))]).toEqual([0.3, 0.6, 0]);
  });

  it('and a moving body exert opposite forces, from their relative velocity at the contact point', async () => {
    // A half turn about z: the shape's top, 0.1 from its centre, is below.
    const [v, w] = [
      [0.3, -0.2, 0.1],
      [1, 2, -3],
    ];
    const scene = createScene([rigid(), particles(), contact()]);
    const body = scene.add(Body, {
      mass: MASS,
      inertia: [MOMENT, 0, 0, 0, MOMENT, 0, 0, 0, MOMENT],
      position: [1, 2, 3],
      orientation: [0, 0, 1, 0],
      velocity: v,
      angularVelocity: w,
    });
    SHAPES[kind](scene, { body, position: [0.3, 0.1, 0.2] }, { ke: 1000, kd: 4, kf: 2, mu: 9 });
    const particle = scene.add(Particle, {
      position: [0.7, 1.795, 3.2],
      velocity: [0.5, 0.4, -0.3],
      mass: 2,
    });
    scene.attach(particle, contactOf(Particle), { ke: 3000, kd: 6, kf: 4, mu: 4, thickness: 0.01 });
    const dt = 0.001;
    const end = await run(scene, dt, 1, 0);
    // Its normal is (0, -1, 0), and 0.005 from it the gap is 0.005.
    const arm = [-0.3, -0.205, 0.2];
    const u = cross(w, arm).map((c, k) => [0.5, 0.4, -0.3][k] - v[k] - c);
    const normal = 2000 * 0.005 + 5 * u[1];
    const force = [-3 * u[0], -normal, -3 * u[2]];
    const found = await end.read('particles.velocity');
    const pushed = await end.read('bodies.velocity');
    const turned = await end.read('bodies.angularVelocity');
    const torque = cross(arm, force);
    // A mesh's gap has the error of its spline, which 2000 N/m turn into a force.
    const off = kind === 'meshes' ? 2000 * exactness(kind) : 1e-11;
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(((found[k] - [0.5, 0.4, -0.3][k]) / dt) * 2 - force[k])).toBeLessThan(off);
      expect(Math.abs(((pushed[k] - v[k]) / dt) * MASS + force[k])).toBeLessThan(off);
      expect(Math.abs(((turned[k] - w[k]) / dt) * MOMENT + torque[k])).toBeLessThan(off);
    }
  });

  it('and a free body conserve momentum and angular momentum to rounding', async () => {
    const scene = createScene([rigid(), particles(), fem(), contact()]);
    const body = scene.add(Body, {
      mass: MASS,
      inertia: [MOMENT, 0, 0, 0, MOMENT, 0, 0, 0, MOMENT],
      position: [0.01, 0, 0.02],
      orientation: [0.2, -0.1, 0.3, 0.9],
      velocity: [0.1, 1, -0.1],
      angularVelocity: [1, 2, -1],
    });
    SHAPES[kind](scene, { body, position: [0.01, -0.01, 0.02] }, { ke: 800, kd: 0.5, kf: 2, mu: 0.6 });
    const mesh = placeMesh(tetBox({ size: [0.1, 0.1, 0.1] }), { translation: [0.02, 0.19, 0.01] });
    const soft = addSoftBody(scene, mesh, {
      mu: 5e3,
      lambda: 5e3,
      damping: 1,
      mass: PARTICLE,
      velocity: [0.2, -2, 0.1],
    });
    for (const particle of soft.particles)
      scene.attach(particle, contactOf(Particle), { ke: 1200, kd: 1, kf: 3, mu: 0.4, thickness: 0.01 });
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const model = buildModel(scene);
    const [start, end] = await Promise.all(
      [1, 2].map(async (frames) => {
        const simulation = await createSimulation(model, {
          device: f64Device(),
          frames,
          frameRate: 10,
          substeps: 500,
        });
        simulation.forward();
        return { totals: await totals(simulation), velocity: await simulation.read('bodies.velocity') };
      }),
    );
    // They did collide.
    expect(end.velocity[1]).toBeLessThan(0.5);
    // 500 substeps with some 30 roundings, each of half a unit in the last place of numbers up to 1: 1e-12 at most.
    end.totals.forEach((total, k) => expect(Math.abs(total - start.totals[k])).toBeLessThan(1e-12));
  });
});

it.each(['boxes', 'meshes'])(
  'particles slide on %s as on a half-space of the same height and material',
  async (kind) => {
    const ends: number[] = [];
    for (const isPlane of [false, true]) {
      const scene = createScene([particles(), contact()]);
      const particle = scene.add(Particle, { position: [0, 0.6, 0], velocity: [0.05, 0, 0.03], mass: 0.5 });
      scene.attach(particle, contactOf(Particle), { ke: 500, kd: 10, kf: 10, mu: 0.4, thickness: 0.01 });
      if (isPlane) {
        const plane = scene.add(HalfSpace, { offset: 0.6 });
        const { ke, kd, kf, mu } = material;
        scene.attach(plane, HalfSpaceMaterial, {
          ke,
          kd,
          kf,
          mu,
        });
      } else SHAPES[kind](scene, { position: [0, 0.5, 0] }, material);
      ends.push(...(await (await run(scene, 0.05, 500)).read('particles.position')));
    }
    expect(Math.hypot(ends[3], ends[5])).toBeGreaterThan(1e-3);
    const off = Math.hypot(ends[0] - ends[3], ends[1] - ends[4], ends[2] - ends[5]);
    // The waves on a mesh also tilt its normal, by as many radians as they are high in cells; over 0.05 s that moves
    // the particle by less than their height.
    expect(off).toBeLessThan(kind === 'meshes' ? 2 * exactness(kind) : 1e-12);
  },
);

it('a mesh shape of a body uses the body’s own mesh, about its centre of mass, unless one is given', async () => {
  const heights: number[] = [];
  for (const isGiven of [false, true]) {
    const scene = createScene([rigid(), particles(), contact()]);
    const particle = scene.add(Particle, { position: [0.02, 0.65, 0.01], mass: 0.5 });
    scene.attach(particle, contactOf(Particle), { ke: 500, kd: 10 });
    // Another body comes first; the mesh lies away from its own origin, the centre of mass in the middle of the box.
    scene.add(Body, { mesh: box(), mass: 1, fixed: 1, position: [5, 0, 0] });
    const mesh = placeMesh(box({ size: [0.2, 0.2, 0.2] }), { translation: [3, 4, 5] });
    const body = scene.add(Body, { mesh, mass: 1, fixed: 1, position: [0, 0.5, 0] });
    const own = isGiven ? { mesh: box({ size: [0.2, 0.2, 0.2] }) } : {};
    scene.add(ContactMesh, { body, resolution: 12, ...material, ...own });
    heights.push((await (await run(scene, 3, 6000)).read('particles.position'))[1]);
  }
  expect(Math.abs(heights[0] - (0.6 - (0.5 * G) / 1000))).toBeLessThan(0.2 / 12 / 4);
  // The vertices of both differ by the rounding of 5 m.
  expect(heights[0]).toBeCloseTo(heights[1], 12);
});

const cross = (a: readonly number[], b: readonly number[]): number[] =>
  [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);

/**
 * Masses of a particle and of the body, kg, and the body's moment of inertia I, kg m^2. It is isotropic, so that its
 * angular momentum is I w in any orientation, which the integrator conserves exactly.
 */
const [PARTICLE, MASS, MOMENT] = [0.03, 0.5, 0.003];

/**
 * Returns six numbers: momentum, and angular momentum about the world's origin, of all particles and one body together.
 */
async function totals(simulation: Simulation): Promise<number[]> {
  const [x, v] = [await simulation.read('particles.position'), await simulation.read('particles.velocity')];
  const [c, u] = [await simulation.read('bodies.position'), await simulation.read('bodies.velocity')];
  const w = await simulation.read('bodies.angularVelocity');
  const sums = [0, 0, 0, ...Array.from(w, (rate) => MOMENT * rate)];
  const count = (mass: number, at: ArrayLike<number>, of: ArrayLike<number>, first: number): void => {
    for (let k = 0; k < 3; k++) {
      const [i, j] = [first + ((k + 1) % 3), first + ((k + 2) % 3)];
      sums[k] += mass * of[first + k];
      sums[3 + k] += mass * (at[i] * of[j] - at[j] * of[i]);
    }
  };
  for (let first = 0; first < x.length; first += 3) count(PARTICLE, x, v, first);
  count(MASS, c, u, 0);
  return sums;
}
