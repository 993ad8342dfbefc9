import type { Device, Pass, Simulation, SimulationOptions } from '@gradsim/core';
import {
  bind,
  cpuDevice,
  createSimulation,
  f32,
  f64Device,
  fieldOn,
  index,
  kernel,
  Model,
  repeat,
  sin,
} from '@gradsim/core';
import { afterAll, describe, expect, it } from 'vitest';
import { randomFields } from '../../../kernel/test/support/random.ts';
import { compiledOf } from '../../src/tape/simulation.ts';
import { arenaWords, bothWays } from '../support/watched.ts';

const { numbers, wholes } = randomFields('shared words');

/** Default number of elements of the domain `nodes`. */
const NODES = 301;

/** Kernel that computes each element from its own previous value and that of another element. */
const mix = kernel(
  'mix',
  {
    domain: 'nodes',
    reads: { before: fieldOn('nodes', f32), other: index('nodes'), weight: f32 },
    writes: { after: f32 },
  },
  ({ before, other, weight }, { element }) => ({
    after: sin(before.at(element).mul(weight).add(before.at(other).mul(0.5))),
  }),
);
/** Kernel that adds a pull along each link to both of its ends. */
const pull = kernel(
  'pull',
  {
    domain: 'links',
    reads: { ends: index('nodes', 2), before: fieldOn('nodes', f32), stiffness: f32 },
    adds: { sum: fieldOn('nodes', f32) },
  },
  ({ ends: [i, j], before, stiffness, sum }) => {
    const force = before.at(i).sub(before.at(j)).mul(stiffness);
    sum.add(i, force.neg());
    sum.add(j, force);
  },
);
const move = kernel(
  'move',
  { domain: 'nodes', reads: { x: f32, last: f32, sum: f32 }, writes: { x: f32 } },
  ({ x, last, sum }) => ({ x: x.mul(0.9).add(last.mul(0.1)).add(sum.mul(0.01)) }),
);

/**
 * Builds a model of nodes and links with `length` passes in each substep, each of which needs the result of the one
 * before.
 */
function chain(length: number, rounds = 0, nodes = NODES): Model {
  const links = 2 * nodes - 3;
  const model = new Model();
  model.addDomain('nodes', nodes);
  model.addDomain('links', links);
  model.addIndex('nodes', 'other', 'nodes', 1, wholes(nodes, 0, nodes));
  model.addIndex('links', 'ends', 'nodes', 2, wholes(2 * links, 0, nodes));
  model.addField('nodes', 'x', f32, { values: numbers(nodes) });
  model.addField('nodes', 'weight', f32, { values: numbers(nodes, 0, 0.5) });
  // Twice as stiff, one in thirty is chaotic, and its gradient is not finite.
  model.addField('links', 'stiffness', f32, { values: numbers(links, 0, 0.5) });
  let before = 'x';
  const passes: Pass[] = [];
  const then = (pass: Parameters<typeof bind>[0], names: Record<string, string>): void => {
    passes.push(bind(pass, { before, ...names }));
  };
  for (let k = 0; k < length; k++) {
    if (k % 3 === 2) {
      then(pull, { sum: `value${k}` });
    } else then(mix, { after: `value${k}` });
    before = `value${k}`;
  }
  for (const pass of passes) model.addPass('force', pass);
  const last = before;
  if (rounds > 0)
    model.addPass(
      'force',
      repeat(rounds, [
        bind(mix, { before: last, after: 'inner' }),
        bind(pull, { before: 'inner', sum: 'pulled' }),
        bind(mix, { before: 'pulled', after: last }),
      ]),
    );
  model.addPass('force', bind(pull, { before: last, sum: 'sum' }));
  model.addPass('integrate', bind(move, { last }));
  return model;
}

const devices: Readonly<Record<string, Device>> = {
  'one thread': cpuDevice({ threads: 1 }),
  'three threads': cpuDevice({ threads: 3 }),
  doubles: f64Device(),
};
afterAll(() => {
  for (const device of Object.values(devices)) device.dispose();
});

