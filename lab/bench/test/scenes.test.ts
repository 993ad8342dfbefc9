import { describe, expect, it } from 'vitest';
import { drawScene } from '../src/scenes/scene.ts';
import { recipeOf, runScenes } from '../src/scenes/series.ts';

describe('random scenes', () => {
  it('have right derivatives, in a fixed series of 6, half of them even', async () => {
    const findings: unknown[] = [];
    const result = await runScenes({ seed: 20, count: 6, onFinding: (finding) => findings.push(finding) });
    expect(findings).toEqual([]);
    expect(result.refused).toEqual({});
    expect(result.even).toBe(3);
    expect(result.derivatives.smooth).toBeGreaterThan(25);
  });

  it('are drawn again by their recipe, and left out parts leave the others as they are', async () => {
    const placesOf = (without: readonly number[]): number[] => {
      const { kind, model } = drawScene({ ...recipeOf(1, 2), without });
      expect(kind).toBe('points');
      return [...Array.from(model.field('particles.position').values ?? [])];
    };
    expect(placesOf([])).toEqual(placesOf([]));
    expect(placesOf([0])).toEqual(placesOf([]));
  });
});
