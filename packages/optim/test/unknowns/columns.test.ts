import { describe, expect, it } from 'vitest';
import { columnsFor } from '../../src/unknowns/columns.ts';

describe('the columns of a Jacobian', () => {
  it('take a world each if they are few', () => {
    expect(columnsFor(1, 1)).toEqual({ worlds: 1, tangents: 1 });
    expect(columnsFor(5, 3)).toEqual({ worlds: 5, tangents: 1 });
  });

  it('share worlds if they are many, with worlds in multiples of the SIMD lanes', () => {
    expect(columnsFor(105, 1)).toEqual({ worlds: 28, tangents: 4 });
    expect(columnsFor(5, 4)).toEqual({ worlds: 1, tangents: 5 });
  });

  it('are all assigned, with worlds times points that fill 4 SIMD lanes, and worlds times (1 + columns a world) at most twice their number', () => {
    for (let count = 1; count <= 200; count++)
      for (const points of [1, 2, 3, 4, 16]) {
        const { worlds, tangents } = columnsFor(count, points);
        expect(worlds * tangents).toBeGreaterThanOrEqual(count);
        if (tangents === 1) continue;
        expect((worlds * points) % 4).toBe(0);
        expect(worlds * (1 + tangents)).toBeLessThanOrEqual(2 * count);
      }
  });
});
