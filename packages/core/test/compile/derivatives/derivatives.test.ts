import * as g from '@gradsim/core';
import {
  adjointOf,
  f32,
  fieldOn,
  forRange,
  index,
  kernel,
  loop,
  perWorld,
  select,
  u32,
  vec3,
  when,
} from '@gradsim/core';
import type { KernelCheckOptions } from '@gradsim/core/testing';
import { checkKernel } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('kernel derivatives');
const check = (k: g.Kernel, options: KernelCheckOptions = {}) => checkKernel(k, { seed: SEED, ...options });

/** Kernel that computes y = f(a, b) for each element. */
const ofTwo = (name: string, f: (a: g.F32, b: g.F32) => g.F32): g.Kernel =>
  kernel(name, { domain: 'things', reads: { a: f32, b: f32 }, writes: { y: f32 } }, ({ a, b }) => ({
    y: f(a, b),
  }));

// Every scalar operation with a derivative, over a range where it has one; the product with b makes the incoming
// adjoint differ from element to element and gives every operation a second use.
type Range = readonly [number, number];
const operations: Record<string, { f: (a: g.F32, b: g.F32) => g.F32; a?: Range; b?: Range }> = {
  add: { f: (a, b) => a.add(b).mul(b) },
  sub: { f: (a, b) => a.sub(b).mul(b) },
  mul: { f: (a, b) => a.mul(b) },
  div: { f: (a, b) => a.div(b), b: [0.5, 2] },
  rem: { f: (a, b) => a.mul(3).rem(2).mul(b), a: [0.1, 0.6] },
  neg: { f: (a, b) => a.neg().mul(b) },
  min: { f: (a, b) => g.min(a, b).mul(b) },
  max: { f: (a, b) => g.max(a, b).mul(a) },
  clamp: { f: (a, b) => g.clamp(a, -0.4, 0.4).mul(b) },
  abs: { f: (a, b) => g.abs(a).mul(b) },
  sign: { f: (a, b) => g.sign(a).mul(b) },
  floor: { f: (a, b) => g.floor(a.mul(3)).mul(b) },
  ceil: { f: (a, b) => g.ceil(a.mul(3)).mul(b) },
  sqrt: { f: (a, b) => g.sqrt(a).mul(b), a: [0.2, 3] },
  exp: { f: (a, b) => g.exp(a).mul(b) },
  log: { f: (a, b) => g.log(a).mul(b), a: [0.2, 3] },
  sin: { f: (a, b) => g.sin(a).mul(b) },
  cos: { f: (a, b) => g.cos(a).mul(b) },
  tan: { f: (a, b) => g.tan(a).mul(b) },
  asin: { f: (a, b) => g.asin(a).mul(b), a: [-0.8, 0.8] },
  acos: { f: (a, b) => g.acos(a).mul(b), a: [-0.8, 0.8] },
  atan: { f: (a, b) => g.atan(a).mul(b) },
  atan2: { f: (a, b) => g.atan2(a, b).mul(b), b: [0.3, 1] },
  tanh: { f: (a, b) => g.tanh(a).mul(b) },
  sigmoid: { f: (a, b) => g.sigmoid(a.mul(5)).mul(b) },
  pow: { f: (a, b) => g.pow(a, b), a: [0.2, 3], b: [1.2, 2] },
  select: { f: (a, b) => select(a.gt(b), a.mul(a), b.mul(a)) },
};

describe('scalar operations have tangents and adjoints that agree with differences:', () => {
  const whole: Range = [-1, 1];
  for (const [name, { f, a = whole, b = whole }] of Object.entries(operations)) {
    it(name, () => check(ofTwo(name, f), { ranges: { a, b } }));
  }
});

