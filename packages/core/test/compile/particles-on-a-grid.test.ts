import type { Device, F32, U32, Vec2 } from '@gradsim/core';
import {
  cpuDevice,
  createSimulation,
  f32,
  f64Device,
  fieldOn,
  floor,
  forRange,
  kernel,
  Model,
  several,
  u32,
  vec2,
  when,
} from '@gradsim/core';
import { checkGradients, checkKernel } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { randomFields } from '../../../kernel/test/support/random.ts';

// Masses of particles go to the nodes of a grid, and come back where the particles are: both at cells that only the run
// knows, by bilinear weights.

const { numbers, wholes } = randomFields('particles on a grid');
const N = 64;

/** Returns the four nodes around a point, and their weights, which add up to 1. */
function corners(x: Vec2): { readonly node: U32; readonly weight: F32 }[] {
  const low = { x: floor(x.x), y: floor(x.y) };
  const part = { x: x.x.sub(low.x), y: x.y.sub(low.y) };
  const first = low.y.toU32().mul(N).add(low.x.toU32());
  const away = (p: F32, isFar: boolean): F32 => (isFar ? p : f32(1).sub(p));
  return [0, 1, 2, 3].map((k) => ({
    node: first.add((k >> 1) * N + (k & 1)),
    weight: away(part.x, (k & 1) === 1).mul(away(part.y, k > 1)),
  }));
}

function model(particles: number): Model {
  const m = new Model();
  m.addDomain('particles', particles);
  m.addDomain('nodes', N * N);
  // Away from the lines between cells, where densities have a kink.
  const within = numbers(2 * particles, 0.25, 0.75);
  const x = wholes(2 * particles, 1, N - 2).map((cell, k) => cell + within[k]);
  m.addField('particles', 'x', vec2, { values: x });
  m.addField('particles', 'mass', f32, { values: numbers(particles, 0.5, 2) });
  m.addField('particles', 'felt', f32, { fill: 0 });
  m.addField('nodes', 'held', f32, { fill: 0 });
  const splat = kernel(
    'splat',
    { domain: 'particles', reads: { x: vec2, mass: f32 }, adds: { density: fieldOn('nodes', f32) } },
    ({ x, mass, density }) => {
      for (const { node, weight } of corners(x)) density.add(node, mass.mul(weight));
    },
  );
  const feel = kernel(
    'feel',
    { domain: 'particles', reads: { x: vec2, density: fieldOn('nodes', f32) }, writes: { felt: f32 } },
    ({ x, density }) => {
      const parts = corners(x).map(({ node, weight }) => density.at(node).mul(weight));
      return { felt: parts.reduce((sum, part) => sum.add(part)) };
    },
  );
  const hold = kernel('hold', { domain: 'nodes', reads: { density: f32 }, writes: { held: f32 } }, ({ density }) => ({
    held: density,
  }));
  m.addPass('force', splat);
  m.addPass('integrate', feel);
  m.addPass('integrate', hold);
  return m;
}

/** Returns the weight of one node for one point, a product of two hat functions, and its derivative along x. */
function hat(x: number, y: number, column: number, row: number): { weight: number; slope: number } {
  const [dx, dy] = [x - column, y - row];
  if (Math.abs(dx) >= 1 || Math.abs(dy) >= 1) return { weight: 0, slope: 0 };
  return {
    weight: (1 - Math.abs(dx)) * (1 - Math.abs(dy)),
    slope: -Math.sign(dx) * (1 - Math.abs(dy)),
  };
}

describe('transfers between particles and a grid of 64 x 64', () => {
  const PARTICLES = 40;
  const run = { frames: 2, frameRate: 1, substeps: 1 } as const;
  const parameters = ['particles.x', 'particles.mass'];

  it('density, and its derivatives by mass and by the x coordinate, equal the closed form of hat functions', async () => {
    const m = model(PARTICLES);
    const simulation = await createSimulation(m, {
      device: f64Device(),
      ...run,
      parameters,
      outputs: ['nodes.held'],
    });
    const x = m.field('particles.x').values!;
    const mass = m.field('particles.mass').values!;
    const seed = numbers(N * N);
    simulation.forward();
    simulation.backward({ 'nodes.held': seed });
    const held = await simulation.read('nodes.held');
    const [xBar, massBar] = [await simulation.gradient('particles.x'), await simulation.gradient('particles.mass')];
    const density = new Float64Array(N * N);
    for (let p = 0; p < PARTICLES; p++) {
      let [slope, weighed] = [0, 0];
      for (let node = 0; node < N * N; node++) {
        const at = hat(x[2 * p], x[2 * p + 1], node % N, Math.floor(node / N));
        density[node] += mass[p] * at.weight;
        weighed += seed[node] * at.weight;
        slope += seed[node] * mass[p] * at.slope;
      }
      expect(massBar[p]).toBeCloseTo(weighed, 10);
      expect(xBar[2 * p]).toBeCloseTo(slope, 10);
    }
    held.forEach((value, node) => expect(value).toBeCloseTo(density[node], 12));
    // The transfer to the grid conserves mass.
    const total = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b);
    expect(total(held)).toBeCloseTo(total(mass), 10);
  });
  it('adjoint, tangent and differences of a transfer to the grid and back agree', () =>
    checkGradients(model(PARTICLES), {
      ...run,
      parameters,
      outputs: ['particles.felt', 'nodes.held'],
    }));
  it('results have the same bits with and without SIMD, and on two threads', async () => {
    const m = model(3000);
    const seeds = { 'particles.felt': numbers(3000), 'nodes.held': numbers(N * N) };
    const results = async (device: Device) => {
      const simulation = await createSimulation(m, {
        device,
        ...run,
        substeps: 20,
        parameters,
        outputs: Object.keys(seeds),
      });
      simulation.forward();
      simulation.backward(seeds);
      const all = [await simulation.read('particles.felt'), await simulation.read('nodes.held')];
      for (const key of parameters) all.push(await simulation.gradient(key));
      device.dispose();
      return all;
    };
    const fast = await results(cpuDevice());
    expect(await results(cpuDevice({ simd: false }))).toEqual(fast);
    expect(await results(cpuDevice({ threads: 2 }))).toEqual(fast);
  });
});

