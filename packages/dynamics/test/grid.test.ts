import type { F32, Model, Reader, Scene, U32, Vec3 } from '@gradsim/core';
import {
  buildModel,
  column,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  dot,
  f32,
  f64Device,
  field,
  fieldOn,
  kernel,
  Model as ModelOf,
  mat22,
  mat33,
  sin,
  vec2,
  vec3,
} from '@gradsim/core';
import { checkPlugin } from '@gradsim/core/testing';
import type { EdgeRule, Grid } from '@gradsim/dynamics';
import { grid } from '@gradsim/dynamics';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import '../../../scripts/vitest/to-throw-code.ts';

const EDGES = ['wrap', 'clamp', 'zero'] as const;
const ONCE = { frames: 1, frameRate: 1, substeps: 1 };
const random = randomNumbers(seedOfRun('grid'));

/** Runs a model in doubles, and returns a field of its last frame. */
async function recorded(model: Model, key: string, run = ONCE): Promise<Float64Array> {
  const simulation = await createSimulation(model, { device: f64Device(), ...run, record: [key] });
  simulation.forward();
  const frames = await simulation.readFrames(key);
  return Float64Array.from(frames.slice((frames.length / run.frames) * (run.frames - 1)));
}

/** Value beyond an edge, of a list along one axis. */
function beyond(values: readonly number[], k: number, edge: EdgeRule): number {
  const n = values.length;
  if (edge === 'wrap') return values[((k % n) + n) % n];
  if (edge === 'clamp') return values[Math.min(Math.max(k, 0), n - 1)];
  return k < 0 || k >= n ? 0 : values[k];
}

