import type { Device } from '@gradsim/core';
import {
  abs,
  cpuDevice,
  createSimulation,
  detach,
  f32,
  f64Device,
  fieldOn,
  forRange,
  index,
  kernel,
  Model,
  select,
  several,
  u32,
  vec2,
} from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { compiledOf } from '../../src/tape/simulation.ts';

/** Number of points of the model. */
const POINTS = 7;
/** Capacity of a point's list of neighbours. */
const ROOM = 3;
/** Distance below which two points are neighbours, m. */
const REACH = 0.35;

/**
 * Kernel of the search: lists the points within `REACH` of each point, at most `ROOM` of them, and stores the point's
 * position.
 */
const look = kernel(
  'look',
  {
    domain: 'points',
    reads: { x: fieldOn('points', f32), own: index('points'), full: vec2 },
    writes: { near: several('entries', u32, ROOM), count: u32, seen: f32, full: vec2 },
  },
  ({ x, own, full }, { substep }) => {
    const here = x.at(own);
    const start = { count: u32(0), a: u32(0), b: u32(0), c: u32(0) };
    const found = forRange(0, POINTS, start, (k, { count, ...list }) => {
      const isNear = abs(x.at(k).sub(here)).lt(REACH).and(k.ne(own));
      const put = (slot: number, before: typeof count) => select(isNear.and(count.eq(slot)), k, before);
      return {
        count: count.add(select(isNear, u32(1), u32(0))),
        a: put(0, list.a),
        b: put(1, list.b),
        c: put(2, list.c),
      };
    });
    const overflows = found.count.gt(ROOM).and(full.x.eq(0));
    return {
      near: [found.a, found.b, found.c],
      count: found.count,
      seen: detach(here),
      full: select(overflows, vec2(substep.toF32().add(1), found.count.toF32()), full),
    };
  },
);
/** Kernel that pulls a point back to its position at the last search, in proportion to its number of neighbours. */
const pull = kernel(
  'pull',
  {
    domain: 'points',
    reads: { x: f32, v: f32, seen: f32, count: u32, stiffness: f32 },
    writes: { x: f32, v: f32 },
  },
  ({ x, v, seen, count, stiffness }, { dt }) => {
    const next = v.sub(stiffness.mul(x.sub(seen)).mul(count.toF32().add(1)).mul(dt));
    return { v: next, x: x.add(next.mul(dt)) };
  },
);
/** Kernel that sums the numbers of neighbours, read from the lists. */
const sum = kernel(
  'sum',
  {
    domain: 'points',
    reads: { near: fieldOn('entries', u32), count: u32, own: index('points') },
    writes: { sum: f32 },
  },
  ({ near, count, own }) => ({
    sum: forRange(0, count, f32(0), (k, s) => s.add(near.at(own.mul(ROOM).add(k)).toF32())),
  }),
);

const START = [0, 0.3, 0.5, 1.4, 1.5, 2, 3];
const SPEED = [1, -0.5, 0.2, 0.3, -0.4, 0.1, 0];

function points(every: number): Model {
  const model = new Model();
  model.addDomain('points', POINTS);
  model.addDomain('entries', POINTS * ROOM);
  model.addIndex(
    'points',
    'own',
    'points',
    1,
    START.map((_, k) => k),
  );
  model.addField('points', 'x', f32, { values: START });
  model.addField('points', 'v', f32, { values: SPEED });
  model.addField('points', 'stiffness', f32, { fill: 3 });
  model.addField('points', 'sum', f32, { fill: 0 });
  model.addAlarm(
    'points',
    'full',
    vec2,
    ([count], name) => `${name} has ${count} points around it, and room for ${ROOM}`,
  );
  model.searchEvery(every);
  model.addPass('search', look);
  model.addPass('force', sum);
  model.addPass('integrate', pull);
  return model;
}

/** Returns the expected positions and sums, computed in plain JavaScript. */
function expected(x: number[], v: number[], every: number, substeps: number, dt: number) {
  let seen: number[] = [];
  let near: number[][] = [];
  for (let n = 0; n < substeps; n++) {
    if (n % every === 0) {
      seen = [...x];
      near = x.map((a, i) => [...x.keys()].filter((k) => k !== i && Math.abs(x[k] - a) < REACH));
    }
    v = v.map((a, i) => a - 3 * (x[i] - seen[i]) * (near[i].length + 1) * dt);
    x = x.map((a, i) => a + v[i] * dt);
  }
  return { x, sums: near.map((list) => list.reduce((s, k) => s + k, 0)) };
}

const RUN = { frames: 3, frameRate: 10, substeps: 25, outputs: ['points.x', 'points.sum'] };
/** Length of a substep, s. */
const DT = 1 / 250;