describe('gradient checks of vectors, matrices, quaternions', () => {
  it('dot, cross, norm, normalize, component products', () =>
    check(
      kernel('vectors', { domain: 'things', reads: { a: vec3, b: vec3 }, writes: { y: vec3, s: f32 } }, ({ a, b }) => ({
        y: g
          .cross(a, g.normalize(b))
          .add(a.mul(b))
          .sub(a.div(g.norm(b).add(1)))
          .neg(),
        s: g.dot(a, b),
      })),
    ));
  it('matrices: product, inverse, determinant, transpose, trace, outer', () =>
    check(
      kernel(
        'matrices',
        {
          domain: 'things',
          reads: { m: g.mat33, n: g.mat22, v: vec3 },
          writes: { y: g.mat33, z: g.mat22, d: f32, w: vec3 },
        },
        ({ m, n, v }) => {
          const near = m.add(g.identity(3).mul(4));
          const near2 = n.add(g.identity(2).mul(4));
          return {
            y: g
              .inverse(near)
              .mul(g.transpose(m))
              .add(g.outer(v, m.row(1))),
            z: g.inverse(near2).sub(n),
            d: g.determinant(m).add(g.traceOf(m)).mul(g.determinant(n)),
            w: near.mul(v).add(g.matFromColumns([v, v, m.column(2)]).mul(v)),
          };
        },
      ),
    ));
  it('quaternions: product, rotation, normalisation', () =>
    check(
      kernel(
        'quaternions',
        { domain: 'things', reads: { q: g.quat, p: g.quat, v: vec3 }, writes: { r: g.quat, w: vec3 } },
        ({ q, p, v }) => {
          const unit = g.normalize(q);
          return {
            r: unit.mul(p).add(p.conjugate().scale(2)),
            w: g.rotate(unit, v).sub(g.rotateInverse(unit, v.mul(v))),
          };
        },
      ),
    ));
});

describe('gradient checks of loops and branches', () => {
  it('forRange, with a carried record and an end that differs by element', () =>
    check(
      kernel('series', { domain: 'things', reads: { x: f32, rounds: u32 }, writes: { y: f32 } }, ({ x, rounds }) => {
        const end = forRange(0, rounds, { term: f32(1), sum: f32(0) }, (k, { term, sum }) => ({
          term: term.mul(x).div(k.toF32().add(1)),
          sum: sum.add(term.mul(term)),
        }));
        return { y: end.sum.add(end.term) };
      }),
      { ranges: { rounds: [0, 6] } },
    ));
  it('loop, whose rounds depend on the data', () =>
    check(
      kernel('newton', { domain: 'things', reads: { square: f32 }, writes: { root: f32 } }, ({ square }) => ({
        root: loop(
          square.add(1),
          (x) => g.abs(x.mul(x).sub(square)).gt(1e-14),
          (x) => x.add(square.div(x)).mul(0.5),
        ),
      })),
      { ranges: { square: [0.5, 9] } },
    ));
  it('loops in loops, with a carried vector, and values from outside of both', () =>
    check(
      kernel('nested', { domain: 'things', reads: { a: f32, v: vec3 }, writes: { y: vec3 } }, ({ a, v }) => ({
        y: forRange(0, 3, v, (i, outer) =>
          forRange(0, i.add(1), outer, (k, inner) =>
            inner.add(g.cross(inner, v).mul(a.mul(k.toF32().add(1)))).mul(g.cos(a)),
          ),
        ),
      })),
    ));
  it('branches in loops, loops in branches, helper functions', () => {
    // A helper is a plain function.
    const softened = (x: g.F32, by: g.F32): g.F32 => g.sqrt(x.mul(x).add(by.mul(by)).add(0.1));
    return check(
      kernel(
        'mixed',
        { domain: 'things', reads: { a: f32, b: f32, c: f32 }, writes: { y: f32, z: f32 } },
        ({ a, b, c }) => {
          const y = forRange(0, 5, a, (k, x) =>
            when(
              x.gt(k.toF32().mul(0.2).sub(0.3)),
              () => x.mul(b).sub(softened(x, c)),
              () =>
                when(
                  b.gt(0),
                  () => x.add(c),
                  () => softened(b, x).mul(c),
                ),
            ),
          );
          const z = when(
            c.gt(0),
            () => ({ p: forRange(0, 3, b, (_, x) => x.mul(a).add(c)), q: a }),
            () => ({ p: a, q: g.exp(b) }),
          );
          return { y, z: z.p.mul(z.q) };
        },
      ),
    );
  });
  it('a data-dependent loop with a branch, and a branch on its result', () =>
    check(
      kernel('halving', { domain: 'things', reads: { a: f32, b: f32 }, writes: { y: f32 } }, ({ a, b }) => {
        const end = loop(
          { x: a, n: u32(0) },
          ({ x, n }) => g.abs(x).gt(0.1).and(n.lt(20)),
          ({ x, n }) => ({
            x: when(
              x.gt(0),
              () => x.mul(0.5).mul(g.cos(b)),
              () => x.mul(0.7),
            ),
            n: n.add(1),
          }),
        );
        return { y: select(end.n.gt(2), end.x.mul(b), end.x.mul(a)) };
      }),
    ));
});

