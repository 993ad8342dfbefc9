import type { Device, SimulationOptions } from '@gradsim/core';
import { cpuDevice, f32, fieldOn, index, kernel, Model } from '@gradsim/core';
import { compileShared } from '@gradsim/core/internal';
import { describe, expect, it } from 'vitest';
import { openSimulation } from '../../src/tape/create.ts';

const follow = kernel(
  'follow',
  { domain: 'points', reads: { source: index('sources'), value: fieldOn('sources', f32) }, writes: { doubled: f32 } },
  ({ source, value }) => ({ doubled: value.at(source).mul(2) }),
);

/** Model of three points, each of which reads one of three sources. */
function followers(sources: number[]): Model {
  const model = new Model();
  model.addDomain('sources', 3);
  model.addDomain('points', 3);
  model.addField('sources', 'value', f32, { values: [1, 2, 3] });
  model.addIndex('points', 'source', 'sources', 1, sources);
  model.addPass('pose', follow);
  return model;
}

/** Runs a model, with targets of a comparison, and returns what it recorded and the sums. */
async function run(
  model: Model,
  target: number[],
  compile?: typeof compileShared,
  more: Partial<SimulationOptions> = {},
): Promise<unknown[]> {
  const seen = new Set<unknown>();
  const own = cpuDevice();
  const device: Device = {
    ...own,
    kind: own.kind,
    precision: own.precision,
    createExecutor: (spec) => {
      seen.add(spec);
      return own.createExecutor(spec);
    },
  };
  const comparisons = {
    list: [{ field: 'points.doubled', instants: 1, frames: [{ frame: 0, target, rootWeights: null }] }],
  };
  const options = { frames: 2, frameRate: 1, substeps: 1, record: ['points.doubled'], device, comparisons, ...more };
  const simulation = await openSimulation(model, options, { compile });
  simulation.forward();
  const results = [await simulation.readFrames('points.doubled'), await simulation.readComparisons()];
  simulation.dispose();
  own.dispose();
  return [...seen, ...results];
}

describe('compilations shared by simulations of a model', () => {
  it('give the same bits as separate ones, with the targets of each simulation', async () => {
    const model = followers([2, 0, 1]);
    const [first] = await run(model, [1, 1, 1], compileShared);
    const [second, ...results] = await run(model, [4, 0, 9], compileShared);
    const [apart, ...expected] = await run(model, [4, 0, 9], undefined);
    expect(second).toBe(first);
    expect(apart).not.toBe(first);
    expect(results).toEqual(expected);
  });

  it('read index values as they are when a simulation opens', async () => {
    const sources = [2, 0, 1];
    const model = followers(sources);
    await run(model, [1, 1, 1], compileShared);
    sources[0] = 1;
    const [, ...results] = await run(model, [1, 1, 1], compileShared);
    expect(results).toEqual((await run(followers([1, 0, 1]), [1, 1, 1], undefined)).slice(1));
  });

  it('are not shared by other options, nor by a model that has grown or another model', async () => {
    const model = followers([2, 0, 1]);
    const specs = new Set<unknown>();
    const add = async (of: Model, more?: Partial<SimulationOptions>) =>
      specs.add((await run(of, [1, 1, 1], compileShared, more))[0]);
    await add(model);
    await add(model, { frames: 3 });
    await add(model, { worlds: 2 });
    await add(model, { frameRate: 2 });
    await add(followers([0, 0, 1]));
    model.addField('points', 'mass', f32, { fill: 1 });
    await add(model);
    expect(specs.size).toBe(6);
  });
});
