import { describe, expect, it } from 'vitest';
import { findHinges, foldAngle, plane, torus, triangleCount } from '../../src/index.ts';

/** Returns a mesh of the given triangles, with all nine vertices at the origin: these tests concern only topology. */
const meshOf = (...triangles: number[]) => ({
  name: 'flag',
  positions: new Float64Array(3 * 9),
  triangles: Uint32Array.from(triangles),
});

describe('hinges', () => {
  it('list the opposite vertices first, then the edge in the direction of its first triangle', () => {
    expect([...findHinges(meshOf(0, 1, 2, 2, 1, 3))]).toEqual([0, 3, 1, 2]);
    expect([...findHinges(meshOf(4, 5, 6))]).toEqual([]);
  });
  it('are the inner edges of a sheet, and all edges of a closed surface', () => {
    // Of an a x b grid: 3 a b - a - b.
    expect(findHinges(plane({ segments: [5, 4] }))).toHaveLength(4 * 51);
    const ring = torus();
    expect(findHinges(ring)).toHaveLength((4 * 3 * triangleCount(ring)) / 2);
  });
  it('are refused for an edge of three triangles, a flipped and a degenerate triangle', () => {
    expect(() => findHinges(meshOf(0, 1, 2, 2, 1, 3, 1, 2, 4))).toThrowCode({
      code: 'mesh/not-a-surface',
      values: ['(0, 1, 2)', 3, 'Mesh flag'],
    });
    expect(() => findHinges(meshOf(0, 1, 2, 1, 2, 3))).toThrowCode({
      code: 'mesh/turned-triangle',
      values: [2, 'Mesh flag', '0 and 1'],
    });
    expect(() => findHinges(meshOf(0, 3, 1, 2, 2, 1))).toThrowCode({
      code: 'mesh/degenerate-triangle',
      values: [1, 2, 'Mesh flag'],
    });
  });
});

describe('the angle of a hinge', () => {
  const [x1, x3, x4] = [
    [0, 0, 1],
    [0, 0, 0],
    [1, 0, 0],
  ];
  it('is the signed angle, rad, by which one triangle is rotated out of the plane of the other', () => {
    for (const angle of [0, 0.3, -0.3, 1.5, -2.5, 3]) {
      const x2 = [0.4, -2 * Math.sin(angle), -2 * Math.cos(angle)];
      expect(foldAngle([x1, x2, x3, x4])).toBeCloseTo(-angle, 14);
    }
  });
  it('is 0 where the edge has no length', () => {
    expect(foldAngle([x1, [0, 1, -1], x3, x3])).toBe(0);
  });
});
