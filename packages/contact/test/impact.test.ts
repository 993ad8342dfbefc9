import { ContactSphere, contact, contactOf, HalfSpace, impactOf, impacts } from '@gradsim/contact';
import type { Plugin, ValuesOf } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device, selectDevice } from '@gradsim/core';
import { checkDevices, checkGradients, checkKernel } from '@gradsim/core/testing';
import { box } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';
import { missingAdapter } from '../../kernel/test/webgpu-adapter.ts';
import type { BodiesThatBounce } from '../src/impact/kernels.ts';
import { impact } from '../src/impact/spheres.ts';
import { BODIES } from './offers.ts';

const SEED = seedOfRun('impacts');

const BOUNCING: BodiesThatBounce = { ...BODIES, motion: BODIES.motion! };

describe('the kernel of impacts', () => {
  const sizes = { bodies: 24, halfSpaces: 2 };
  const carries = ['positionCarry', 'velocityCarry', 'orientationCarry', 'angularVelocityCarry'];
  const ranges = {
    radius: [0.2, 0.5],
    restitution: [0, 1],
    mu: [0.1, 0.6],
    surfaceMu: [0.1, 1],
    position: [-0.3, 0.3],
    velocity: [-3, 3],
    velocityBefore: [-3, 3],
    offset: [-0.2, 0.1],
  } as const;
  const constants = ['fixed', 'hasMaterial', ...carries];
  it.each([0, 1])(
    'has derivatives that pass the gradient checks; half-spaces with material: %d',
    async (hasMaterial) => {
      await checkKernel(impact(BOUNCING, 2), {
        seed: SEED,
        sizes,
        constants,
        ranges,
        values: {
          fixed: [0, 0, 1],
          hasMaterial: [hasMaterial],
          ...Object.fromEntries(carries.map((c) => [c, [0]])),
        },
        edges: { velocity: [0], angularVelocity: [0], restitution: [0] },
      });
    },
  );
});

describe('a ball that is thrown with spin on a tilted floor, against a wall', () => {
  const scene = () => {
    const s = createScene([rigid(), impacts()]);
    const ball = s.add(Body, {
      mass: 0.4,
      inertia: [4e-4, 0, 0, 0, 5e-4, 1e-4, 0, 1e-4, 6e-4],
      position: [0, 0.6, 0],
      velocity: [1.3, -0.4, 0.3],
      angularVelocity: [2, 9, -13],
      orientation: [0.1, 0, 0.2, 1],
      drag: 0.05,
    });
    s.attach(ball, impactOf(Body), { radius: 0.06, restitution: 0.8, mu: 0.12 });
    s.add(HalfSpace, { normal: [0.05, 1, 0.02] });
    s.add(HalfSpace, { normal: [-1, 0.1, 0], offset: -1 });
    return s;
  };
  const rollout = {
    frames: 16,
    frameRate: 10,
    substeps: 12,
    parameters: [
      ...['bodies.radius', 'bodies.restitution', 'bodies.mu', 'bodies.drag', 'bodies.inertia', 'bodies.mass'],
      ...['bodies.position', 'bodies.velocity', 'bodies.angularVelocity'],
      ...['halfSpaces.normal', 'halfSpaces.offset', 'world.gravity'],
    ],
    outputs: ['bodies.position', 'bodies.orientation', 'bodies.velocity', 'bodies.angularVelocity'],
    seed: 5,
  };
  it('has adjoints that agree with tangents and central differences', async () => {
    const { parameters } = await checkGradients(buildModel(scene()), rollout);
    for (const name of ['radius', 'restitution', 'mu', 'inertia'])
      expect(Math.abs(parameters[`bodies.${name}`].adjoint), name).toBeGreaterThan(1e-3);
  });
  it('agrees between single and double precision over the whole run', async () => {
    const cpu = cpuDevice();
    await checkDevices(buildModel(scene()), { ...rollout, devices: [cpu] });
    cpu.dispose();
  });
  it.skipIf(missingAdapter !== null)('agrees on WebGPU with double precision', async () => {
    const device = await selectDevice('webgpu');
    await checkDevices(buildModel(scene()), { ...rollout, devices: [device] });
    device.dispose();
  });
});

