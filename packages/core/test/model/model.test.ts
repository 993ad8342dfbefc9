import type { Kernel, Phase, Scene } from '@gradsim/core';
import {
  buildModel,
  createScene,
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
import { describe, expect, expectTypeOf, it } from 'vitest';

/** Compiles a model of two domains with the given passes; whether this succeeds is the test. */
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

it('fields and alarms that are declared by names keep their domain and type', () => {
  const model = new Model();
  model.addDomain('nodes', 3);
  const drag = model.addField('nodes', 'drag', f32);
  const fled = model.addAlarm('nodes', 'fled', vec3, () => 'gone');
  expectTypeOf(drag.domain).toEqualTypeOf<'nodes'>();
  expectTypeOf(drag.key).toEqualTypeOf<'nodes.drag'>();
  expectTypeOf(fled.domain).toEqualTypeOf<'nodes'>();
  expectTypeOf(fled.type).toEqualTypeOf(vec3);
  // A kernel's own element reads it under its name: both are over nodes.
  kernel('slow', { domain: 'nodes', reads: { drag }, writes: { speed: f32 } }, ({ drag }) => ({ speed: drag.neg() }));
  expect([drag.key, fled.key]).toEqual(['nodes.drag', 'nodes.fled']);
});
const adds = (name: string) =>
  kernel(name, { domain: nodes, reads: { x: f32 }, adds: { force: f32 } }, ({ x, force }) => force.add(x));
const writes = (name: string) =>
  kernel(name, { domain: nodes, reads: { x: f32 }, writes: { force: f32 } }, ({ x }) => ({ force: x }));
const reads = (name: string) =>
  kernel(name, { domain: nodes, reads: { force: f32 }, writes: { x: f32 } }, ({ force }) => ({ x: force }));

describe('createSimulation refuses', () => {
  it('adding to a field in two phases', () =>
    expect(
      compile([
        ['control', adds('a')],
        ['force', adds('c')],
      ]),
    ).rejects.toThrowCode({ code: 'core/two-phases-of-sums', field: 'nodes.force', values: ['control'] }));
  it('writing a field that others add to', async () => {
    await expect(
      compile([
        ['force', adds('a')],
        ['force', writes('b')],
      ]),
    ).rejects.toThrowCode({
      code: 'core/written-and-added',
      field: 'nodes.force',
      values: ['nodes.force is written by kernel b'],
    });
    await expect(
      compile([
        ['control', writes('b')],
        ['force', adds('a')],
      ]),
    ).rejects.toThrowCode({
      code: 'core/written-and-added',
      field: 'nodes.force',
      values: ['nodes.force is written by kernel b'],
    });
  });
  it('reading a field that no pass writes, or that is written later', async () => {
    await expect(compile([['force', reads('b')]])).rejects.toThrowCode({
      code: 'core/read-before-write',
      values: ['nodes.force', 'b'],
    });
    await expect(
      compile([
        ['control', reads('b')],
        ['force', adds('a')],
      ]),
    ).rejects.toThrowCode({
      code: 'core/read-before-write',
      values: ['nodes.force', 'b', 'control', /kept from substep to substep, give it an initial value/],
    });
  });
  it('reading a misspelt field, with the name that it may mean', async () => {
    const reach = { reach: f32 };
    const misspelt = kernel('b', { domain: nodes, reads: reach, writes: { x: f32 } }, ({ reach: r }) => ({ x: r }));
    await expect(
      compile([['control', misspelt]], (m) => m.addField(nodes, 'reaches', f32, { fill: 3 })),
    ).rejects.toThrowCode({ code: 'core/read-before-write', values: ['nodes.reach', 'Did you mean nodes.reaches?'] });
  });
  it('a scene or nothing in place of a model, and buildModel a list in place of a scene', async () => {
    const run = { device: f64Device(), frames: 2, frameRate: 10, substeps: 2 };
    for (const other of [createScene([]), undefined])
      await expect(createSimulation(other as unknown as Model, run)).rejects.toThrowCode({
        code: 'base/wrong-type',
        values: ['createSimulation: model', 'buildModel(scene)'],
      });
    expect(() => buildModel([] as unknown as Scene)).toThrowCode({
      code: 'base/wrong-type',
      values: ['buildModel: scene', 'createScene(plugins)'],
    });
  });
  it('reading a declared field in a phase of the frame before the phase that writes it', () => {
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
    ).rejects.toThrowCode({ code: 'core/read-before-write', field: 'nodes.glow' });
  });
  it('writing a field both in substeps and in frames', () => {
    const w = writes('w');
    return expect(
      compile([
        ['force', w],
        ['pose', w],
      ]),
    ).rejects.toThrowCode({ code: 'core/two-rates', field: 'nodes.force' });
  });
  it('writing a field that all worlds share, or an input over time', async () => {
    await expect(
      compile([['force', writes('w')]], (m) => m.addField(nodes, 'force', f32, { shared: true, fill: 0 })),
    ).rejects.toThrowCode({
      code: 'core/read-only-field',
      field: 'nodes.force',
      values: ['writes nodes.force, which all worlds share'],
    });
    await expect(
      compile([['force', writes('w')]], (m) => m.addField(nodes, 'force', f32, { variesBy: 'frame', fill: 0 })),
    ).rejects.toThrowCode({
      code: 'core/read-only-field',
      field: 'nodes.force',
      values: ['kernel w writes nodes.force, which is an input over time'],
    });
  });
  it('ports whose shape, type or target domain differs from that of the field', async () => {
    const wide = kernel('wide', { domain: nodes, reads: { x: vec3 }, adds: { s: perWorld(vec3) } }, ({ x, s }) =>
      s.add(x),
    );
    await expect(compile([['force', wide]])).rejects.toThrowCode({
      code: 'core/wrong-type',
      field: 'nodes.x',
      values: [1, 'f32', 'wide'],
    });
    const whole = kernel('whole', { domain: nodes, writes: { x: u32 } }, () => ({ x: u32(1) }));
    await expect(compile([['force', whole]])).rejects.toThrowCode({
      code: 'core/wrong-type',
      field: 'nodes.x',
      values: [1, 'u32', 'f32', 'whole'],
    });
    const lost = kernel(
      'lost',
      { domain: 'links', reads: { end: index('links') }, adds: { s: fieldOn('links', f32) } },
      ({ end, s }) => s.add(end, f32(1)),
    );
    await expect(compile([['force', lost]])).rejects.toThrowCode({
      code: 'core/wrong-type',
      field: 'links.end',
      values: ['lost', 'nodes'],
    });
  });
  it('adding past the end of a domain, of one element too', async () => {
    const past = kernel(
      'past',
      { domain: 'links', reads: {}, adds: { s: fieldOn(nodes, f32) } },
      ({ s }, { element }) => s.add(element, f32(1)),
    );
    const declared = (m: Model): void => void m.addComputed(field('nodes', 's', f32));
    await expect(compile([['force', past]], declared)).rejects.toThrowCode({
      code: 'kernel/index-out-of-range',
      field: 'nodes.s',
      element: 'element 3 of links',
      values: ['past'],
    });
    const single = kernel(
      'single',
      { domain: 'links', reads: {}, adds: { s: fieldOn('lone', f32) } },
      ({ s }, { element }) => s.add(element, f32(1)),
    );
    await expect(
      compile([['force', single]], (m) => {
        m.addDomain('lone', 1);
        m.addComputed(field('lone', 's', f32));
      }),
    ).rejects.toThrowCode({
      code: 'kernel/index-out-of-range',
      field: 'lone.s',
      element: 'element 1 of links',
      values: ['single'],
    });
  });
});

