import { ContactSphere, contact, HalfSpace } from '@gradsim/contact';
import type { Simulation, ValuesOf } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkKernel } from '@gradsim/core/testing';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';
import { touchWithSphere } from '../src/half-space.ts';
import { BODIES } from './offers.ts';

const SEED = seedOfRun('contact spheres');

const G = 9.81;
/** Radius of the spheres, m. */
const RADIUS = 0.1;
/** Moment of inertia of a solid sphere of 1 kg, kg m^2. */
const MOMENT = 0.4 * RADIUS ** 2;

interface Run {
  readonly seconds: number;
  readonly substeps: number;
  readonly gravity?: number;
  readonly tangent?: boolean;
}

/** Simulates a body of 1 kg with a contact sphere above the ground. */
async function ball(
  sphere: ValuesOf<typeof ContactSphere>,
  body: ValuesOf<typeof Body>,
  { seconds, substeps, gravity = G, tangent = false }: Run,
): Promise<Simulation> {
  const scene = createScene([rigid(), contact()]);
  const entity = scene.add(Body, { mass: 1, inertia: [MOMENT, 0, 0, 0, MOMENT, 0, 0, 0, MOMENT], ...body });
  scene.add(ContactSphere, { body: entity, radius: RADIUS, ...sphere });
  scene.add(HalfSpace, {}, 'the ground');
  scene.add(Gravity, { acceleration: [0, -gravity, 0] });
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / seconds,
    substeps,
    ...(tangent
      ? {
          derivative: 'tangent',
          parameters: ['bodies.position'],
          outputs: ['bodies.position', 'bodies.velocity'],
        }
      : {}),
  });
  if (tangent) simulation.setTangent('bodies.position', [0, 1, 0]);
  simulation.forward();
  return simulation;
}

describe('a contact sphere', () => {
  it('rests with its centre a radius minus m g / ke above the ground', async () => {
    const end = await ball({ ke: 2000, kd: 40 }, { position: [0, 0.12, 0] }, { seconds: 4, substeps: 8000 });
    expect((await end.read('bodies.position'))[1]).toBeCloseTo(RADIUS - G / 2000, 9);
  });

  it('touches where a body turned by 90 degrees places it', async () => {
    const turned = { position: [0, 0.3, 0], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] };
    // The centre, 0.2 along the body's x, is turned up to y 0.5 or, along -x, down to 0.1, where it just touches.
    const up = await ball({ ke: 1e4, position: [0.2, 0, 0] }, turned, {
      seconds: 0.1,
      substeps: 10,
      gravity: 0,
    });
    expect((await up.read('bodies.velocity'))[1]).toBe(0);
    const down = await ball({ ke: 1e4, position: [-0.21, 0, 0] }, turned, {
      seconds: 0.1,
      substeps: 10,
      gravity: 0,
    });
    expect((await down.read('bodies.velocity'))[1]).toBeGreaterThan(0);
  });

  it('bounces with restitution exp(-z / sqrt(1 - z^2) (pi - 2 asin z)), z = kd / (2 sqrt(ke m))', async () => {
    for (const [ke, kd] of [
      [1e4, 0],
      [1e4, 40],
      [4e3, 30],
    ]) {
      const z = kd / (2 * Math.sqrt(ke));
      const expected = Math.exp((-z / Math.sqrt(1 - z * z)) * (Math.PI - 2 * Math.asin(z)));
      const fall = { position: [0, 0.2, 0], velocity: [0, -2, 0] };
      const end = await ball({ ke, kd }, fall, { seconds: 0.2, substeps: 4000, gravity: 0 });
      // First order in the step: w dt is at most 0.005.
      expect((await end.read('bodies.velocity'))[1] / 2, `ke ${ke}, kd ${kd}`).toBeCloseTo(expected, 2);
    }
  });

  it('goes from sliding to rolling with 5/7 of its initial speed', async () => {
    // m v' = -F, 2/5 m r^2 w' = F r until v = w r: v = 5/7 v0.
    const slide = { position: [0, RADIUS - G / 1e4, 0], velocity: [1, 0, 0] };
    const end = await ball({ ke: 1e4, kd: 50, kf: 500, mu: 0.3 }, slide, { seconds: 1, substeps: 4000 });
    expect((await end.read('bodies.velocity'))[0]).toBeCloseTo(5 / 7, 4);
    expect((await end.read('bodies.angularVelocity'))[2]).toBeCloseTo(-5 / 7 / RADIUS, 3);
  });

  it('after a damped bounce has a speed whose derivative by the initial height is 0 within 0.8 / s', async () => {
    // Without gravity, starting higher by h only delays the bounce by h / v: after it, -e h for the height and nothing
    // for the speed. Were damping not shared out over the first substep, the speed's derivative would be off by kd e.
    const [ke, kd] = [1e4, 40];
    const slopes: number[] = [];
    const speeds: number[] = [];
    for (let k = 0; k < 8; k++) {
      const fall = { position: [0, 0.2 + k * 3.1e-6, 0], velocity: [0, -2, 0] };
      const end = await ball({ ke, kd }, fall, { seconds: 0.2, substeps: 16000, gravity: 0, tangent: true });
      slopes.push((await end.readTangent('bodies.velocity'))[1]);
      speeds.push((await end.read('bodies.velocity'))[1]);
    }
    for (const slope of slopes) expect(Math.abs(slope)).toBeLessThan(0.02 * kd);
    expect(Math.max(...speeds) - Math.min(...speeds)).toBeLessThan(2e-5);
  });

  // At 100 m/s many spheres are in the first substep of their touch.
  it.each([1, 100])('has a kernel whose derivatives pass the gradient checks, up to %d m/s', async (speed) => {
    const materials = { ke: [50, 100], kd: [0.1, 1], kf: [1, 5], mu: [0.2, 1] } as const;
    await checkKernel(touchWithSphere(BODIES, 'around'), {
      seed: SEED,
      sizes: { spheresOnBodiesOnHalfSpaces: 24, spheres: 4, bodies: 3, halfSpaces: 2 },
      ranges: {
        ...materials,
        radius: [0.1, 0.3],
        bodyVelocity: [-speed, speed],
      },
      edges: { bodyVelocity: [0], angularVelocity: [0] },
    });
  });
});
