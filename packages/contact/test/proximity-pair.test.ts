import { createSimulation, f32, f64Device, kernel, Model, vec3, vec4 } from '@gradsim/core';
import { checkKernel } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { nearestWeights } from '../src/proximity/closest.ts';
import { pairForces } from '../src/proximity/pair.ts';
import { nearestWeights as expectedWeights } from './brute-force.ts';

const SEED = seedOfRun('pairs of particle and triangle');

const corners = { x1: vec3, x2: vec3, x3: vec3 } as const;
const weigh = kernel(
  'weigh',
  { domain: 'pairs', reads: { p: vec3, ...corners }, writes: { w: vec3 } },
  ({ p, x1, x2, x3 }) => ({ w: nearestWeights(p, [x1, x2, x3]) }),
);
const press = kernel(
  'press',
  {
    domain: 'pairs',
    reads: {
      x0: vec3,
      ...corners,
      v0: vec3,
      v1: vec3,
      v2: vec3,
      v3: vec3,
      m0: vec4,
      m1: vec4,
      m2: vec4,
      m3: vec4,
      d0: f32,
      d1: f32,
      d2: f32,
      d3: f32,
    },
    writes: { f0: vec3, f1: vec3, f2: vec3, f3: vec3 },
  },
  (pair, { dt, epsilon }) => pairForces({ ...pair, time: dt, tolerance: epsilon }, false),
);

describe('the nearest point of a triangle', () => {
  it('has the barycentric weights of a reference that tries plane and edges, in all seven regions', async () => {
    const count = 2000;
    const random = randomNumbers(SEED);
    const model = new Model();
    model.addDomain('pairs', count);
    const points = ['p', 'x1', 'x2', 'x3'].map((name) => {
      const values = Float64Array.from({ length: 3 * count }, () => 2 * random() - 1);
      model.addField('pairs', name, vec3, { values });
      return (k: number): number[] => [...values.subarray(3 * k, 3 * k + 3)];
    });
    model.addField('pairs', 'w', vec3, { fill: 0 });
    model.addPass('integrate', weigh);
    const run = { device: f64Device(), frames: 2, frameRate: 1, substeps: 1 };
    const simulation = await createSimulation(model, run);
    simulation.forward();
    const weights = await simulation.read('pairs.w');
    const kinds = new Set<number>();
    for (let k = 0; k < count; k++) {
      const [p, a, b, c] = points.map((at) => at(k));
      const right = expectedWeights(p, [a, b, c]);
      right.forEach((w, j) => expect(weights[3 * k + j]).toBeCloseTo(w, 10));
      kinds.add(right.reduce((bits, w, j) => bits + (w > 0 ? 1 << j : 0), 0));
    }
    // Three corners, three edges, and the inside.
    expect(kinds.size).toBe(7);
  });
});

describe('derivatives of the contact of a particle with a triangle', () => {
  // At 100 m/s many pairs are in the first substep of their contact.
  it.each([1, 100])('pass the gradient checks, up to %d m/s', async (speed) => {
    await checkKernel(press, {
      seed: SEED,
      trials: 4,
      sizes: { pairs: 40 },
      ranges: {
        v0: [-speed, speed],
        ...Object.fromEntries(['m0', 'm1', 'm2', 'm3'].map((name) => [name, [0.3, 2] as const])),
        ...Object.fromEntries(['d0', 'd1', 'd2', 'd3'].map((name) => [name, [0.1, 1] as const])),
      },
      // A particle on the triangle has no normal; at rest there is no slip; without friction the root of mu is 0.
      edges: { x0: [0], v0: [0], m0: [0], m1: [0], d0: [0], x2: [0], x3: [0] },
    });
  });

  it('are finite where the triangle has no area, or is a point, or the particle lies on it', () =>
    checkKernel(press, {
      seed: SEED,
      trials: 1,
      sizes: { pairs: 3 },
      values: {
        x0: [0, 0, 0.2, 0.5, 0.1, 0, 0.25, 0.25, 0],
        x1: [0, 0, 0, 0, 0, 0, 0, 0, 0],
        x2: [0, 0, 0, 1, 0, 0, 1, 0, 0],
        x3: [0, 0, 0, 2, 0, 0, 0, 1, 0],
        m0: [1],
        m1: [1],
        m2: [1],
        m3: [1],
        d0: [0.3],
        d1: [0.3],
        d2: [0.3],
        d3: [0.3],
      },
      constants: ['x0', 'x1', 'x2', 'x3'],
      edges: {},
    }));
});
