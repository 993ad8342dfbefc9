import type { Device } from '@gradsim/core';
import {
  cpuDevice,
  createSimulation,
  f32,
  f64Device,
  fieldOn,
  index,
  kernel,
  Model,
  vec2,
  vec3,
  vec4,
} from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { randomFields } from '../../../kernel/test/support/random.ts';

const { numbers, wholes } = randomFields('additions');

/**
 * Builds a model in which two nodes of each link receive shares of a value of one to four components, and links read
 * them back.
 */
const modelOf = (
  type: typeof f32 | typeof vec2 | typeof vec3 | typeof vec4,
  nodes: number,
  ends: Uint32Array | readonly number[],
) => {
  const links = ends.length / 2;
  const model = new Model();
  model.addDomain('nodes', nodes);
  model.addDomain('links', links);
  model.addIndex('links', 'ends', 'nodes', 2, ends);
  model.addField('nodes', 'x', type, { values: numbers(nodes * type.components) });
  model.addField('links', 'weight', f32, { values: numbers(links) });
  const pull = kernel(
    'pull',
    {
      domain: 'links',
      reads: { ends: index('nodes', 2), x: fieldOn('nodes', type as typeof vec3), weight: f32 },
      adds: { force: fieldOn('nodes', type as typeof vec3) },
    },
    ({ ends: [i, j], x, weight, force }) => {
      const pulled = x.at(i).sub(x.at(j)).mul(weight);
      force.add(i, pulled.neg());
      force.add(j, pulled.mul(1.5));
    },
  );
  const move = kernel(
    'move',
    {
      domain: 'nodes',
      reads: { x: type as typeof vec3, force: type as typeof vec3 },
      writes: { x: type as typeof vec3 },
    },
    ({ x, force }, { dt }) => ({ x: x.add(force.mul(dt)) }),
  );
  model.addPass('force', pull);
  model.addPass('integrate', move);
  return model;
};

/** Returns the final values and the gradients of a run. */
const results = async (model: Model, device: Device, seeds: Float32Array, worlds: number) => {
  const simulation = await createSimulation(model, {
    device,
    worlds,
    frames: 2,
    frameRate: 10,
    substeps: 5,
    parameters: ['nodes.x', 'links.weight'],
    outputs: ['nodes.x'],
  });
  simulation.forward();
  simulation.backward({ 'nodes.x': seeds });
  return [
    await simulation.read('nodes.x'),
    await simulation.gradient('nodes.x'),
    await simulation.gradient('links.weight'),
  ];
};

/** Compares runs with and without SIMD bit for bit, and with a run in double precision up to rounding errors. */
async function agree(model: Model, seeds: Float32Array, worlds: number): Promise<void> {
  const devices = [cpuDevice(), cpuDevice({ simd: false }), f64Device()];
  const [fast, plain, exact] = await Promise.all(devices.map((d) => results(model, d, seeds, worlds)));
  fast.forEach((values, k) => {
    expect(values).toEqual(plain[k]);
    // 5 substeps of at most 180 additions each, each with a rounding error of 6e-8 of the largest sum.
    const scale = Math.max(...exact[k].map(Math.abs));
    values.forEach((value, at) => expect(Math.abs(value - exact[k][at])).toBeLessThanOrEqual(6e-5 * scale));
  });
}

describe('scatter-adds by an index field, and gradients, have the same bits without SIMD and agree with doubles:', () => {
  for (const [name, type] of Object.entries({ f32, vec2, vec3, vec4 })) {
    for (const worlds of [1, 4]) {
      const seedsOf = (nodes: number): Float32Array => numbers(nodes * type.components * worlds);
      for (const nodes of [1, 3, 6, 41])
        it(`${name} to ${nodes} nodes in ${worlds} worlds`, async () => {
          const model = modelOf(type as typeof vec3, nodes, wholes(180, 0, nodes));
          await agree(model, seedsOf(nodes), worlds);
        });
      // To rings of nodes, each linked to those that come 1, 2, ... further on.
      for (const further of [1, 2, 4, 5])
        it(`${name} to nodes with ${2 * further} links each, in ${worlds} worlds`, async () => {
          const nodes = 23;
          const ends = Array.from({ length: nodes * further }, (_, link) => {
            const node = link % nodes;
            return [node, (node + 1 + Math.floor(link / nodes)) % nodes];
          });
          await agree(modelOf(type as typeof vec3, nodes, ends.flat()), seedsOf(nodes), worlds);
        });
    }
  }
});
