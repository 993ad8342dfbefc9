import type { Simulation } from '@gradsim/core';
import {
  cpuDevice,
  createSimulation,
  erf,
  f32,
  f64Device,
  fieldOn,
  index,
  kernel,
  Model,
  tanh,
  vec3,
} from '@gradsim/core';
import { evaluatorDevice } from '@gradsim/core/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { drawn } from '../../../../scripts/vitest/draws.ts';
import { randomFields } from '../../../kernel/test/support/random.ts';

const { numbers, wholes } = randomFields('threads');

const pull = kernel(
  'pull',
  {
    domain: 'links',
    reads: { ends: index('nodes', 2), x: fieldOn('nodes', vec3), weight: f32 },
    adds: { force: fieldOn('nodes', vec3) },
  },
  ({ ends: [i, j], x, weight, force }) => {
    const pulled = x.at(i).sub(x.at(j)).mul(weight);
    force.add(i, pulled.neg());
    force.add(j, pulled);
  },
);
const move = kernel(
  'move',
  { domain: 'nodes', reads: { x: vec3, force: vec3 }, writes: { x: vec3 } },
  ({ x, force }, { dt }) => ({ x: x.add(force.mul(dt)) }),
);

/**
 * Kernel with a function that JavaScript's Math has, one that it does not have, and one that is an operator in
 * JavaScript, for devices of double precision.
 */
const wind = kernel('wind', { domain: 'nodes', reads: { x: vec3 }, writes: { x: vec3 } }, ({ x: { x, y, z } }) => ({
  x: vec3(tanh(y).add(0.1), erf(z), x.rem(0.7)),
}));

/**
 * Builds a model of nodes pulled together along links; tests give it enough of them that threads share the work.
 */
function manyLinks(nodes: number, links: number): { model: Model; seeds: Float32Array } {
  const model = new Model();
  model.addDomain('nodes', nodes);
  model.addDomain('links', links);
  model.addIndex('links', 'ends', 'nodes', 2, wholes(2 * links, 0, nodes));
  model.addField('nodes', 'x', vec3, { values: numbers(3 * nodes) });
  model.addField('links', 'weight', f32, { values: numbers(links, 0, 1) });
  model.addPass('force', pull);
  model.addPass('integrate', move);
  return { model, seeds: numbers(3 * nodes) };
}

const settings = {
  frames: 4,
  frameRate: 10,
  substeps: 40,
  parameters: ['nodes.x', 'links.weight'],
  outputs: ['nodes.x'],
};

const kinds: readonly (readonly [string, typeof cpuDevice | typeof f64Device])[] = [
  ['cpu', cpuDevice],
  ['f64', f64Device],
];
describe.each(drawn(kinds, 1))('threads of %s', (kind, make) => {
  const devices = [1, 2, 3, 4].map((threads) => make({ threads }));
  afterAll(() => {
    for (const device of devices) device.dispose();
  });

  it('give the same bits for 1 to 4 threads, and in a second run', async () => {
    const { model, seeds } = manyLinks(3001, 9002);
    const all = await Promise.all(
      devices.map(async (device) => {
        const simulation = await createSimulation(model, { device, ...settings });
        const results: Float64Array[] = [];
        for (let time = 0; time < 2; time++) {
          simulation.forward();
          simulation.backward({ 'nodes.x': seeds });
          results.push(
            await simulation.read('nodes.x'),
            await simulation.gradient('nodes.x'),
            await simulation.gradient('links.weight'),
          );
        }
        simulation.dispose();
        return results;
      }),
    );
    expect(all[0][0].some((value) => value !== 0)).toBe(true);
    for (const results of all.slice(1)) expect(results).toEqual(all[0]);
    expect(all[0].slice(3)).toEqual(all[0].slice(0, 3));
  });

  it('give the same bits in 20 runs if their number was not requested', async () => {
    const { model, seeds } = manyLinks(3001, 9002);
    const device = make();
    const [one, usual] = await Promise.all(
      [devices[0], device].map((d) => createSimulation(model, { device: d, ...settings })),
    );
    const gradient = async (simulation: Simulation): Promise<Float64Array> => {
      simulation.forward();
      simulation.backward({ 'nodes.x': seeds });
      return simulation.gradient('links.weight');
    };
    const expected = await gradient(one);
    // Some 1e8 operations each way and run.
    for (let run = 0; run < 20; run++) expect(await gradient(usual)).toEqual(expected);
    device.dispose();
  });

  it('serve several models of one device alternately, also after one of them is disposed of', async () => {
    const device = devices[1];
    const models = [manyLinks(2000, 9000), manyLinks(1500, 12000)];
    const simulations = await Promise.all(models.map(({ model }) => createSimulation(model, { device, ...settings })));
    const results = async (): Promise<Float64Array[]> => {
      for (const simulation of simulations) simulation.forward();
      return Promise.all(simulations.map((simulation) => simulation.read('nodes.x')));
    };
    const before = await results();
    expect(await results()).toEqual(before);
    simulations[0].dispose();
    simulations[1].forward();
    expect(await simulations[1].read('nodes.x')).toEqual(before[1]);
    const again = await createSimulation(models[0].model, { device, ...settings });
    again.forward();
    expect(await again.read('nodes.x')).toEqual(before[0]);
  });

  it('give the same bits for functions without a WebAssembly instruction: tanh, erf, rem', async () => {
    const model = new Model();
    model.addDomain('nodes', 20_003);
    model.addField('nodes', 'x', vec3, { values: numbers(60_009) });
    model.addPass('integrate', wind);
    // In JavaScript there is one thread; in single precision nothing is called.
    const all = [...devices.slice(0, 3), ...(kind === 'f64' ? [evaluatorDevice()] : [])];
    const [one, ...others] = await Promise.all(
      all.map(async (device) => {
        const simulation = await createSimulation(model, { device, frames: 2, frameRate: 1, substeps: 30 });
        simulation.forward();
        return simulation.read('nodes.x');
      }),
    );
    expect(new Set(one).size).toBeGreaterThan(10_000);
    for (const other of others) expect(other).toEqual(one);
  });

  it('are refused for an invalid number', () => {
    expect(() => make({ threads: 0 })).toThrowCode({
      code: 'kernel/option-out-of-range',
      field: 'threads',
      values: [1, 32, 0],
    });
    expect(() => make({ threads: 1.5 })).toThrowCode({ code: 'kernel/option-out-of-range', values: [1.5] });
  });
});
