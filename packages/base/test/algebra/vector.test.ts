import { describe, expect, it } from 'vitest';
import { add, cross, dot, norm, normalize, scale, subtract, vectorAt, vectorOf } from '../../src/index.ts';

describe('vectors', () => {
  it('add, subtract and scale by coordinates', () => {
    expect(add([1, 2, 3], [4, 5, 6])).toEqual([5, 7, 9]);
    expect(subtract([1, 2, 3], [4, 6, 8])).toEqual([-3, -4, -5]);
    expect(scale([1, 2, 3], -2)).toEqual([-2, -4, -6]);
  });

  it('have a right-handed cross product, orthogonal to both, with the length of the spanned area', () => {
    expect(cross([1, 0, 0], [0, 1, 0])).toEqual([0, 0, 1]);
    const [a, b] = [
      [1, -2, 3],
      [4, 5, -6],
    ];
    const n = cross(a, b);
    expect([dot(n, a), dot(n, b)]).toEqual([0, 0]);
    expect(dot(n, n)).toBe(dot(a, a) * dot(b, b) - dot(a, b) ** 2);
  });

  it('have a length, and a direction, which is NaN if the length is 0', () => {
    expect(norm([2, 3, 6])).toBe(7);
    expect(normalize([2, 3, 6])).toEqual([2 / 7, 3 / 7, 6 / 7]);
    expect(normalize([0, 0, 0])).toEqual([NaN, NaN, NaN]);
  });

  it('are read by number from a flat list, three coordinates each, or made from a function of the axis 0, 1 or 2', () => {
    expect(vectorAt(Float64Array.of(1, 2, 3, 4, 5, 6), 1)).toEqual([4, 5, 6]);
    expect(vectorOf((axis) => axis ** 2)).toEqual([0, 1, 4]);
  });
});
