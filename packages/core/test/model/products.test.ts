// Products with Jacobians of sums that depend on some of the given fields alone, and of kernels that write the fields
// that they read.
import {
  createSimulation,
  f32,
  f64Device,
  jacobianProduct,
  kernel,
  Model,
  transposedProduct,
  vec3,
} from '@gradsim/core';
import { describe, expect, it } from 'vitest';

const x = [0.7, -1.2];
const w = [2, -1];
const nodes = (): Model => {
  const model = new Model();
  model.addDomain('nodes', 2);
  model.addField('nodes', 'x', f32, { values: x });
  model.addField('nodes', 'w', f32, { values: w });
  return model;
};

async function frameOf(model: Model, record: readonly string[]): Promise<Record<string, number[]>> {
  const run = { device: f64Device(), frames: 1, frameRate: 1, substeps: 1, record };
  const simulation = await createSimulation(model, run);
  simulation.forward();
  const values = await Promise.all(record.map(async (key) => [key, [...(await simulation.readFrames(key))]]));
  simulation.dispose();
  return Object.fromEntries(values);
}

const expectClose = (found: readonly number[], expected: readonly number[]): void => {
  expect(found.length).toBe(expected.length);
  found.forEach((value, k) => {
    expect(value).toBeCloseTo(expected[k], 12);
  });
};

describe('transposedProduct', () => {
  it('is recorded as 0 for a field that the sum does not depend on, or by a factor of 0 alone', async () => {
    const model = nodes();
    model.addField('nodes', 'drag', vec3, { fill: [1, 2, 3] });
    model.addField('world', 'scale', f32, { fill: 3 });
    const cube = kernel(
      'cube',
      { domain: 'nodes', reads: { x: f32, drag: vec3 }, adds: { force: f32 } },
      ({ x, drag, force }) => force.add(x.mul(x).mul(x).add(drag.mul(0).x)),
    );
    model.addPass('pose', cube);
    const into = { 'nodes.x': 'nodes.byX', 'nodes.drag': 'nodes.byDrag', 'world.scale': 'world.byScale' };
    model.addPass('observe', transposedProduct('nodes.force', { weights: 'nodes.w', into }));
    const found = await frameOf(model, Object.values(into));
    expectClose(
      found['nodes.byX'],
      x.map((at, e) => 3 * at * at * w[e]),
    );
    expect(found['nodes.byDrag']).toEqual([0, 0, 0, 0, 0, 0]);
    expect(found['world.byScale']).toEqual([0]);
  });

  it('is refused where the sum depends on none of the fields', async () => {
    const model = nodes();
    const add = kernel('add', { domain: 'nodes', reads: { w: f32 }, adds: { force: f32 } }, ({ w, force }) =>
      force.add(w),
    );
    model.addPass('pose', add);
    const into = { 'nodes.x': 'nodes.byX' };
    model.addPass('observe', transposedProduct('nodes.force', { weights: 'nodes.w', into }));
    await expect(frameOf(model, ['nodes.byX'])).rejects.toThrowCode({
      code: 'core/product-of-nothing',
      values: ['nodes.force', 'nodes.x'],
    });
  });

  it('is the transpose of the product forward where kernels write what they read', async () => {
    const model = nodes();
    const start = kernel('start', { domain: 'nodes', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
      y: x.mul(2),
    }));
    const first = kernel(
      'first',
      { domain: 'nodes', reads: { x: f32, y: f32 }, writes: { y: f32 }, adds: { sum: f32 } },
      ({ x, y, sum }) => {
        sum.add(x.mul(x).mul(x).add(x.mul(y)));
        return { y: x.mul(y) };
      },
    );
    const second = kernel(
      'second',
      { domain: 'nodes', reads: { y: f32 }, writes: { y: f32 }, adds: { sum: f32 } },
      ({ y, sum }) => {
        sum.add(y.mul(0.5));
        return { y: y.mul(y) };
      },
    );
    const third = kernel('third', { domain: 'nodes', reads: { y: f32 }, adds: { sum: f32 } }, ({ y, sum }) =>
      sum.add(y.mul(y)),
    );
    model.addPass('pose', start);
    for (const one of [first, second, third]) model.addPass('render', one);
    const into = { 'nodes.x': 'nodes.byX', 'nodes.y': 'nodes.byY' };
    model.addPass('observe', transposedProduct('nodes.sum', { weights: 'nodes.w', into }));
    for (const key of ['x', 'y'])
      model.addPass(
        'observe',
        jacobianProduct('nodes.sum', { along: { [`nodes.${key}`]: 'nodes.w' }, into: `nodes.along_${key}` }),
      );
    const record = [...Object.values(into), 'nodes.along_x', 'nodes.along_y'];
    const found = await frameOf(model, record);
    // At the fields' values where the product runs, y = (x 2 x)^2. What first makes of y counts by c: a half in second,
    // and 2 y in third of 2 y in second.
    const y = x.map((at) => (2 * at * at) ** 2);
    const c = y.map((at) => 0.5 + 4 * at * at);
    const byX = x.map((at, e) => w[e] * (3 * at * at + y[e] + c[e] * y[e]));
    const byY = x.map((at, e) => w[e] * (at + c[e] * at));
    for (const key of ['nodes.byX', 'nodes.along_x']) expectClose(found[key], byX);
    for (const key of ['nodes.byY', 'nodes.along_y']) expectClose(found[key], byY);
  });
});