describe('grid', () => {
  it.each(EDGES)('reads other nodes, edges of kind %s', async (edge) => {
    const n = 5;
    const values = Array.from({ length: n }, () => random());
    for (const by of [-7, -2, -1, 0, 1, 3, 5]) {
      const model = new ModelOf();
      const cells = grid(model, 'cells', { size: [n], spacing: 1, edge });
      model.addField('cells', 'u', f32, { values });
      const read = kernel(
        'read',
        { domain: cells, reads: { u: f32 }, writes: { other: f32 } },
        ({ u }, { element }) => ({ other: cells.at(element).shift(u, [by]) }),
      );
      model.addPass('observe', read);
      const other = await recorded(model, 'cells.other');
      expect(Array.from(other)).toEqual(values.map((_, k) => beyond(values, k + by, edge)));
    }
  });

  it('refuses fields of another grid, shifts and points of other axes', () => {
    const model = new ModelOf();
    const cells = grid(model, 'cells', { size: [4, 4], spacing: 1, edge: 'clamp' });
    grid(model, 'faces', { size: [4, 5], spacing: 1, edge: 'zero' });
    const flow = fieldOn('faces', f32);
    const reading = (of: (u: F32 & { at: never }, flow: Reader<F32>, element: U32) => F32) => () =>
      kernel(
        'read',
        { domain: cells, reads: { u: f32, flow }, writes: { other: f32 } },
        ({ u, flow: f }, { element }) => ({
          other: of(u as never, f, element),
        }),
      );
    expect(reading((_, f, element) => cells.at(element).shift(f, [1, 0]))).toThrowCode({
      code: 'kernel/wrong-domain',
      values: ['flow', 'faces', 'cells'],
    });
    for (const by of [[1], [0.5, 0], [1, 0, 0]])
      expect(reading((u, _, element) => cells.at(element).shift(u as never, by))).toThrowCode({
        code: 'dynamics/wrong-size',
        values: ['cells', '2'],
      });
    expect(reading((_, f) => cells.linear(vec3(0, 0, 0) as never).sum(({ node }) => f.at(node)))).toThrowCode({
      code: 'dynamics/wrong-size',
      values: ['cells', '2', '3'],
    });
  });

  it('has the axes in order, the last one fastest, each with its own edge', async () => {
    const size = [3, 4, 5] as const;
    const edges: EdgeRule[] = ['clamp', 'wrap', 'zero'];
    const values = Array.from({ length: 60 }, () => random());
    const model = new ModelOf();
    const cells = grid(model, 'cells', { size, spacing: 0.5, edge: edges, origin: [1, 2, -1] });
    model.addField('cells', 'u', f32, { values });
    const read = kernel(
      'read',
      { domain: cells, reads: { u: f32 }, writes: { other: f32, place: vec3 } },
      ({ u }, { element }) => {
        const here = cells.at(element);
        return { other: here.shift(u, [1, -1, 2]), place: here.position };
      },
    );
    model.addPass('observe', read);
    const [other, place] = [await recorded(model, 'cells.other'), await recorded(model, 'cells.place')];
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 4; j++)
        for (let k = 0; k < 5; k++) {
          const at = (i * 4 + j) * 5 + k;
          const row = Math.min(i + 1, 2) * 4 + ((j + 3) % 4);
          expect(other[at]).toBe(k + 2 < 5 ? values[row * 5 + k + 2] : 0);
          expect(Array.from(place.subarray(3 * at, 3 * at + 3))).toEqual([1 + i / 2, 2 + j / 2, -1 + k / 2]);
        }
    expect(model.describe('cells', 37)).toBe('node (1, 3, 2) of cells');
  });

  // Modes of the second difference with n nodes: its eigenvalue is 2 (cos q - 1) / h^2, and Euler's method takes a mode
  // to the power of the steps of 1 + dt eigenvalue.
  const MODES: Record<Exclude<EdgeRule, 'none'>, (n: number) => [q: number, mode: (k: number) => number]> = {
    wrap: (n) => [(4 * Math.PI) / n, (k) => Math.cos((4 * Math.PI * k) / n + 0.3)],
    clamp: (n) => [(2 * Math.PI) / n, (k) => Math.cos((2 * Math.PI * (k + 0.5)) / n)],
    zero: (n) => [(2 * Math.PI) / (n + 1), (k) => Math.sin((2 * Math.PI * (k + 1)) / (n + 1))],
  };
  it.each(EDGES)('diffuses a mode at the rate of its second difference, edges of kind %s', async (edge) => {
    const [rows, columns, h] = [12, 9, 0.25];
    const [[p, a], [q, b]] = [MODES[edge](rows), MODES[edge](columns)];
    const mode = Array.from({ length: rows * columns }, (_, k) => a(Math.floor(k / columns)) * b(k % columns));
    const model = new ModelOf();
    const cells = grid(model, 'cells', { size: [rows, columns], spacing: h, edge });
    model.addField('cells', 'heat', f32, { values: mode });
    const diffuse = kernel(
      'diffuse',
      { domain: cells, reads: { heat: f32 }, writes: { heat: f32 } },
      ({ heat }, { element, dt }) => ({ heat: heat.add(cells.at(element).laplacian(heat).mul(dt)) }),
    );
    model.addPass('integrate', diffuse);
    const run = { frames: 2, frameRate: 4, substeps: 30 };
    const heat = await recorded(model, 'cells.heat', run);
    const factor = (1 + ((2 * (Math.cos(p) + Math.cos(q) - 2)) / h ** 2) * (0.25 / 30)) ** 30;
    expect(factor).toBeLessThan(0.9);
    mode.forEach((value, k) => expect(heat[k]).toBeCloseTo(value * factor, 12));
  });

  it('has the second differences of a field of matrices', async () => {
    const model = new ModelOf();
    const cells = grid(model, 'cells', { size: [5], spacing: 0.5, edge: 'clamp' });
    // x^2 times entries 1 to 4, whose second differences are 2 of each.
    const bend = kernel('bend', { domain: cells, writes: { m: mat22 } }, (_, { element }) => {
      const x = cells.at(element).position;
      return { m: mat22(1, 2, 3, 4).mul(x.mul(x)) };
    });
    const bent = kernel(
      'bent',
      { domain: cells, reads: { m: mat22 }, writes: { curve: mat22 } },
      ({ m }, { element }) => ({
        curve: cells.at(element).laplacian(m),
      }),
    );
    model.addPass('pose', bend);
    model.addPass('pose', bent);
    const curve = await recorded(model, 'cells.curve');
    expect([...curve.slice(8, 12)]).toEqual([2, 4, 6, 8]);
  });

  it('has the gradient and divergence of linear fields', async () => {
    const model = new ModelOf();
    const cells = grid(model, 'cells', { size: [5, 6], spacing: 0.2, edge: 'clamp' });
    const slopes = kernel('slopes', { domain: cells, writes: { p: f32, v: vec2 } }, (_, { element }) => {
      const { x, y } = cells.at(element).position;
      return { p: x.mul(3).sub(y.mul(2)), v: vec2(x.mul(4).add(y), y.mul(-1.5).add(x)) };
    });
    const differences = kernel(
      'differences',
      { domain: cells, reads: { p: f32, v: vec2 }, writes: { slope: vec2, flow: f32 } },
      ({ p, v }, { element }) => {
        const here = cells.at(element);
        return { slope: here.gradient(p), flow: here.divergence(v) };
      },
    );
    for (const pass of [slopes, differences]) model.addPass('observe', pass);
    const [slope, flow] = [await recorded(model, 'cells.slope'), await recorded(model, 'cells.flow')];
    for (const inner of [7, 9, 14, 22]) {
      expect(slope[2 * inner]).toBeCloseTo(3, 12);
      expect(slope[2 * inner + 1]).toBeCloseTo(-2, 12);
      expect(flow[inner]).toBeCloseTo(2.5, 12);
    }
  });

  // B-splines of degree d have the moments 1, 0 and (d + 1) h^2 / 12 about the point; linear weights have no constant
  // second one.
  it.each([
    ['linear', undefined],
    ['spline2', 3 / 12],
    ['spline3', 4 / 12],
  ] as const)('has weights of %s with the moments of the spline', async (kind, second) => {
    const points = 40;
    const h = 0.3;
    const model = new ModelOf();
    const nodes = grid(model, 'nodes', { size: [7, 6, 8], spacing: h, edge: 'wrap', origin: [-1, 0, 2] });
    model.addDomain('points', points);
    model.addField('points', 'x', vec3, { values: Array.from({ length: 3 * points }, () => 6 * random() - 3) });
    const moments = kernel(
      'moments',
      { domain: 'points', reads: { x: vec3 }, writes: { sum: f32, first: vec3, second: vec3 } },
      ({ x }) => {
        const near = nodes[kind](x);
        return {
          sum: near.sum(({ weight }) => weight),
          first: near.sum(({ weight, offset }) => offset.mul(weight)),
          second: near.sum(({ weight, offset }) => offset.mul(offset).mul(weight)),
        };
      },
    );
    model.addPass('observe', moments);
    for (const sum of await recorded(model, 'points.sum')) expect(sum).toBeCloseTo(1, 12);
    for (const first of await recorded(model, 'points.first')) expect(first).toBeCloseTo(0, 12);
    if (second) for (const two of await recorded(model, 'points.second')) expect(two).toBeCloseTo(second * h * h, 12);
  });

  const ALL_EDGES = ['wrap', 'clamp', 'zero', 'none'] as const;
  it.each(
    ALL_EDGES.flatMap((edge) => (['linear', 'spline2', 'spline3'] as const).map((kind) => [kind, edge] as const)),
  )('has moments and spreads values axis by axis as node by node: %s, edges of kind %s', async (kind, edge) => {
    const [points, size, h] = [30, [7, 6, 8] as const, 0.3];
    const model = new ModelOf();
    model.addDomain('points', points);
    // Within by two nodes at least.
    const values = Array.from({ length: 3 * points }, (_, k) => h * (2 + (size[k % 3] - 5) * random()));
    const x = model.addField('points', 'x', vec3, { values });
    const nodes = grid(model, 'nodes', { size, spacing: h, edge, contains: x });
    model.addField('nodes', 'u', vec3, { values: Array.from({ length: 3 * 7 * 6 * 8 }, () => random() - 0.5) });
    const read = kernel(
      'read',
      { domain: 'points', reads: { x, u: fieldOn('nodes', vec3) }, writes: { difference: mat33, about: vec3 } },
      ({ x, u }) => {
        const near = nodes[kind](x);
        const { sum, byAxis } = near.moments((node) => u.at(node));
        const slow = (axis: number): Vec3 =>
          near.sum(({ node, weight, offset }) => u.at(node).mul(weight).mul(offset.components[axis]));
        const entries = byAxis.map((moment, axis) => moment.sub(slow(axis)).components);
        return {
          difference: mat33(...entries.flat()),
          about: sum.sub(near.sum(({ node, weight }) => u.at(node).mul(weight))),
        };
      },
    );
    const write = kernel(
      'write',
      { domain: 'points', reads: { x }, adds: { byAxis: fieldOn('nodes', vec2), byNode: fieldOn('nodes', vec2) } },
      ({ x, byAxis, byNode }, { element }) => {
        const near = nodes[kind](x);
        const value = vec2(x.x, element.toF32());
        const slopes = [vec2(x.y, 0), vec2(1, x.z), vec2(0, x.x)];
        near.spread(value, slopes, (node, part) => byAxis.add(node, part));
        for (const { node, weight, offset } of near) {
          const here = slopes.map((slope, axis) => slope.mul(offset.components[axis])).reduce((a, b) => a.add(b));
          byNode.add(node, value.add(here).mul(weight));
        }
      },
    );
    model.addField('nodes', 'byAxis', vec2);
    model.addField('nodes', 'byNode', vec2);
    for (const pass of [read, write]) model.addPass('observe', pass);
    for (const key of ['points.difference', 'points.about'])
      for (const value of await recorded(model, key)) expect(value).toBeCloseTo(0, 13);
    const [quick, slow] = [await recorded(model, 'nodes.byAxis'), await recorded(model, 'nodes.byNode')];
    expect(Math.max(...slow.map(Math.abs))).toBeGreaterThan(1);
    slow.forEach((value, k) => expect(quick[k]).toBeCloseTo(value, 12));
  });

  it('asks which positions have stencils where nothing is beyond the edges', () => {
    expect(() => grid(new ModelOf(), 'nodes', { size: [6], spacing: 1, edge: 'none' })).toThrow(/`contains` names/);
  });

  it.each(EDGES)('finds the nodes around a point anywhere, edges of kind %s', async (edge) => {
    const n = 6;
    const values = Array.from({ length: n }, () => random());
    const points = Array.from({ length: 60 }, () => 30 * random() - 12);
    const model = new ModelOf();
    const nodes = grid(model, 'nodes', { size: [n], spacing: 1, edge });
    model.addField('nodes', 'u', f32, { values });
    model.addDomain('points', points.length);
    model.addField('points', 'x', f32, { values: points });
    const read = kernel(
      'read',
      { domain: 'points', reads: { x: f32, u: fieldOn('nodes', f32) }, writes: { value: f32 } },
      ({ x, u }) => ({ value: nodes.linear(x).sum(({ node, weight }) => u.at(node).mul(weight)) }),
    );
    model.addPass('observe', read);
    const value = await recorded(model, 'points.value');
    points.forEach((x, k) => {
      const low = Math.floor(x);
      const expected = beyond(values, low, edge) * (low + 1 - x) + beyond(values, low + 1, edge) * (x - low);
      expect(value[k]).toBeCloseTo(expected, 12);
    });
  });

  it('names the point that leaves it', async () => {
    const found = run(drifting({ velocity: [0, 3, 0] }));
    await expect(found).rejects.toThrowCode('core/alarm');
    await expect(found).rejects.toThrow(/drop 2 has left the grid "nodes": it is at \(.*y from 0\.25 to 1\.75 m/);
  });

  it('refuses options out of their range', () => {
    const model = new ModelOf();
    const bad: [object, RegExp][] = [
      [{ size: [0, 4] }, /size is/],
      [{ size: [4000, 5000] }, /16777216 nodes/],
      [{ spacing: 0 }, /spacing is 0/],
      [{ edge: ['wrap'] }, /one for each of 2 axes/],
      [{ edge: 'open' }, /"open"/],
      [{ origin: [0, Number.NaN] }, /origin/],
      [{ contains: field('points', 'x', f32) }, /contains 1/],
      [{ sizes: 3 }, /sizes/],
    ];
    for (const [options, message] of bad) {
      const good = { size: [4, 4], spacing: 1, edge: 'wrap' } as const;
      expect(() => grid(model, 'cells', { ...good, ...options } as typeof good)).toThrow(message);
    }
    expect(model.domains.has('cells')).toBe(false);
  });
});