describe('a texture sampled in a kernel', () => {
  const [WIDTH, HEIGHT] = [8, 5];
  /** Kernel of a bilinear texture lookup; outside of the texture it uses the texels at the border. */
  const look = kernel(
    'look',
    { domain: 'pixels', reads: { uv: vec2, texel: fieldOn('texels', vec2) }, writes: { color: vec2 } },
    ({ uv, texel }) => {
      const low = { x: floor(uv.x), y: floor(uv.y) };
      const part = { x: uv.x.sub(low.x), y: uv.y.sub(low.y) };
      const sum = forRange(0, 4, vec2(0, 0), (k, before) => {
        const [right, down] = [k.and(1), k.shiftRight(1)];
        const at = (from: F32, step: U32, size: number): U32 => from.toU32().add(step).toI32().toU32().rem(size);
        const weight = (p: F32, step: U32): F32 => step.toF32().mul(p.mul(2).sub(1)).add(1).sub(p);
        const here = at(low.y, down, HEIGHT)
          .mul(WIDTH)
          .add(at(low.x, right, WIDTH));
        return before.add(texel.at(here).mul(weight(part.x, right).mul(weight(part.y, down))));
      });
      return { color: sum };
    },
  );
  it('has gradients by its texels and by its coordinates that agree with differences', () =>
    checkKernel(look, {
      sizes: { pixels: 17, texels: WIDTH * HEIGHT },
      // Away from the lines between texels.
      values: { uv: Array.from({ length: 34 }, (_, k) => ((k * 7) % 4) + 0.2 + ((k * 5) % 7) / 12) },
      edges: { uv: [] },
    }));
});

describe('fields of several floats per element (lists)', () => {
  const COUNT = 3;
  const powers = kernel(
    'powers',
    { domain: 'points', reads: { x: f32 }, writes: { list: several('entries', f32, COUNT) } },
    ({ x }) => ({ list: [x, x.mul(x), x.mul(x).mul(x)] }),
  );
  it('have derivatives that agree with differences', () => checkKernel(powers));
  it('are read entry by entry at the next element: x + x^2 + x^3, with the derivative 1 + 2 x + 3 x^2', async () => {
    const m = new Model();
    m.addDomain('points', 5);
    m.addDomain('entries', 5 * COUNT);
    m.addField('points', 'x', f32, { values: [-1, 0.5, 2, 3, -0.25] });
    m.addField('points', 'y', f32, { fill: 0 });
    const slope = kernel(
      'slope',
      { domain: 'points', reads: { list: fieldOn('entries', f32) }, writes: { y: f32 } },
      ({ list }, { element }) => {
        const first = element.add(1).rem(5).mul(COUNT);
        const sum = forRange(0, COUNT, f32(0), (k, before) => before.add(list.at(first.add(k))));
        return {
          y: when(
            sum.gt(-10),
            () => sum,
            () => f32(0),
          ),
        };
      },
    );
    m.addPass('force', powers);
    m.addPass('integrate', slope);
    const simulation = await createSimulation(m, {
      device: f64Device(),
      frames: 2,
      frameRate: 1,
      substeps: 1,
      parameters: ['points.x'],
      outputs: ['points.y'],
    });
    simulation.forward();
    const x = [-1, 0.5, 2, 3, -0.25];
    const y = await simulation.read('points.y');
    y.forEach((value, k) => {
      const at = x[(k + 1) % 5];
      expect(value).toBeCloseTo(at + at ** 2 + at ** 3, 12);
    });
    simulation.backward({ 'points.y': [1, 2, 3, 4, 5] });
    (await simulation.gradient('points.x')).forEach((value, k) => {
      const seed = ((k + 4) % 5) + 1;
      expect(value).toBeCloseTo(seed * (1 + 2 * x[k] + 3 * x[k] ** 2), 12);
    });
  });
  it('hold whole numbers as well', async () => {
    const digits = kernel(
      'digits',
      { domain: 'points', reads: { n: u32 }, writes: { digit: several('entries', u32, 2) } },
      ({ n }) => ({ digit: [n.div(10), n.rem(10)] }),
    );
    const m = new Model();
    m.addDomain('points', 2);
    m.addDomain('entries', 4);
    m.addField('points', 'n', u32, { values: [42, 7] });
    m.addPass('observe', digits);
    const simulation = await createSimulation(m, {
      device: cpuDevice(),
      frames: 1,
      frameRate: 1,
      substeps: 1,
      record: ['entries.digit'],
    });
    simulation.forward();
    expect([...(await simulation.readFrames('entries.digit'))]).toEqual([4, 2, 0, 7]);
  });
});
