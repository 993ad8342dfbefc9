import { describe, expect, it } from 'vitest';
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
  const cases: [string, Kernel | readonly Kernel[], Omit<ProgramOptions, 'device'>, string][] = [
    [
      'an option that there is not',
      square,
      { sizes: { points: 1 }, outputz: [] } as never,
      'compile has no option "outputz". Did you mean "outputs"?',
    ],
    [
      'no sizes',
      square,
      { sizes: null as never },
      'sizes must be the elements of each domain, such as { points: 3 }, not null.',
    ],
    ['no kernel', [], { sizes: {} }, 'A program needs at least one kernel.'],
    [
      'a domain of no size',
      square,
      { sizes: {} },
      'kernel square has the domain "points", of no known size: `sizes: { points: ... }`.',
    ],
    [
      'a domain of no kernel',
      square,
      { sizes: { point: 3 } },
      'No kernel has a domain "point". Did you mean "points"?',
    ],
    ['a size', square, { sizes: { points: 1.5 } }, 'The domain "points" needs a whole number of elements, got 1.5.'],
    ['worlds', square, { sizes: { points: 1 }, worlds: 0 }, 'worlds must be a whole number of at least 1, got 0.'],
    ['dt below 0', square, { sizes: { points: 1 }, dt: -1 }, 'dt must be a number of seconds above 0, got -1.'],
    [
      'indices that are missing',
      ends,
      edges,
      "kernel ends reads the indices edges.ends. Give them in `indices: { 'edges.ends': ... }`.",
    ],
    [
      'indices of another name',
      ends,
      { ...edges, indices: { 'edges.end': [] } },
      'This program has no index field "edges.end". Did you mean "edges.ends"?',
    ],
    [
      'too few indices',
      ends,
      { ...edges, indices: { 'edges.ends': [0, 1, 2] } },
      'edges.ends needs 2 x 2 indices, got 3.',
    ],
    [
      'an index out of range',
      ends,
      { ...edges, indices: { 'edges.ends': [0, 1, 2, 3] } },
      'edges.ends of element 1: index 3 is out of range, points has 3 elements.',
    ],
    [
      'a field taken as two things',
      [
        square,
        kernel('length', { domain: 'points', reads: { y: vec2 }, writes: { z: f32 } }, ({ y }) => ({
          z: y.x,
        })),
      ],
      { sizes: { points: 1 } },
      'kernel length takes points.y as 2 x f32, but kernel square takes it as 1 x f32.',
    ],
    [
      'an index field of another domain',
      [
        ends,
        kernel(
          'lists',
          { domain: 'points', reads: { ends: indexOn('edges', 'edges') }, writes: { n: u32 } },
          ({ ends }) => ({ n: ends.at(u32(0)) }),
        ),
      ],
      edges,
      'kernel lists takes edges.ends as 1 x u32, but kernel ends takes it as 2 x u32.',
    ],
    [
      'a write that is lost',
      [square, kernel('one', { domain: 'points', writes: { y: f32 } }, () => ({ y: f32(1) })), half],
      { sizes: { points: 1 } },
      'points.y is written by kernel square and again by kernel one, with no kernel between them that reads it; the first would be lost.',
    ],
    [
      'lists of another length',
      kernel('lists', { domain: 'points', writes: { entries: several('entries', u32, 2) } }, () => ({
        entries: [u32(1), u32(2)],
      })),
      { sizes: { points: 2, entries: 5 } },
      'kernel lists writes 2 elements of entries.entries for each of the 2 of points, but entries has 5.',
    ],
    [
      'time without a step',
      kernel('late', { domain: 'points', writes: { t: f32 } }, (_, { time }) => ({ t: time })),
      { sizes: { points: 1 } },
      'kernel late asks for dt or time. Give the option `dt`, in seconds.',
    ],
    [
      'an adjoint written by hand',
      kernel('back', { domain: 'points', reads: { y: adjointOf('y', f32) }, writes: { z: f32 } }, ({ y }) => ({
        z: y,
      })),
      { sizes: { points: 1 } },
      'kernel back is an adjoint written by hand; it runs on the way back of the kernel that it belongs to.',
    ],
    [
      'an output',
      square,
      { sizes: { points: 1 }, outputs: ['points.z'] },
      'This program has no output "points.z". Did you mean "points.y"?',
    ],
    [
      'a name of nothing to derive with respect to',
      square,
      { sizes: { points: 1 }, wrt: ['bodies.mass'] },
      'This program has no input of floats "bodies.mass". Known: points.x.',
    ],
  ];
  it.each(cases)('%s', async (_, kernels, options, message) => {
    await expect(compile(kernels, { ...options, device: 'f64' })).rejects.toThrow(message);
  });
});

describe('what cannot be run is refused', () => {
  const make = (kernels: Kernel | readonly Kernel[]) => compile(kernels, { sizes: { points: 2 }, device: 'f64' });

  it('inputs that are missing, unknown, of another length, or made by a later kernel', async () => {
    const f = await make(square);
    await expect(f.run({})).rejects.toThrow(
      'The input points.x is missing: kernel square reads it before any kernel writes it.',
    );
    await expect(f.run({ 'points.x': [1, 2], 'point.x': [1, 2] })).rejects.toThrow(
      'This program has no input "point.x". Did you mean "points.x"?',
    );
    await expect(f.run({ 'points.x': [1] })).rejects.toThrow('points.x takes 2 x 1 values, got 1.');
    f.dispose();
    const g = await make([half, square]);
    await expect(g.run({ 'points.x': [1, 2] })).rejects.toThrow(
      'The input points.y is missing: kernel half reads it before any kernel writes it. Kernel square does so later; should it come first?',
    );
    g.dispose();
  });

  it('derivatives before a run, of unknown fields, and after dispose()', async () => {
    const f = await make(square);
    await expect(f.vjp({ 'points.y': [1, 1] })).rejects.toThrow('vjp() needs a run() before it');
    await expect(f.jvp({})).rejects.toThrow('jvp() needs a run() before it');
    await f.run({ 'points.x': [1, 2] });
    await expect(f.vjp({ 'points.x': [1, 1] })).rejects.toThrow('no output of floats "points.x"');
    await expect(f.jvp({ 'points.y': [1, 1] })).rejects.toThrow('no input of floats "points.y"');
    f.dispose();
    await expect(f.run({ 'points.x': [1, 2] })).rejects.toThrow('This program was disposed of');
  });
});
