import { addCloth, cloth } from '@gradsim/cloth';
import { ContactSphere, contact, contactOf } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import type { StepOptions } from '@gradsim/implicit';
import { implicitSteps } from '@gradsim/implicit';
import { icosphere, plane } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';

/** Builds a light, stiff sheet in the xz plane, slightly wavy, held by two corners in the wind. */
function flag({ isImplicit = true, ...steps }: StepOptions & { isImplicit?: boolean } = {}): Scene {
  const scene = createScene([
    particles(),
    cloth({ wind: [4, 1.5, 0.7] }),
    ...(isImplicit ? [implicitSteps(steps)] : []),
  ]);
  const sheet = plane({ size: [0.4, 0.3], segments: [3, 2] });
  const positions = sheet.positions.map((x, k) =>
    k % 3 === 1 ? 0.02 * Math.sin(9 * sheet.positions[k - 1] + 5 * sheet.positions[k + 1]) : x,
  );
  addCloth(
    scene,
    { ...sheet, positions },
    {
      mu: 2e3,
      lambda: 3e3,
      damping: 0.05,
      density: 0.1,
      bendStiffness: 4e-3,
      bendDamping: 1e-5,
      drag: 0.9,
      lift: 0.6,
      fixed: [0, 8],
    },
  );
  return scene;
}

const FLOWN = {
  frames: 3,
  frameRate: 30,
  substeps: 8,
  parameters: [
    ...['particles.position', 'particles.velocity', 'triangles.mu', 'triangles.lambda', 'triangles.damping'],
    ...['triangles.density', 'triangles.drag', 'triangles.lift', 'hinges.stiffness', 'hinges.damping'],
    ...['world.wind', 'world.gravity'],
  ],
  outputs: ['particles.position', 'particles.velocity'],
};

describe('a flag in the wind under implicit steps', () => {
  // A derivative is as accurate as the linear solves: 1e-10 of it needs them to nearly all digits of doubles.
  it('has derivatives that agree with central differences', () =>
    checkGradients(buildModel(flag({ tolerance: 2e-14 })), { ...FLOWN, seed: 5 }));

  it('has derivatives that agree with central differences, with steps of order 2', () =>
    checkGradients(buildModel(flag({ tolerance: 2e-14, order: 2 })), { ...FLOWN, seed: 5 }));

  // The explicit reference is of order 1 too; its substep is so short that its error is below 1 / 8 of that of the
  // shortest implicit one of order 1; steps of order 2 are compared with a finer run of their own.
  it('converges to the solution of explicit steps, at order 1 or 2 as set', async () => {
    const ends = async (substeps: number, steps: Parameters<typeof flag>[0]): Promise<Float64Array> => {
      const simulation = await createSimulation(buildModel(flag(steps)), {
        device: f64Device(),
        frames: 4,
        frameRate: 30,
        substeps,
      });
      simulation.forward();
      return await simulation.read('particles.position');
    };
    const apart = (a: Float64Array, b: Float64Array): number => Math.hypot(...a.map((x, k) => x - b[k]));
    const explicit = await ends(16_384, { isImplicit: false });
    const fine = await ends(2048, { order: 2 });
    console.info(`explicit and implicit ones apart by ${apart(explicit, fine).toExponential(2)} m`);
    expect(apart(explicit, fine)).toBeLessThan(1e-5);
    for (const { order, exact, substeps } of [
      { order: 1, exact: explicit, substeps: [256, 512, 1024] },
      { order: 2, exact: fine, substeps: [128, 256, 512] },
    ] as const) {
      const errors: number[] = [];
      for (const count of substeps) errors.push(apart(await ends(count, { order }), exact));
      console.info(`order ${order}: off by ${errors.map((e) => e.toExponential(2)).join(', ')} m`);
      for (const k of [1, 2]) {
        const found = Math.log2(errors[k - 1] / errors[k]);
        expect(found).toBeGreaterThan(order - 0.25);
        expect(found).toBeLessThan(order + 0.25);
      }
    }
  });
  it('has in single precision the states of doubles to 1e-3 and the derivatives to 1e-2', () =>
    checkDevices(buildModel(flag()), {
      ...FLOWN,
      seed: 5,
      devices: [cpuDevice()],
      stateTolerance: 1e-3,
      gradientTolerance: 1e-2,
    }));
});

/** Radius of the ball, m. */
const BALL = 0.08;
/** Builds a scene of a sheet that falls on a ball, which itself moves up and sideways; no other forces act on them. */
function onBall({ tolerance }: { tolerance?: number } = {}): Scene {
  const scene = createScene([particles(), cloth(), rigid(), contact(), implicitSteps({ tolerance })]);
  const sheet = plane({ size: [0.3, 0.3], segments: [4, 4] });
  const fallen = addCloth(scene, sheet, {
    mu: 500,
    lambda: 700,
    damping: 0.05,
    density: 0.3,
    bendStiffness: 2e-3,
    velocity: [0.1, -0.8, 0],
  });
  for (const particle of fallen.particles)
    scene.attach(particle, contactOf(Particle), { ke: 2000, kd: 0.5, kf: 0.5, mu: 0.4, thickness: 0.005 });
  const ball = scene.add(Body, {
    mesh: icosphere({ radius: BALL, subdivisions: 1 }),
    mass: 0.05,
    position: [0.01, -BALL - 0.015, 0.004],
    velocity: [0.2, 0.3, -0.1],
  });
  scene.add(ContactSphere, { body: ball, radius: BALL, ke: 2000, kd: 0.5, kf: 0.5, mu: 0.4 });
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  return scene;
}

describe('a sheet that falls on a moving ball', () => {
  const fallen = { frames: 3, frameRate: 20, substeps: 6 };
  it('transfers to the ball the momentum that it loses', async () => {
    const simulation = await createSimulation(buildModel(onBall()), { device: f64Device(), ...fallen });
    const momentum = async (): Promise<number[]> => {
      const [inverse, v, ball] = await Promise.all(
        ['particles.inverseMass', 'particles.velocity', 'bodies.velocity'].map((name) => simulation.read(name)),
      );
      return [0, 1, 2].map((axis) => 0.05 * ball[axis] + inverse.reduce((sum, w, k) => sum + v[3 * k + axis] / w, 0));
    };
    simulation.forward();
    const after = await momentum();
    const ball = await simulation.read('bodies.velocity');
    // It is hit: its own velocity was 0.3 m/s upwards.
    expect(ball[1]).toBeLessThan(0.1);
    const sheet = 0.3 * 0.3 * 0.3;
    [0.05 * 0.2 + sheet * 0.1, 0.05 * 0.3 - sheet * 0.8, -0.05 * 0.1].forEach((p, axis) => {
      expect(Math.abs(after[axis] - p)).toBeLessThan(1e-11);
    });
  });

  it('has derivatives through its effect on the ball that agree with central differences', () =>
    checkGradients(buildModel(onBall({ tolerance: 2e-14 })), {
      ...fallen,
      seed: 7,
      parameters: ['particles.velocity', 'triangles.mu', 'hinges.stiffness', 'particles.mu', 'bodies.velocity'],
      outputs: ['particles.position', 'particles.velocity', 'bodies.velocity'],
    }));
});
