import type { Device, F32, Kernel, U32 } from '@gradsim/core';
import {
  bind,
  cpuDevice,
  createSimulation,
  f32,
  f64Device,
  fieldOn,
  floor,
  forRange,
  index,
  kernel,
  loop,
  Model,
  NO_ELEMENT,
  select,
  u32,
  vec2,
  vec3,
  vec4,
  when,
} from '@gradsim/core';
import { checkKernel } from '@gradsim/core/testing';
import { webgpuDevice } from '@gradsim/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFields } from '../../../kernel/test/support/random.ts';
import { describeWithAdapter } from '../../../kernel/test/webgpu-adapter.ts';

const { numbers, wholes } = randomFields('additions anywhere');

/** Returns the index of one of seven nodes, from a value in [-1, 1). */
const nodeOf = (x: F32): U32 => floor(x.add(1).mul(3.4999)).toU32();

/** Kernel that adds, in branches and loops, at elements which index fields name. */
const branches = kernel(
  'branches',
  {
    domain: 'links',
    reads: { ends: index('nodes', 2), x: fieldOn('nodes', vec3), w: f32 },
    adds: { f: fieldOn('nodes', vec3), g: fieldOn('nodes', f32), own: f32 },
  },
  ({ ends: [i, j], x, w, f, g, own }) => {
    const d = x.at(i).sub(x.at(j));
    when(
      w.gt(0),
      () => {
        f.add(i, d.mul(w));
        g.add(j, w.mul(w));
        own.add(w);
      },
      () => {
        f.add(i, d.mul(w.mul(2)));
        f.add(j, d);
      },
    );
    forRange(0, 3, w, (k, s) => {
      f.add(j, d.mul(s));
      when(s.gt(0.33), () => own.add(s.mul(s)));
      return s.mul(0.5).add(k.toF32().mul(0.1));
    });
  },
);

/** Kernel that adds at a different element in every round of a loop; the host knows which. */
const rounds = kernel(
  'rounds',
  { domain: 'links', reads: { x: f32, w: f32 }, adds: { f: fieldOn('nodes', f32), h: fieldOn('nodes', vec2) } },
  ({ x, w, f, h }, { element }) => {
    forRange(1, 4, w, (k, s) => {
      f.add(element.add(k).rem(7), s.mul(x));
      when(s.gt(0), () => h.add(element.mul(k).rem(7), vec2(s.mul(s), x)));
      forRange(0, 2, {}, (j) => {
        f.add(element.add(k.mul(j)).rem(7), s.mul(s).mul(j.toF32().add(1)));
        return {};
      });
      return s.mul(0.5).add(x);
    });
  },
);

/** Kernel that adds, in branches and loops, at elements known only at run time. */
const computed = kernel(
  'computed',
  {
    domain: 'links',
    reads: { x: f32, w: f32, n: u32 },
    adds: { f: fieldOn('nodes', f32), h: fieldOn('nodes', vec2) },
  },
  ({ x, w, n, f, h }) => {
    const node = nodeOf(x);
    f.add(node, w.mul(w));
    when(w.gt(0), () => h.add(node, vec2(w, x)));
    forRange(0, n, w, (k, s) => {
      f.add(node.add(k).rem(7), s.mul(x));
      return s.mul(s).add(x);
    });
    when(x.gt(0.2), () => {
      forRange(0, 2, {}, (k) => {
        h.add(node.mul(2).add(k).rem(7), vec2(x.mul(w), w));
        return {};
      });
    });
    loop(
      { s: w, k: u32(0) },
      ({ s, k }) => k.lt(3).and(s.lt(1)),
      ({ s, k }) => {
        f.add(node.add(k.mul(3)).rem(7), s.mul(s).mul(x));
        return { s: s.add(x.mul(x)).add(0.3), k: k.add(1) };
      },
    );
  },
);

/** Kernel that adds vectors at so many elements known only at run time that they go to private accumulators. */
const spread = kernel(
  'spread',
  {
    domain: 'links',
    reads: { x: f32, w: f32 },
    adds: { three: fieldOn('nodes', vec3), four: fieldOn('nodes', vec4) },
  },
  ({ x, w, three, four }) => {
    const node = nodeOf(x);
    for (let k = 0; k < 9; k++) {
      const at = node.add(k).rem(7);
      three.add(select(at.eq(3), NO_ELEMENT, at), vec3(w, x.mul(k), x.mul(w)));
      four.add(at, vec4(x, w, x.mul(w), w.mul(k)));
    }
    when(w.gt(0), () => four.add(node, vec4(w, w.mul(w), x, 1)));
  },
);