const Drop = defineComponent(
  'drops',
  { position: column(vec3, { unit: 'm' }), velocity: column(vec3, { default: 0, unit: 'm/s' }) },
  {},
  { noun: 'drop' },
);

/** Drops that are carried along by a flow on a grid, and stir it. */
const stirring = (edge: EdgeRule | EdgeRule[], isHeld = false) =>
  definePlugin({
    name: 'stirring',
    contract: 1,
    components: [Drop],
    build: ({ model }) => {
      const { position, velocity } = Drop;
      const nodes: Grid<'nodes', Vec3> = grid(model, 'nodes', {
        size: [6, 9, 7],
        spacing: 0.25,
        edge,
        ...(isHeld ? { contains: position } : {}),
      });
      model.addField('nodes', 'flow', vec3);
      const stir = kernel(
        'stir',
        { domain: Drop, reads: { position, velocity }, adds: { push: fieldOn('nodes', vec3) } },
        ({ position, velocity, push }) => {
          for (const { node, weight, offset } of nodes.spline2(position))
            push.add(node, velocity.add(offset.mul(dot(velocity, velocity))).mul(weight));
          for (const { node, weight } of nodes.spline3(position)) push.add(node, velocity.mul(weight));
        },
      );
      const mix = kernel(
        'mix',
        { domain: nodes, reads: { flow: vec3, push: vec3 }, writes: { flow: vec3, still: f32 } },
        ({ flow, push }, { element, dt }) => {
          const here = nodes.at(element);
          const spread = here
            .laplacian(flow)
            .mul(0.02)
            .add(here.shift(flow, [1, 0, -1]));
          return { flow: flow.add(spread.add(push).mul(dt)), still: here.divergence(flow) };
        },
      );
      const ease = kernel(
        'ease',
        { domain: nodes, reads: { flow: vec3, still: f32 }, writes: { flow: vec3 } },
        ({ flow, still }, { element, dt }) => ({
          flow: flow.sub(nodes.at(element).gradient(still).mul(dt.mul(0.01))),
        }),
      );
      const carry = kernel(
        'carry',
        {
          domain: Drop,
          reads: { position, velocity, flow: fieldOn('nodes', vec3) },
          writes: { position, velocity },
        },
        ({ position, velocity, flow }, { dt }) => {
          // Within one cell, since linear weights have a kink at each node, which differences might meet.
          const probe = vec3(...(position.components.map((x) => sin(x).mul(0.1).add(0.625)) as [F32, F32, F32]));
          const v = velocity
            .add(nodes.spline2(position).sum(({ node, weight }) => flow.at(node).mul(weight)))
            .add(nodes.linear(probe).sum(({ node, weight }) => flow.at(node).mul(weight)));
          return { velocity: v, position: position.add(v.mul(dt)) };
        },
      );
      model.addPass('force', stir);
      for (const pass of [mix, ease, carry]) model.addPass('integrate', pass);
    },
  });
