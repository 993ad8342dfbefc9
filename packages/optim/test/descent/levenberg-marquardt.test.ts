import { buildModel, createScene, definePlugin, f32, f64Device, kernel, selectDevice } from '@gradsim/core';
import { search } from '@gradsim/optim';
import { expect, it } from 'vitest';

/** Narrowness of the valley y = x^2; that of H. Rosenbrock (Computer Journal 3, 1960) is 0.1. */
const NARROW = 0.02;
// A residual of 1, which nothing lowers, makes rounding count as it does in films.
const valley = kernel(
  'valley',
  {
    domain: 'world',
    reads: { x: f32, y: f32 },
    writes: { along: f32, across: f32, rest: f32 },
  },
  ({ x, y }) => ({ along: x.neg().add(1), across: y.sub(x.mul(x)).div(NARROW), rest: x.mul(0).add(1) }),
);
const scene = createScene([
  definePlugin({
    name: 'valley',
    contract: 1,
    build: ({ model }) => {
      for (const [name, fill] of [
        ['x', -1.2],
        ['y', 1],
      ] as const)
        model.addField('world', name, f32, { fill });
      for (const name of ['along', 'across', 'rest']) model.addField('world', name, f32);
      model.addPass('observe', valley);
    },
  }),
]);

it.each(['f64', 'cpu'] as const)(
  'a curved valley is followed to its end in less than 100 steps on the device %s',
  async (kind) => {
    const device = kind === 'f64' ? f64Device() : await selectDevice('cpu');
    const found = await search(
      {
        model: buildModel(scene),
        frames: 1,
        frameRate: 1,
        substeps: 1,
        parameters: ['x', 'y'].map((name) => ({ name, field: `world.${name}`, initial: name === 'x' ? -1.2 : 1 })),
        observations: ['along', 'across', 'rest'].map((name) => ({ field: `world.${name}`, target: [0] })),
        options: { search: { hops: 0, horizons: [1] } },
      },
      { device },
    );
    // Not `iterations`, 100 by default.
    expect(found.stopped).toBe('tolerance');
    expect(found.parameters.x).toBeCloseTo(1, 5);
    expect(found.parameters.y).toBeCloseTo(1, 5);
  },
);
