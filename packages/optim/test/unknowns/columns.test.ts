import { describe, expect, it } from 'vitest';
import { columnsFor } from '../../src/unknowns/columns.ts';

describe('the columns of a Jacobian', () => {
  it('take a world each if they are few', () => {
    expect(columnsFor(1, 1, null)).toEqual({ worlds: 1, tangents: 1 });
    expect(columnsFor(5, 3, null)).toEqual({ worlds: 5, tangents: 1 });
  });

  it('share worlds if they are many, with worlds in multiples of the SIMD lanes', () => {
    expect(columnsFor(105, 1, null)).toEqual({ worlds: 28, tangents: 4 });
    expect(columnsFor(5, 4, null)).toEqual({ worlds: 1, tangents: 5 });
  });

  it('share worlds in long runs of many elements, up to ten to a world', () => {
    const long = { elements: [128, 500], substeps: 40_000 };
    expect(columnsFor(9, 1, long)).toEqual({ worlds: 1, tangents: 9 });
    expect(columnsFor(11, 3, long)).toEqual({ worlds: 2, tangents: 6 });
    expect(columnsFor(9, 1, { ...long, substeps: 100 })).toEqual({ worlds: 9, tangents: 1 });
    expect(columnsFor(9, 1, { elements: [1, 2], substeps: 1e7 })).toEqual({ worlds: 9, tangents: 1 });
  });

  it('are all assigned, with worlds times points that fill 4 SIMD lanes, and worlds times (1 + columns a world) at most twice their number', () => {
    for (let count = 1; count <= 200; count++)
      for (const points of [1, 2, 3, 4, 16]) {
        const { worlds, tangents } = columnsFor(count, points, null);
        expect(worlds * tangents).toBeGreaterThanOrEqual(count);
        if (tangents === 1) continue;
        expect((worlds * points) % 4).toBe(0);
        expect(worlds * (1 + tangents)).toBeLessThanOrEqual(2 * count);
      }
  });
});
