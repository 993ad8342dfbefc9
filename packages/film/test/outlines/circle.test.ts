import { describe, expect, it } from 'vitest';
import { circleOfRim } from '../../src/outlines/circle.ts';
import { DIRECTIONS } from '../../src/outlines/reach.ts';

/** Distances from the origin to a circle of radius 1 about (0.1, -0.2), or to the line y = `cut` before it. */
const reachesOfCut = (cut: number): number[] =>
  DIRECTIONS.map(([u, v]) => {
    const along = 0.1 * u - 0.2 * v;
    const reach = along + Math.sqrt(along ** 2 + 1 - 0.05);
    return v > 0 ? Math.min(reach, cut / v) : reach;
  });

describe('circleOfRim', () => {
  it('finds the circle to 1e-9 of which a third of the rim is cut off', () => {
    const reaches = reachesOfCut(0.3);
    expect(reaches.filter((reach, k) => reach < reachesOfCut(9)[k] - 0.02).length).toBe(9);
    const { x, y, size, share } = circleOfRim({ x: 5, y: 7, reaches }, 0.02)!;
    expect([x, y, size].map((v, k) => Math.abs(v - [5.1, 6.8, 1][k])).filter((off) => off > 1e-9)).toEqual([]);
    expect(share).toBeCloseTo(15 / 24);
  });

  it('finds none where all points lie on a line', () => {
    expect(circleOfRim({ x: 0, y: 0, reaches: DIRECTIONS.map(() => 0) }, 0.1)).toBeUndefined();
  });
});