describe('gradient checks of accesses to other elements', () => {
  const ends = { ends: index('nodes', 2) };
  it('indexed reads and scatter-adds to shared targets', () =>
    check(
      kernel(
        'pairs',
        { domain: 'links', reads: { ...ends, x: fieldOn('nodes', vec3), k: f32 }, adds: { f: fieldOn('nodes', vec3) } },
        ({ ends: [i, j], x, k, f }) => {
          const d = x.at(i).sub(x.at(j));
          const pull = d.mul(k.mul(g.dot(d, d)));
          f.add(i, pull.neg());
          f.add(j, pull);
        },
      ),
      { sizes: { links: 12, nodes: 4 } },
    ));
  it('two additions at one index, where some links have the same element at both ends', () =>
    check(
      kernel(
        'twice',
        { domain: 'links', reads: { ...ends, x: fieldOn('nodes', f32) }, adds: { f: fieldOn('nodes', f32) } },
        ({ ends: [i, j], x, f }) => {
          f.add(i, x.at(i).mul(x.at(j)));
          f.add(i, g.sin(x.at(j)));
          f.add(j, x.at(i));
        },
      ),
      { values: { ends: [0, 0, 1, 2, 2, 2] }, sizes: { links: 6, nodes: 3 } },
    ));
  it('additions to the own element beside additions to another', () =>
    check(
      kernel(
        'chain',
        {
          domain: 'nodes',
          reads: { next: index('nodes'), x: fieldOn('nodes', f32) },
          adds: { f: fieldOn('nodes', f32), own: f32 },
        },
        ({ next, x, f, own }, { element }) => {
          f.add(next, x.at(next).mul(2));
          own.add(x.at(element).mul(x.at(next)));
          own.add(g.cos(x.at(element)));
        },
      ),
    ));
  it('indices from whole-number arithmetic on index fields, reading and adding', () =>
    check(
      kernel(
        'computed',
        {
          domain: 'links',
          reads: {
            first: index('nodes'),
            table: g.indexOn('nodes', 'cells'),
            x: fieldOn('cells', f32),
            z: fieldOn('nodes', f32),
          },
          adds: { f: fieldOn('cells', f32) },
        },
        ({ first, table, x, z, f }, { element }) => {
          const cell = table.at(first);
          const turned = element.rem(3).add(1).rem(4);
          f.add(cell, x.at(cell).mul(z.at(turned)));
        },
      ),
      { sizes: { cells: 3, nodes: 4, links: 9 } },
    ));
  it('reads of per-world values, and sums over 2500 elements into a per-world value', () =>
    check(
      kernel(
        'total',
        {
          domain: 'things',
          reads: { x: f32, weight: perWorld(f32), shift: perWorld(vec3) },
          adds: { sum: perWorld(vec3) },
        },
        ({ x, weight, shift, sum }) => {
          sum.add(shift.mul(g.sin(x)).add(vec3(x.mul(weight), x.mul(x), weight)));
        },
      ),
      { sizes: { things: 2500 }, trials: 1 },
    ));
  it('reads of three other elements by an index field, combined one after another', () =>
    check(
      kernel(
        'gathered',
        { domain: 'nodes', reads: { near: index('nodes', 3), x: fieldOn('nodes', f32) }, writes: { y: f32 } },
        ({ near, x }) => ({
          y: near.map((n) => x.at(n)).reduce((s, t) => s.mul(t).add(g.sin(s))),
        }),
      ),
    ));
});

