import type { Kernel, Phase } from '@gradsim/core';
import {
  createSimulation,
  f32,
  f64Device,
  field,
  fieldOn,
  index,
  kernel,
  Model,
  perWorld,
  u32,
  vec3,
} from '@gradsim/core';
import { describe, expect, it } from 'vitest';

/** A model of two domains whose passes are given; compiling it is the test. */
const compile = (passes: readonly (readonly [Phase, Kernel])[], prepare?: (model: Model) => void) => {
  const model = new Model();
  model.addDomain('nodes', 3);
  model.addDomain('links', 4);
  model.addIndex('links', 'end', 'nodes', 1, [0, 1, 2, 0]);
  model.addField('nodes', 'x', f32, { fill: 1 });
  prepare?.(model);
  for (const [phase, k] of passes) model.addPass(phase, k);
  return createSimulation(model, { device: f64Device(), frames: 2, frameRate: 10, substeps: 2 });
};
const nodes = 'nodes';
const adds = (name: string) =>
  kernel(name, { domain: nodes, reads: { x: f32 }, adds: { force: f32 } }, ({ x, force }) => force.add(x));
const writes = (name: string) =>
  kernel(name, { domain: nodes, reads: { x: f32 }, writes: { force: f32 } }, ({ x }) => ({ force: x }));
const reads = (name: string) =>
  kernel(name, { domain: nodes, reads: { force: f32 }, writes: { x: f32 } }, ({ force }) => ({ x: force }));

describe('buildModel refuses data hazards', () => {
  it('adding to a field in two phases', () =>
    expect(
      compile([
        ['control', adds('a')],
        ['force', adds('c')],
      ]),
    ).rejects.toThrow(/nodes.force is added to in phase control and again in force \(kernel c\)/));
  it('writing a field that others add to', async () => {
    await expect(
      compile([
        ['force', adds('a')],
        ['force', writes('b')],
      ]),
    ).rejects.toThrow(/nodes.force is written by kernel b .* and added to by another/);
    await expect(
      compile([
        ['control', writes('b')],
        ['force', adds('a')],
      ]),
    ).rejects.toThrow(/nodes.force is written by kernel b/);
  });
  it('reading a field that no pass writes, or that is written later', async () => {
    await expect(compile([['force', reads('b')]])).rejects.toThrow(
      /kernel b \(phase force\) reads nodes.force, which no plugin adds and no pass writes/,
    );
    await expect(
      compile([
        ['control', reads('b')],
        ['force', adds('a')],
      ]),
    ).rejects.toThrow(/kernel b \(phase control\) reads nodes.force before any pass has written it/);
  });
  it('reading a frame field before it is written in the frame, declared or not', () => {
    const shade = kernel('shade', { domain: nodes, reads: { glow: f32 }, writes: { seen: f32 } }, ({ glow }) => ({
      seen: glow,
    }));
    const light = kernel('light', { domain: nodes, reads: { x: f32 }, writes: { glow: f32 } }, ({ x }) => ({
      glow: x,
    }));
    return expect(
      compile(
        [
          ['pose', shade],
          ['render', light],
        ],
        (m) => m.addField(nodes, 'glow', f32, { fill: 3 }),
      ),
    ).rejects.toThrow(/nodes.glow is read at the frame rate before any pass has written it/);
  });
  it('writing at both rates', () => {
    const w = writes('w');
    return expect(
      compile([
        ['force', w],
        ['pose', w],
      ]),
    ).rejects.toThrow(/nodes.force is written at the physics rate and at the frame rate/);
  });
  it('writing a field that all worlds share, or an input over time', async () => {
    await expect(
      compile([['force', writes('w')]], (m) => m.addField(nodes, 'force', f32, { shared: true, fill: 0 })),
    ).rejects.toThrow(/kernel w .*writes nodes.force, which all worlds share/);
    await expect(
      compile([['force', writes('w')]], (m) => m.addField(nodes, 'force', f32, { over: 'frame', fill: 0 })),
    ).rejects.toThrow(/kernel w writes nodes.force, which is an input over time/);
  });
  it('shapes, types and targets that differ from the field', async () => {
    const wide = kernel('wide', { domain: nodes, reads: { x: vec3 }, adds: { s: perWorld(vec3) } }, ({ x, s }) =>
      s.add(x),
    );
    await expect(compile([['force', wide]])).rejects.toThrow(/kernel wide reads nodes.x as 3 x f32, but it is 1 x f32/);
    const whole = kernel('whole', { domain: nodes, writes: { x: u32 } }, () => ({ x: u32(1) }));
    await expect(compile([['force', whole]])).rejects.toThrow(
      /kernel whole writes nodes.x as 1 x u32, but it is 1 x f32/,
    );
    const lost = kernel(
      'lost',
      { domain: 'links', reads: { end: index('links') }, adds: { s: fieldOn('links', f32) } },
      ({ end, s }) => s.add(end, f32(1)),
    );
    await expect(compile([['force', lost]])).rejects.toThrow(
      /kernel lost takes links.end as indices of links, but they are of nodes/,
    );
  });
  it('adding past the end of a domain, of one element too', async () => {
    const past = kernel(
      'past',
      { domain: 'links', reads: {}, adds: { s: fieldOn(nodes, f32) } },
      ({ s }, { element }) => s.add(element, f32(1)),
    );
    const declared = (m: Model): void => void m.addMade(field('nodes', 's', f32));
    await expect(compile([['force', past]], declared)).rejects.toThrow(
      /kernel past: index 3 of element 3 of links is out of range, nodes has 3 elements/,
    );
    const single = kernel(
      'single',
      { domain: 'links', reads: {}, adds: { s: fieldOn('lone', f32) } },
      ({ s }, { element }) => s.add(element, f32(1)),
    );
    await expect(
      compile([['force', single]], (m) => {
        m.addDomain('lone', 1);
        m.addMade(field('lone', 's', f32));
      }),
    ).rejects.toThrow(/kernel single: index 1 of element 1 of links is out of range, lone has 1 element/);
  });
});

