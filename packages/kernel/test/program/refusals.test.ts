import { describe, type ExpectedError, expect, it } from 'vitest';
import type { Kernel, ProgramOptions } from '../../src/index.ts';
import { adjointOf, compile, f32, fieldOn, index, indexOn, kernel, several, u32, vec2 } from '../../src/index.ts';

const square = kernel('square', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
  y: x.mul(x),
}));
const half = kernel('half', { domain: 'points', reads: { y: f32 }, writes: { z: f32 } }, ({ y }) => ({
  z: y.mul(0.5),
}));
const ends = kernel(
  'ends',
  { domain: 'edges', reads: { ends: index('points', 2), x: fieldOn('points', f32) }, writes: { sum: f32 } },
  ({ ends: [i, j], x }) => ({ sum: x.at(i).add(x.at(j)) }),
);
const edges = { sizes: { points: 3, edges: 2 } };

describe('what cannot be compiled is refused', () => {
  const cases: [string, Kernel | readonly Kernel[], Omit<ProgramOptions, 'device'>, ExpectedError][] = [
    [
      'an unknown option',
      square,
      { sizes: { points: 1 }, outputz: [] } as never,
      { code: 'base/unknown-option', values: ['"outputz"', '"outputs"', 'compile'] },
    ],
    ['no sizes', square, { sizes: null as never }, { code: 'base/options-not-by-name', values: [3, 'null'] }],
    ['no kernel', [], { sizes: {} }, 'kernel/no-kernels'],
    [
      'a domain without a size',
      square,
      { sizes: {} },
      { code: 'kernel/size-missing', values: ['"points"', '`sizes: { points: ... }`', 'square'] },
    ],
    [
      'a domain of no kernel',
      square,
      { sizes: { point: 3 } },
      { code: 'kernel/unknown-domain', values: ['"point"', '"points"'] },
    ],
    ['a size of 1.5', square, { sizes: { points: 1.5 } }, { code: 'kernel/wrong-size', values: ['"points"', 1.5] }],
    [
      '0 worlds',
      square,
      { sizes: { points: 1 }, worlds: 0 },
      { code: 'kernel/option-out-of-range', field: 'worlds', values: [1, 0] },
    ],
    [
      'dt below 0',
      square,
      { sizes: { points: 1 }, dt: -1 },
      { code: 'kernel/option-out-of-range', field: 'dt', values: [-1] },
    ],
    ['indices that are missing', ends, edges, { code: 'kernel/indices-missing', field: 'edges.ends' }],
    [
      'indices of another name',
      ends,
      { ...edges, indices: { 'edges.end': [] } },
      { code: 'kernel/unknown-name', values: ['"edges.end"', '"edges.ends"', 'index field'] },
    ],
    [
      'too few indices',
      ends,
      { ...edges, indices: { 'edges.ends': [0, 1, 2] } },
      { code: 'kernel/wrong-size', field: 'edges.ends', values: [2, 3] },
    ],
    [
      'an index out of range',
      ends,
      { ...edges, indices: { 'edges.ends': [0, 1, 2, 3] } },
      { code: 'kernel/index-out-of-range', field: 'edges.ends', values: [1, 3, 'points'] },
    ],
    [
      'a field taken with two types',
      [
        square,
        kernel('length', { domain: 'points', reads: { y: vec2 }, writes: { z: f32 } }, ({ y }) => ({
          z: y.x,
        })),
      ],
      { sizes: { points: 1 } },
      { code: 'base/wrong-type', field: 'points.y', values: [1, 'f32', 'length', 'square'] },
    ],
    [
      'an index field taken with another target domain',
      [
        ends,
        kernel(
          'lists',
          { domain: 'points', reads: { ends: indexOn('edges', 'edges') }, writes: { n: u32 } },
          ({ ends }) => ({ n: ends.at(u32(0)) }),
        ),
      ],
      edges,
      { code: 'base/wrong-type', field: 'edges.ends', values: [1, 'u32', 'lists'] },
    ],
    [
      'a write over a value that nothing has read',
      [square, kernel('one', { domain: 'points', writes: { y: f32 } }, () => ({ y: f32(1) })), half],
      { sizes: { points: 1 } },
      { code: 'kernel/written-twice', field: 'points.y', values: ['square'] },
    ],
    [
      'lists that do not fit their domain',
      kernel('lists', { domain: 'points', writes: { entries: several('entries', u32, 2) } }, () => ({
        entries: [u32(1), u32(2)],
      })),
      { sizes: { points: 2, entries: 5 } },
      { code: 'kernel/wrong-size', field: 'entries.entries', values: [2, 5, 'lists', 'points'] },
    ],
    [
      'use of the time without `dt`',
      kernel('late', { domain: 'points', writes: { t: f32 } }, (_, { time }) => ({ t: time })),
      { sizes: { points: 1 } },
      { code: 'kernel/dt-missing', values: ['late'] },
    ],
    [
      'an adjoint kernel by itself',
      kernel('back', { domain: 'points', reads: { y: adjointOf('y', f32) }, writes: { z: f32 } }, ({ y }) => ({
        z: y,
      })),
      { sizes: { points: 1 } },
      { code: 'kernel/adjoint-alone', values: ['back'] },
    ],
    [
      'an unknown output',
      square,
      { sizes: { points: 1 }, outputs: ['points.z'] },
      { code: 'kernel/unknown-name', values: ['"points.z"', '"points.y"', 'output'] },
    ],
    [
      'an unknown input in `wrt`',
      square,
      { sizes: { points: 1 }, wrt: ['bodies.mass'] },
      { code: 'kernel/unknown-name', values: ['"bodies.mass"', 'points.x', 'input of floats'] },
    ],
  ];
  it.each(cases)('%s', async (_, kernels, options, expected) => {
    await expect(compile(kernels, { ...options, device: 'f64' })).rejects.toThrowCode(expected);
  });
});

