import { describe, expect, it } from 'vitest';
import { Arena, accessRangeOf } from '../../../src/program/memory/places.ts';

describe('the memory range of part of an array', () => {
  it.each([
    { inRows: true, worlds: 1 },
    { inRows: false, worlds: 1 },
    { inRows: false, worlds: 2 },
  ])('ends with the array, or before if limited to fewer elements: %o', (layout) => {
    const arena = new Arena();
    const place = arena.place('slots', 'f32', { elements: 9, components: 3, worldsInner: true, ...layout });
    const part = arena.from(place, 6);
    expect(accessRangeOf(part).from).toBeGreaterThan(accessRangeOf(place).from);
    expect(accessRangeOf(part).to).toBe(accessRangeOf(place).to);
    expect(accessRangeOf(arena.from(part, 1)).to).toBe(accessRangeOf(place).to);
    expect(accessRangeOf(part, 2).to).toBeLessThan(accessRangeOf(part).to);
    expect(accessRangeOf(part, 100).to).toBe(accessRangeOf(place).to);
  });
});