describe('instantaneous impacts refuse', () => {
  const MATERIAL = { radius: 0.1, restitution: 0.5 };
  /** Creates a scene with the given plugins and a ball with impacts. */
  const scene = (plugins: Plugin[], material: ValuesOf<ReturnType<typeof impactOf>> = MATERIAL) => {
    const s = createScene(plugins);
    const ball = s.add(Body, { mesh: box({ size: [0.1, 0.1, 0.1] }), mass: 1 }, 'the ball');
    s.attach(ball, impactOf(Body), material);
    return { s, ball };
  };

  it('an invalid radius, restitution or mu', () => {
    const given = (material: object) => () => scene([rigid(), impacts()], { ...MATERIAL, ...material });
    expect(given({ radius: -1 })).toThrowCode({ code: 'core/value-out-of-range', field: 'impactOf(bodies).radius' });
    expect(given({ restitution: 1.2 })).toThrowCode('core/value-out-of-range');
    expect(given({ restitution: -0.1 })).toThrowCode('core/value-out-of-range');
    expect(given({ mu: -0.1 })).toThrowCode({ code: 'core/value-out-of-range', field: 'impactOf(bodies).mu' });
  });

  it('a scene without half-spaces', () => {
    expect(() => buildModel(scene([rigid(), impacts()]).s)).toThrowCode({
      code: 'contact/nothing-to-meet',
      element: 'the ball',
      values: ['impactOf(bodies)'],
    });
  });

  it('a body that also touches half-spaces by forces', () => {
    const both = () => {
      const made = scene([rigid(), contact(), impacts()]);
      made.s.add(HalfSpace, {});
      return made;
    };
    const vertices = both();
    vertices.s.attach(vertices.ball, contactOf(Body), { ke: 100 });
    expect(() => buildModel(vertices.s)).toThrowCode({
      code: 'core/two-aspects',
      element: 'the ball',
      values: ['impactOf(bodies)', 'contactOf(bodies)', 'restitution'],
    });
    const sphere = both();
    sphere.s.add(ContactSphere, { body: sphere.ball, radius: 0.1, ke: 100 });
    expect(() => buildModel(sphere.s)).toThrowCode({
      code: 'contact/two-contacts',
      element: 'the ball',
      values: ['impactOf(bodies)'],
    });
  });

  it('bodies that the rigid plugin does not move (integrator: none), and particles', () => {
    const { s } = scene([rigid({ integrator: 'none' }), impacts()]);
    s.add(HalfSpace, {});
    expect(() => buildModel(s)).toThrowCode({
      code: 'contact/motion-not-offered',
      element: 'the ball',
      values: ['impactOf(bodies)'],
    });
    const points = createScene([particles(), impacts()]);
    const point = points.add(Particle, { position: [0, 0, 0], mass: 1 }, 'the point');
    points.attach(point, impactOf(Particle), MATERIAL);
    expect(() => buildModel(points)).toThrowCode({
      code: 'contact/nothing-offered',
      element: 'the point',
      values: ['gradsim/rigid', 'impactOf(particles)', 'bodies that can touch'],
    });
  });
});

describe('beside a die with compliant contact', () => {
  it('a ball with impacts moves as if alone, and so does the die', async () => {
    const ball = { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1], position: [0, 0.6, 0] };
    const die = { mesh: box({ size: [0.1, 0.1, 0.1] }), mass: 1, position: [1, 0.2, 0] };
    const run = async (who: 'ball' | 'die' | 'both') => {
      const s = createScene([rigid(), impacts(), contact()]);
      s.add(HalfSpace, {});
      if (who !== 'ball') s.attach(s.add(Body, die), contactOf(Body), { ke: 1e3, restitution: 0.3, mu: 0.3 });
      if (who !== 'die') s.attach(s.add(Body, ball), impactOf(Body), { radius: 0.1, restitution: 0.9, mu: 0.2 });
      const simulation = await createSimulation(buildModel(s), {
        device: f64Device(),
        frames: 2,
        frameRate: 2,
        substeps: 200,
        outputs: ['bodies.position'],
      });
      simulation.forward();
      return [...(await simulation.read('bodies.position'))];
    };
    expect(await run('both')).toEqual([...(await run('die')), ...(await run('ball'))]);
  });
});
