import { contact, contactOf, HalfSpace, HalfSpaceMaterial } from '@gradsim/contact';
import { buildModel, cpuDevice, createScene } from '@gradsim/core';
import { checkDevices, checkGradients, checkKernel } from '@gradsim/core/testing';
import { box } from '@gradsim/mesh';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';
import { materialOfVertex, touchWithVertex, unitNormal } from '../src/half-space.ts';
import { BODIES } from './offers.ts';

const SEED = seedOfRun('contact derivatives');

/**
 * Range of velocities, m/s, at which a point moves by about 1 m in the substep of kernel checks, and so into contact.
 */
const SO_FAST = [-100, 100] as const;

describe('gradient checks of kernels', () => {
  const materials = { ke: [50, 100], kd: [0.1, 1], kf: [1, 5], mu: [0.2, 1] } as const;
  const ranges = { ...materials, thickness: [0, 0.1] } as const;
  it('unit normals of half-spaces', () => checkKernel(unitNormal, { seed: SEED, edges: { normal: [0] } }));
  const sizes = { bodiesOnBodyVerticesOnHalfSpaces: 24, bodies: 3, bodyVertices: 8, halfSpaces: 2 };
  it('contact: touching and apart, sticking, sliding and at rest', () =>
    checkKernel(touchWithVertex(BODIES, 'around'), {
      seed: SEED,
      sizes,
      ranges,
      // At velocity 0 all contacts stick with no slip.
      edges: { bodyVelocity: [0], angularVelocity: [0], mu: [0], kf: [0] },
    }));
  it('contact: many points in their first substep', () =>
    checkKernel(touchWithVertex(BODIES, 'around'), {
      seed: SEED,
      sizes,
      ranges: { ...ranges, bodyVelocity: SO_FAST },
    }));
});

describe('gradient checks of pair materials', () => {
  const own = { ke: [50, 100], kd: [0.1, 1], kf: [1, 5], mu: [0.2, 1] } as const;
  const surface = { surfaceKe: own.ke, surfaceKd: own.kd, surfaceKf: own.kf, surfaceMu: own.mu };
  const others = { mass: [0.1, 2], hasMaterial: [0, 1] } as const;
  const sizes = { bodiesOnBodyVerticesOnHalfSpaces: 24, bodies: 3, bodyVertices: 8, halfSpaces: 2 };
  const kernelOf = () => materialOfVertex({ ...BODIES, mass: Body.totalMass });
  // Flags of whether a bounce, a friction stiffness or a surface's material is given are constants.
  it('given by ke, kd, kf and mu', () =>
    checkKernel(kernelOf(), {
      seed: SEED,
      sizes,
      constants: ['hasMaterial', 'restitution', 'duration'],
      ranges: { ...own, ...surface, ...others },
      values: { restitution: [0], duration: [0] },
    }));
  it('given by restitution and duration, with the resulting friction stiffness', () =>
    checkKernel(kernelOf(), {
      seed: SEED,
      sizes,
      constants: ['hasMaterial', 'kf', 'surfaceKf'],
      ranges: { ...own, ...surface, ...others, restitution: [0.01, 1], duration: [0.002, 0.01] },
      values: { kf: [0], surfaceKf: [0] },
    }));
});

describe('a box that bounces and slides on a tilted half-space', () => {
  const scene = () => {
    const s = createScene([rigid(), contact()]);
    const body = s.add(Body, {
      mesh: box({ size: [0.2, 0.15, 0.25] }),
      density: 150,
      position: [0, 0.25, 0],
      velocity: [1, -1, 0.3],
      angularVelocity: [2, 1, -3],
      orientation: [0.1, 0, 0.2, 1],
    });
    s.attach(body, contactOf(Body), { ke: 400, kd: 1, kf: 5, mu: 0.4 });
    const ground = s.add(HalfSpace, { normal: [0.1, 1, 0] });
    s.attach(ground, HalfSpaceMaterial, { ke: 500, kd: 2, kf: 6, mu: 0.5 });
    return s;
  };
  const rollout = {
    frames: 11,
    frameRate: 20,
    substeps: 40,
    parameters: [
      'bodies.ke',
      'bodies.kd',
      'bodies.kf',
      'bodies.mu',
      'bodies.thickness',
      'bodies.density',
      'bodies.position',
      'bodies.velocity',
      'bodies.angularVelocity',
      'halfSpaces.normal',
      'halfSpaces.offset',
      'halfSpaces.mu',
      'halfSpaces.ke',
      'world.gravity',
    ],
    outputs: ['bodies.position', 'bodies.orientation', 'bodies.velocity'],
    seed: 5,
  };
  it('has adjoints that agree with tangents and central differences', async () => {
    const { parameters } = await checkGradients(buildModel(scene()), rollout);
    // It does touch: the material matters.
    for (const name of ['ke', 'kd', 'kf', 'mu'])
      expect(Math.abs(parameters[`bodies.${name}`].adjoint)).toBeGreaterThan(1e-6);
  });
  it('agrees between single and double precision over the whole run', async () => {
    const cpu = await cpuDevice();
    await checkDevices(buildModel(scene()), { ...rollout, devices: [cpu] });
    cpu.dispose();
  });
});