/** Kernel that reads, in branches and loops, at elements known only at run time. */
const reading = kernel(
  'reading',
  {
    domain: 'links',
    reads: { x: f32, n: u32, list: index('nodes', 2), y: fieldOn('nodes', f32), z: fieldOn('nodes', vec2) },
    writes: { sum: f32 },
  },
  ({ x, n, list: [i, j], y, z }, { element }) => {
    const node = nodeOf(x);
    const top = y.at(node).mul(x).add(z.at(node).x);
    const known = forRange(0, 3, top, (k, s) => s.add(y.at(element.add(k).rem(7)).mul(s)));
    const own = forRange(0, n, known, (k, s) => s.mul(0.5).add(z.at(i.add(k).rem(7)).y.mul(y.at(j))));
    const branch = when(
      x.gt(0),
      () => forRange(0, 2, own, (k, s) => s.add(y.at(node.add(k).rem(7)).mul(s).mul(s))),
      () => y.at(i).mul(own),
    );
    const { s } = loop(
      { s: branch, k: u32(0) },
      ({ k }) => k.lt(n),
      ({ s, k }) => ({ s: s.mul(0.5).add(z.at(node.add(k.mul(2)).rem(7)).x.mul(s)), k: k.add(1) }),
    );
    return { sum: s };
  },
);

describe('kernels that add to or read other elements have derivatives that agree with differences:', () => {
  // Away from the jumps of `nodeOf` and from branch boundaries.
  const values = {
    x: [-0.9, -0.52, -0.31, -0.12, 0.05, 0.31, 0.43, 0.7, 0.9],
    w: [0.31, -0.42, 0.55, -0.6, 0.72, 0.8, -0.35],
    n: [0, 3, 1, 4, 2],
  };
  const sizes = { links: 11, nodes: 7 };
  const cases: [Kernel, object][] = [
    [branches, { values: { w: values.w }, sizes }],
    [rounds, { ranges: { x: [0.1, 0.4], w: [0.2, 0.9] }, sizes }],
    [computed, { values, sizes, edges: { x: [], w: [] } }],
    [spread, { values: { x: values.x, w: values.w }, sizes, edges: { x: [], w: [] } }],
    [reading, { values: { x: values.x, n: values.n }, sizes, edges: { x: [] } }],
  ];
  for (const [k, options] of cases) it(k.name, () => checkKernel(k, options));
});

/** Builds a model that runs all of the kernels above in every substep. */
function modelOf(links: number): Model {
  const model = new Model();
  model.addDomain('nodes', 7);
  model.addDomain('links', links);
  model.addIndex('links', 'ends', 'nodes', 2, wholes(2 * links, 0, 7));
  model.addField('links', 'x', f32, { values: numbers(links, -0.95, 0.95) });
  model.addField('links', 'w', f32, { values: numbers(links, -1, 1) });
  model.addField('links', 'n', u32, { values: wholes(links, 0, 5) });
  model.addField('nodes', 'x', vec3, { values: numbers(21) });
  model.addField('nodes', 'y', f32, { values: numbers(7, -0.5, 0.5) });
  model.addField('nodes', 'z', vec2, { values: numbers(14, -0.5, 0.5) });
  model.addField('nodes', 't', vec3, { fill: 0 });
  model.addField('links', 'total', f32, { fill: 0 });
  model.addPass('force', branches);
  model.addPass('force', bind(rounds, { f: 'f1', h: 'h1' }));
  model.addPass('force', bind(computed, { f: 'f2', h: 'h2' }));
  model.addPass('force', spread);
  model.addPass('force', bind(reading, { list: 'ends' }));
  const gather = kernel(
    'gather',
    {
      domain: 'nodes',
      reads: { f: vec3, g: f32, f1: f32, h1: vec2, f2: f32, h2: vec2, three: vec3, four: vec4, t: vec3 },
      writes: { t: vec3 },
    },
    ({ f, g, f1, h1, f2, h2, three, four, t }) => ({
      t: t
        .mul(0.5)
        .add(f)
        .add(vec3(g, f1, f2))
        .add(vec3(h1.x, h1.y, h2.x))
        .add(vec3(h2.y, 0, 0))
        .add(three)
        .add(vec3(four.x, four.y.add(four.z), four.w)),
    }),
  );
  const keep = kernel(
    'keep',
    { domain: 'links', reads: { own: f32, sum: f32, total: f32 }, writes: { total: f32 } },
    ({ own, sum, total }) => ({ total: total.add(own).add(sum) }),
  );
  model.addPass('integrate', gather);
  model.addPass('integrate', keep);
  return model;
}

