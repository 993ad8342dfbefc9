import { describe, expect, it } from 'vitest';
import { Arena, reachOf } from '../../../src/program/memory/places.ts';

describe('the memory range of part of an array', () => {
  it.each([
    { inRows: true, worlds: 1 },
    { inRows: false, worlds: 1 },
    { inRows: false, worlds: 2 },
  ])('ends with the array, or before if limited to fewer elements: %o', (layout) => {
    const arena = new Arena();
    const place = arena.place('slots', 'f32', { elements: 9, components: 3, worldsInner: true, ...layout });
    const part = arena.from(place, 6);
    expect(reachOf(part).from).toBeGreaterThan(reachOf(place).from);
    expect(reachOf(part).to).toBe(reachOf(place).to);
    expect(reachOf(arena.from(part, 1)).to).toBe(reachOf(place).to);
    expect(reachOf(part, 2).to).toBeLessThan(reachOf(part).to);
    expect(reachOf(part, 100).to).toBe(reachOf(place).to);
  });
});
