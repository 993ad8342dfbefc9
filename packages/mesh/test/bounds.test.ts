import { expect, it } from 'vitest';
import { boundsOf, box, chain, tetBox } from '../src/index.ts';

it('boundsOf returns the bounds of those vertices of a mesh that its elements use', () => {
  const { positions, triangles } = box({ size: [1, 2, 4] });
  const loose = { positions: Float64Array.of(...positions, 9, 9, 9), triangles };
  expect(boundsOf(loose)).toEqual({ low: [-0.5, -1, -2], high: [0.5, 1, 2] });
  expect(boundsOf(tetBox({ size: [2, 1, 1] }))).toEqual({ low: [-1, -0.5, -0.5], high: [1, 0.5, 0.5] });
  expect(boundsOf(chain({ from: [3, 0, 0], to: [1, 5, 0] }))).toEqual({ low: [1, 0, 0], high: [3, 5, 0] });
});