describe('hand-written adjoints', () => {
  const spec = { domain: 'things', reads: { x: f32, k: f32 }, writes: { y: f32 } } as const;
  const byHand = (factor: number) =>
    kernel(
      'cubeAdjoint',
      {
        domain: 'things',
        reads: { x: f32, k: f32, y_bar: adjointOf('y', f32) },
        adds: { x_bar: adjointOf('x', f32), k_bar: adjointOf('k', f32) },
      },
      ({ x, k, y_bar, x_bar, k_bar }) => {
        x_bar.add(y_bar.mul(k).mul(x).mul(x).mul(factor));
        k_bar.add(y_bar.mul(x).mul(x).mul(x));
      },
    );
  const cube = (factor: number) =>
    kernel('cube', { ...spec, adjoint: () => [byHand(factor)] }, ({ x, k }) => ({
      y: k.mul(x.mul(x).mul(x)),
    }));

  it('pass the gradient check if right, and fail it if wrong', async () => {
    await check(cube(3));
    await expect(check(cube(2))).rejects.toThrowCode({ code: 'kernel/comparison-failed', values: ['FAILED', /\d+\)/] });
  });
});

describe('gradient checks at edge cases', () => {
  const atEdge = (
    name: string,
    f: (a: g.F32, b: g.F32) => g.F32,
    edges: Record<string, readonly number[]>,
    ranges: Record<string, Range> = {},
  ) =>
    it(`${name} has finite derivatives`, () =>
      check(ofTwo(name.replace(/\W/g, '_'), f), {
        edges,
        trials: 1,
        ranges: { a: [0.1, 0.9], b: [0.1, 0.9], ...ranges },
      }));

  atEdge('sqrt(0)', (a, b) => g.sqrt(a).mul(b), { a: [0] });
  atEdge('acos(1) and acos(-1)', (a, b) => g.acos(a).mul(b), { a: [1, -1] });
  atEdge('asin(1) and asin(-1)', (a, b) => g.asin(a).mul(b), { a: [1, -1] });
  atEdge('pow(0, 2)', (a, b) => g.pow(a, 2).mul(b), { a: [0] });
  atEdge('pow(0, p)', (a, b) => g.pow(a, b.add(1)), { a: [0] });
  atEdge('|0|', (a, b) => g.abs(a).mul(b), { a: [0] });
  atEdge('0 / b', (a, b) => a.div(b), { a: [0] });
  atEdge('sigmoid of large values', (a, b) => g.sigmoid(a).mul(b), { a: [0, 800, -800] });
  atEdge('tanh of large values', (a, b) => g.tanh(a).mul(b), { a: [0, 800, -800] });

  it('atan2(0, 0), and norm and normalize at zero, have finite derivatives', () =>
    check(
      kernel(
        'zeros',
        { domain: 'things', reads: { v: vec3, q: g.quat }, writes: { y: vec3, a: f32, r: g.quat } },
        ({ v, q }) => ({
          y: g.normalize(v).mul(g.norm(v)),
          a: g.atan2(v.x, v.y),
          r: g.normalize(q),
        }),
      ),
      { edges: { v: [0], q: [0] } },
    ));

  it('skip points where the kernel itself is not finite, and fail if such a point was requested', async () => {
    const inverse = ofTwo('inverse', (a, b) => b.div(a));
    expect((await check(inverse, { ranges: { a: [0.5, 1] } })).passedOver).toEqual(['things.a = 0']);
    await expect(check(inverse, { ranges: { a: [0.5, 1] }, edges: { a: [0] } })).rejects.toThrowCode({
      code: 'kernel/comparison-failed',
      values: ['things.a = 0'],
    });
  });

  it('fail where the kernel is finite and its derivative is not', () =>
    expect(
      check(
        ofTwo('cubeRoot', (a, b) => g.pow(a, 1 / 3).add(b)),
        { ranges: { a: [0.5, 1] } },
      ),
    ).rejects.toThrowCode({ code: 'kernel/comparison-failed', values: [0, 'things.a', 'finite derivatives'] }));
});