describe.each([['f64', f64Device] as const, ['cpu', cpuDevice] as const])(
  'phase search on %s',
  (_, open: () => Device | Promise<Device>) => {
    it('runs at its interval, in each world independently', async () => {
      const simulation = await createSimulation(points(8), { ...RUN, device: await open(), worlds: 2 });
      const other = START.map((x) => 1.3 * x);
      simulation.set('points.x', other, 1);
      simulation.forward();
      const [x, sums] = [await simulation.read('points.x'), await simulation.read('points.sum')];
      [START, other].forEach((start, w) => {
        const right = expected(start, SPEED, 8, 50, DT);
        right.x.forEach((value, k) => expect(x[w * POINTS + k]).toBeCloseTo(value, 5));
        expect([...sums.slice(w * POINTS, (w + 1) * POINTS)]).toEqual(right.sums);
      });
    });

    it('gives the same gradient with and without checkpoints, bit for bit', async () => {
      const device = await open();
      const gradients: Float64Array[][] = [];
      const histories = new Set<string>();
      for (const memory of [1e6, 8000, 5000, 3600]) {
        const simulation = await createSimulation(points(6), {
          ...RUN,
          device,
          parameters: ['points.x', 'points.v', 'points.stiffness'],
          memory,
        });
        histories.add(JSON.stringify(compiledOf(simulation).history));
        simulation.forward();
        simulation.backward({
          'points.x': [1, 2, -1, 3, 0.5, -2, 1],
          'points.sum': new Float64Array(POINTS),
        });
        gradients.push([
          await simulation.gradient('points.x'),
          await simulation.gradient('points.v'),
          await simulation.gradient('points.stiffness'),
        ]);
      }
      expect(histories.size).toBeGreaterThan(2);
      for (const gradient of gradients) expect(gradient).toEqual(gradients[0]);
      expect(Math.hypot(...gradients[0][2])).toBeGreaterThan(1e-4);
    });

    it('raises an alarm that blocks all results, and is cleared for the next run', async () => {
      const simulation = await createSimulation(points(8), { ...RUN, device: await open(), worlds: 2 });
      // Point 3 passes three others between two searches.
      simulation.set('points.x', [0, 0.1, 0.2, 0.6, 2, 3, 4], 1);
      simulation.set('points.v', [0, 0, 0, -3, 0, 0, 0], 1);
      simulation.set('points.x', [0, 0.1, 0.2, 0.3, 2, 3, 4], 0);
      simulation.set('points.v', new Float64Array(POINTS), 0);
      simulation.forward();
      expect(await simulation.read('points.sum')).toHaveLength(2 * POINTS);
      simulation.set('points.x', [0, 0.1, 0.2, 0.25, 0.3, 3, 4], 1);
      simulation.forward();
      await expect(simulation.read('points.x')).rejects.toThrowCode({
        code: 'core/alarm',
        element: 'element 0 of points',
        values: [4, 3, 1],
      });
      simulation.set('points.x', START);
      simulation.forward();
      expect(await simulation.read('points.x')).toHaveLength(2 * POINTS);
    });
  },
);

describe('phase search', () => {
  it('is refused, naming its kernel, if it alone reads a parameter', async () => {
    const model = new Model();
    model.addDomain('points', 2);
    model.addField('points', 'x', f32, { fill: 1 });
    model.addField('points', 'reach', f32, { fill: 1 });
    const look = { domain: 'points', reads: { reach: f32 }, writes: { seen: f32 } } as const;
    model.addPass(
      'search',
      kernel('look', look, ({ reach }) => ({ seen: reach })),
    );
    const move = { domain: 'points', reads: { x: f32, seen: f32 }, writes: { x: f32 } } as const;
    model.addPass(
      'integrate',
      kernel('move', move, ({ x, seen }) => ({ x: x.add(seen) })),
    );
    model.searchEvery(1);
    const run = { device: f64Device(), frames: 2, frameRate: 10, substeps: 1, outputs: ['points.x'] };
    await expect(createSimulation(model, { ...run, parameters: ['points.reach'] })).rejects.toThrowCode({
      code: 'core/found-by-search',
      field: 'points.reach',
      values: ['look'],
    });
  });

  it('refuses its results read at another rate, kept as states, or written twice', async () => {
    const device = f64Device();
    const build = (change: (model: Model) => void): Promise<unknown> => {
      const model = points(4);
      change(model);
      return createSimulation(model, { ...RUN, device });
    };
    const show = kernel('show', { domain: 'points', reads: { seen: f32 }, writes: { shown: f32 } }, ({ seen }) => ({
      shown: seen,
    }));
    await expect(build((model) => model.addPass('observe', show))).rejects.toThrowCode({
      code: 'core/found-by-search',
      field: 'points.seen',
    });
    const keep = kernel(
      'keep',
      { domain: 'points', reads: { kept: f32, x: f32 }, writes: { kept: f32 } },
      ({ kept, x }) => ({ kept: kept.add(x) }),
    );
    await expect(
      build((model) => {
        model.addField('points', 'kept', f32, { fill: 0 });
        model.addPass('search', keep);
      }),
    ).rejects.toThrowCode({ code: 'core/read-before-write', field: 'points.kept' });
    const again = kernel('again', { domain: 'points', reads: { x: f32 }, writes: { seen: f32 } }, ({ x }) => ({
      seen: x,
    }));
    await expect(build((model) => model.addPass('force', again))).rejects.toThrowCode({
      code: 'core/two-phases',
      field: 'points.seen',
    });
    expect(() => points(0)).toThrowCode({ code: 'core/option-out-of-range', values: [1, 0, 'searchEvery'] });
  });

  it('refuses lists that do not fit their domain', async () => {
    const model = points(4);
    model.domains.set('entries', { name: 'entries', size: 5, elementsTogether: false });
    await expect(createSimulation(model, { ...RUN, device: f64Device() })).rejects.toThrowCode({
      code: 'kernel/wrong-size',
      field: 'entries.near',
      values: [3, 7, 5, 'look', 'points'],
    });
  });
});