const RUN = { frames: 3, frameRate: 10, substeps: 12, record: ['nodes.x'] };
const GRADIENT = {
  ...RUN,
  parameters: ['nodes.x', 'nodes.weight', 'links.stiffness'],
  outputs: ['nodes.x'],
};

async function results(simulation: Simulation, seed: ArrayLike<number>): Promise<Float64Array[]> {
  simulation.forward();
  const all = [await simulation.readFrames('nodes.x')];
  if (simulation.options.derivative !== 'adjoint') return all;
  simulation.backward({ 'nodes.x': seed });
  for (const key of GRADIENT.parameters) all.push(await simulation.gradient(key));
  return all;
}

describe('temporaries within a substep', () => {
  it('of 60 passes take no more memory than those of 12', async () => {
    const words = async (length: number, options: Partial<SimulationOptions>): Promise<number[]> => {
      const settings = { device: devices['one thread'], ...RUN, ...options };
      const { ours, apart } = await bothWays(chain(length), settings);
      const both = [ours, apart].map((simulation) => compiledOf(simulation).layout.arena.f32Words);
      ours.dispose();
      apart.dispose();
      return both;
    };
    const tangent = { parameters: GRADIENT.parameters, derivative: 'tangent' } as const;
    for (const options of [{}, tangent]) {
      const [short] = await words(12, options);
      const [long, alone] = await words(60, options);
      expect(long).toBe(short);
      expect(alone).toBeGreaterThan(long + 40 * NODES);
    }
  });

  it.each([
    ['in a chain', chain(31), {}],
    ['with a repeated group', chain(7, 9), {}],
    ['with a repeated group that is rerun for lack of memory', chain(7, 40), { memory: 40 * NODES * 4 }],
    ['in several worlds', chain(10, 3), { worlds: 5 }],
  ])('give the same bits whether they share memory or not, %s', async (_, model, options) => {
    const seed = numbers(RUN.frames * NODES * ('worlds' in options ? options.worlds! : 1));
    for (const [name, device] of Object.entries(devices)) {
      for (const settings of [RUN, GRADIENT]) {
        const { ours, apart } = await bothWays(model, { device, ...settings, ...options });
        expect(arenaWords(ours), name).toBeLessThan(arenaWords(apart));
        expect(await results(ours, seed), name).toEqual(await results(apart, seed));
        expect(await results(ours, seed), `${name}, again`).toEqual(await results(apart, seed));
        ours.dispose();
        apart.dispose();
      }
    }
  });

  it('give the same bits on one thread and on three', async () => {
    const nodes = 3001;
    const model = chain(16, 0, nodes);
    const settings = { ...GRADIENT, substeps: 20 };
    const seed = numbers(RUN.frames * nodes);
    const all: Float64Array[][] = [];
    for (const name of ['one thread', 'three threads']) {
      const simulation = await createSimulation(model, { ...settings, device: devices[name] });
      for (let time = 0; time < 3; time++) all.push(await results(simulation, seed));
      simulation.dispose();
    }
    for (const others of all) expect(others).toEqual(all[0]);
  });

  it('add no barriers compared with separate memory', async () => {
    const settings = { device: devices['one thread'], ...GRADIENT };
    for (const model of [chain(31), chain(7, 9), chain(31, 0, 50), chain(7, 9, 50)]) {
      const { ours, apart, waits } = await bothWays(model, settings);
      expect(waits.ours).toEqual(waits.apart);
      ours.dispose();
      apart.dispose();
    }
  });

  it('are named in the error when not finite, as with separate memory', async () => {
    const model = chain(31);
    const { ours, apart } = await bothWays(model, { device: devices['one thread'], ...RUN });
    const said: unknown[] = [];
    for (const simulation of [ours, apart]) {
      simulation.set('links.stiffness', new Float64Array(2 * NODES - 3).fill(1e38));
      simulation.forward();
      said.push(await simulation.readFrames('nodes.x').catch((error: Error) => error.message));
      simulation.dispose();
    }
    expect(said[0]).toMatch(/value2/);
    expect(said[0]).toBe(said[1]);
  });
});