const RUN = { frames: 3, frameRate: 20, substeps: 4 };

function drifting({ velocity = [0.2, -0.3, 0.1], edge = 'clamp' as EdgeRule | EdgeRule[], isHeld = true } = {}) {
  const scene = createScene([stirring(edge, isHeld)]);
  for (let k = 0; k < 8; k++)
    scene.add(Drop, {
      position: [0.4 + 0.5 * random(), 0.6 + 0.6 * random(), 0.5 + 0.6 * random()],
      velocity: k === 2 ? velocity.map((v) => 5 * v) : velocity.map((v) => v * random()),
    });
  return scene;
}

async function run(scene: Scene): Promise<ArrayLike<number>> {
  const simulation = await createSimulation(buildModel(scene), { device: f64Device(), ...RUN });
  simulation.forward();
  return simulation.read(Drop.position);
}

describe('a grid in a simulation', () => {
  it.each([
    ['clamp', true],
    [['wrap', 'zero', 'clamp'], false],
    ['zero', false],
  ] as [EdgeRule | EdgeRule[], boolean][])('has exact derivatives and repeats, edges %s', async (edge, isHeld) => {
    const { velocity, position } = Drop;
    const scene = drifting({ edge, isHeld });
    await checkPlugin(scene, { ...RUN, parameters: [velocity, position], outputs: [position, 'nodes.flow'] });
  });
});