describe('a model refuses values:', () => {
  it('indices out of range, naming field, element and value', () => {
    const model = new Model();
    model.addDomain('nodes', 3);
    model.addDomain('links', 2, { describe: (k) => `link ${k}` });
    const add = (values: number[]) => () => model.addIndex('links', 'end', 'nodes', 1, values);
    expect(add([0, 3])).toThrowCode({
      code: 'core/index-out-of-range',
      field: 'links.end',
      element: 'link 1',
      values: [3, 'nodes'],
    });
    expect(add([-1, 0])).toThrowCode({
      code: 'core/index-out-of-range',
      field: 'links.end',
      element: 'link 0',
      values: [-1],
    });
    expect(add([0.5, 0])).toThrowCode({ code: 'core/index-out-of-range', values: [0.5] });
    expect(add([0])).toThrowCode({ code: 'core/wrong-size', field: 'links.end', values: [2, 1] });
  });
  it('NaN and wrong counts, and unknown fields and domains', () => {
    const model = new Model();
    model.addDomain('nodes', 2, { describe: (k) => `node ${k}` });
    expect(() => model.addField('nodes', 'p', vec3, { values: [0, 0, 0, 0, Number.NaN, 0] })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'nodes.p',
      element: 'node 1',
      values: ['NaN'],
    });
    expect(() => model.addField('nodes', 'p', vec3, { values: [0, 0, 0] })).toThrowCode({
      code: 'core/wrong-size',
      field: 'nodes.p',
      values: [2, 3],
    });
    expect(() => model.addDomain('half', 1.5)).toThrowCode({ code: 'core/wrong-size', values: [1.5] });
    expect(() => model.field('nodes.q')).toThrowCode({ code: 'core/unknown-field', field: 'nodes.q' });
    expect(() => model.domain('edges')).toThrowCode({
      code: 'core/unknown-domain',
      values: ['"edges"', 'world, nodes'],
    });
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