describe('what cannot be run is refused', () => {
  const make = (kernels: Kernel | readonly Kernel[]) => compile(kernels, { sizes: { points: 2 }, device: 'f64' });

  it('inputs that are missing, unknown, of another length, or made by a later kernel', async () => {
    const f = await make(square);
    await expect(f.run({})).rejects.toThrowCode({ code: 'kernel/input-missing', values: ['points.x'] });
    await expect(f.run({ 'points.x': [1, 2], 'point.x': [1, 2] })).rejects.toThrowCode({
      code: 'kernel/unknown-name',
      values: ['"point.x"', '"points.x"', 'input'],
    });
    await expect(f.run({ 'points.x': [1] })).rejects.toThrowCode({
      code: 'kernel/wrong-size',
      field: 'points.x',
      values: [2, 1],
    });
    f.dispose();
    const g = await make([half, square]);
    await expect(g.run({ 'points.x': [1, 2] })).rejects.toThrowCode({
      code: 'kernel/input-missing',
      values: ['points.y', 'half', 'square'],
    });
    g.dispose();
  });

  it('derivatives before a run, derivatives of unknown fields, and a run after dispose()', async () => {
    const f = await make(square);
    await expect(f.vjp({ 'points.y': [1, 1] })).rejects.toThrowCode({ code: 'kernel/no-run-yet', values: ['vjp'] });
    await expect(f.jvp({})).rejects.toThrowCode({ code: 'kernel/no-run-yet', values: ['jvp'] });
    await f.run({ 'points.x': [1, 2] });
    await expect(f.vjp({ 'points.x': [1, 1] })).rejects.toThrowCode({
      code: 'kernel/unknown-name',
      values: ['"points.x"', 'output of floats'],
    });
    await expect(f.jvp({ 'points.y': [1, 1] })).rejects.toThrowCode({
      code: 'kernel/unknown-name',
      values: ['"points.y"', 'input of floats'],
    });
    f.dispose();
    await expect(f.run({ 'points.x': [1, 2] })).rejects.toThrowCode('kernel/disposed');
  });
});