const PARAMETERS = ['links.x', 'links.w', 'nodes.x', 'nodes.y', 'nodes.z'];

async function results(model: Model, device: Device, worlds: number, seed: Float32Array) {
  const simulation = await createSimulation(model, {
    device,
    worlds,
    frames: 2,
    frameRate: 10,
    substeps: 3,
    parameters: PARAMETERS,
    outputs: ['nodes.t', 'links.total'],
  });
  const links = model.domain('links').size;
  for (let world = 0; world < worlds; world++)
    simulation.set(
      'links.x',
      Float64Array.from(model.field('links.x').values!, (x) => Math.fround(x * (1 - 0.1 * world))),
      world,
    );
  simulation.forward();
  simulation.backward({
    'nodes.t': seed.slice(0, 21 * worlds),
    'links.total': seed.slice(0, links * worlds),
  });
  const all = [await simulation.read('nodes.t'), await simulation.read('links.total')];
  for (const key of PARAMETERS) all.push(await simulation.gradient(key));
  simulation.dispose();
  return all;
}

describe('additions at run-time indices agree between devices', () => {
  const sizes = [3, 13, 90].flatMap((links) => [1, 3, 4].map((worlds) => [links, worlds]));
  for (const [links, worlds] of sizes) {
    it(`${links} links in ${worlds} worlds: same bits with SIMD, without it and on 2 threads, doubles within 1e-4`, async () => {
      const model = modelOf(links);
      const seed = numbers(100 * worlds);
      const run = (device: Device) => results(model, device, worlds, seed);
      const exact = await run(f64Device());
      const doubles = await run({ ...f64Device(), scatters: 'sorted' });
      const fast = await run(cpuDevice());
      const same = [await run(cpuDevice({ simd: false })), await run(cpuDevice({ threads: 2 }))];
      const sorted = await run({ ...cpuDevice(), scatters: 'sorted' });
      exact.forEach((values, k) => {
        for (const others of same) expect(others[k]).toEqual(fast[k]);
        const scale = Math.max(...values.map(Math.abs));
        values.forEach((value, at) => {
          expect(Math.abs(doubles[k][at] - value)).toBeLessThanOrEqual(1e-12 * scale);
          expect(Math.abs(fast[k][at] - value)).toBeLessThanOrEqual(1e-4 * scale);
          expect(Math.abs(sorted[k][at] - value)).toBeLessThanOrEqual(1e-4 * scale);
        });
      });
    });
  }
});

describeWithAdapter('additions anywhere on the device webgpu', () => {
  // One device: shaders do not depend on sizes and are compiled once.
  let device: Device;
  beforeAll(async () => {
    device = await webgpuDevice({ allowSoftware: true });
  });
  afterAll(() => device.dispose());

  const sizes = [
    [13, 1],
    [300, 1],
    [90, 3],
  ];
  for (const [links, worlds] of sizes) {
    it(`additions at run-time indices on webgpu, ${links} links in ${worlds} worlds: agree with doubles to 1e-4, with the same bits in a second run`, async () => {
      const model = modelOf(links);
      const seed = numbers(links * worlds + 21 * worlds);
      const exact = await results(model, f64Device(), worlds, seed);
      const found = await results(model, device, worlds, seed);
      expect(await results(model, device, worlds, seed)).toEqual(found);
      exact.forEach((values, k) => {
        const scale = Math.max(...values.map(Math.abs));
        values.forEach((value, at) => expect(Math.abs(found[k][at] - value)).toBeLessThanOrEqual(1e-4 * scale));
      });
    });
  }
});
