import type { ComparedFrame, Device, SimulationOptions } from '@gradsim/core';
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

/** A device, and the specifications of its executors. */
function spiedDevice(): { device: Device; specs: unknown[] } {
  const own = cpuDevice();
  const specs: unknown[] = [];
  const device: Device = {
    ...own,
    kind: own.kind,
    precision: own.precision,
    createExecutor: (spec) => {
      specs.push(spec);
      return own.createExecutor(spec);
    },
  };
  return { device, specs };
}

/** Runs a model, with targets of a comparison, and returns what it recorded and the sums. */
async function run(
  model: Model,
  target: number[],
  compile?: typeof compileShared,
  more: Partial<SimulationOptions> = {},
): Promise<unknown[]> {
  const { device, specs } = spiedDevice();
  const comparisons = {
    list: [{ field: 'points.doubled', instants: 1, frames: [{ frame: 0, target, rootWeights: null }] }],
  };
  const options = { frames: 2, frameRate: 1, substeps: 1, record: ['points.doubled'], device, comparisons, ...more };
  const simulation = await openSimulation(model, options, { compile });
  simulation.forward();
  const results = [await simulation.readFrames('points.doubled'), await simulation.readComparisons()];
  simulation.dispose();
  device.dispose();
  return [...new Set(specs), ...results];
}

/** Model of a point that moves by times and numbers of substeps. */
function drift(): Model {
  const model = new Model();
  model.addDomain('points', 1);
  model.addField('points', 'x', f32, { values: [0.1] });
  const move = kernel(
    'move',
    { domain: 'points', reads: { x: f32 }, writes: { x: f32 } },
    ({ x }, { dt, previousDt, longestDt, time, nextTime, substepOfFrame }) => ({
      x: x.add(dt.mul(0.3)).add(previousDt.mul(longestDt)).add(time.mul(nextTime).mul(substepOfFrame.toF32())),
    }),
  );
  const show = kernel('show', { domain: 'points', reads: { x: f32 }, writes: { shown: f32 } }, ({ x }) => ({
    shown: x.mul(2),
  }));
  model.addPass('integrate', move);
  model.addPass('pose', show);
  return model;
}

/** Runs it with tangents by its start; returns the specification, and what was recorded and compared. */
async function driftRun(
  model: Model,
  { list, ...clock }: { frames: number; frameRate: number; substeps: number; list: ComparedFrame[] },
  compile?: typeof compileShared,
): Promise<{ spec: unknown; results: unknown[] }> {
  const { device, specs } = spiedDevice();
  const comparisons = { list: [{ field: 'points.shown', instants: 1, frames: list }] };
  const parameters = ['points.x'];
  const options = {
    ...clock,
    device,
    record: ['points.shown'],
    parameters,
    derivative: 'tangent',
    comparisons,
  } as const;
  const simulation = await openSimulation(model, options, { compile });
  simulation.setTangent('points.x', [1]);
  simulation.forward();
  const results = [await simulation.readFrames('points.shown'), await simulation.readComparisons()];
  simulation.dispose();
  device.dispose();
  return { spec: specs[0], results };
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

  it('serve runs at other rates and of fewer frames, with other weights, bit for bit', async () => {
    const model = drift();
    const frame = (frame: number, weight: number) => ({ frame, target: [frame], rootWeights: [weight] });
    const whole = { frames: 4, frameRate: 10, substeps: 3, list: [frame(0, 1), frame(1, 2), frame(3, 3)] };
    const first = await driftRun(model, whole, compileShared);
    for (const other of [
      { frames: 4, frameRate: 7, substeps: 5, list: [frame(1, 2), frame(2, 2)] },
      { frames: 2, frameRate: 30, substeps: 1, list: [frame(1, 4)] },
    ]) {
      const shared = await driftRun(model, other, compileShared);
      expect(shared.spec).toBe(first.spec);
      const apart = await driftRun(model, other, undefined);
      expect(apart.spec).not.toBe(first.spec);
      expect(shared.results).toEqual(apart.results);
    }
    await expect(driftRun(model, { ...whole, list: [frame(4, 1)] }, compileShared)).rejects.toThrowCode(
      'core/no-such-frame',
    );
    const longer = await driftRun(model, { ...whole, frames: 5 }, compileShared);
    expect(longer.spec).not.toBe(first.spec);
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
    await add(model, { frames: 3, frameRate: undefined, frameTimes: [0, 1, 3] });
    await add(followers([0, 0, 1]));
    model.addField('points', 'mass', f32, { fill: 1 });
    await add(model);
    expect(specs.size).toBe(6);
  });
});