describe('a model refuses values:', () => {
  it('indices out of range, naming field, element and value', () => {
    const model = new Model();
    model.addDomain('nodes', 3);
    model.addDomain('links', 2, { describe: (k) => `link ${k}` });
    const add = (values: number[]) => () => model.addIndex('links', 'end', 'nodes', 1, values);
    expect(add([0, 3])).toThrow('links.end of link 1: index 3 is out of range, nodes has 3 elements.');
    expect(add([-1, 0])).toThrow('links.end of link 0: index -1 is out of range');
    expect(add([0.5, 0])).toThrow('index 0.5 is out of range');
    expect(add([0])).toThrow('links.end needs 2 x 1 indices, got 1.');
  });
  it('NaN and wrong counts', () => {
    const model = new Model();
    model.addDomain('nodes', 2, { describe: (k) => `node ${k}` });
    expect(() => model.addField('nodes', 'p', vec3, { values: [0, 0, 0, 0, Number.NaN, 0] })).toThrow(
      'nodes.p of node 1 is NaN. It must be a finite number.',
    );
    expect(() => model.addField('nodes', 'p', vec3, { values: [0, 0, 0] })).toThrow(
      'nodes.p needs 2 x 3 values, got 3.',
    );
    expect(() => model.addDomain('half', 1.5)).toThrow(/needs a whole number of elements, got 1.5/);
    expect(() => model.field('nodes.q')).toThrow(/There is no field "nodes.q"/);
    expect(() => model.domain('edges')).toThrow(/There is no domain "edges". Known: world, nodes/);
  });
});

describe('empty domains', () => {
  it('run, and fields that they add to are zero', async () => {
    const model = new Model();
    model.addDomain('nodes', 2);
    model.addDomain('links', 0);
    model.addIndex('links', 'end', 'nodes', 1, []);
    model.addField('nodes', 'x', f32, { fill: 1 });
    model.addField('links', 'k', f32, { values: [] });
    const pull = kernel(
      'pull',
      {
        domain: 'links',
        reads: { end: index('nodes'), k: f32 },
        adds: { f: fieldOn('nodes', f32), total: perWorld(f32) },
      },
      ({ end, k, f, total }) => {
        f.add(end, k);
        total.add(k);
      },
    );
    const move = kernel(
      'move',
      { domain: 'nodes', reads: { x: f32, f: f32, total: perWorld(f32) }, writes: { x: f32 } },
      ({ x, f, total }) => ({ x: x.mul(2).add(f).add(total) }),
    );
    model.addPass('force', pull);
    model.addPass('integrate', move);
    const sim = await createSimulation(model, {
      device: f64Device(),
      frames: 2,
      frameRate: 1,
      substeps: 1,
      parameters: ['nodes.x', 'links.k'],
      outputs: ['nodes.x'],
    });
    sim.forward();
    expect([...(await sim.read('nodes.x'))]).toEqual([2, 2]);
    sim.backward({ 'nodes.x': [1, 10] });
    expect([...(await sim.gradient('nodes.x'))]).toEqual([2, 20]);
    expect([...(await sim.gradient('links.k'))]).toEqual([]);
  });
});
