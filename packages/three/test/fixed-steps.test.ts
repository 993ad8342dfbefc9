import { fixedSteps } from '@gradsim/three';
import { describe, expect, it } from 'vitest';

describe('fixedSteps', () => {
  it('takes as many steps on screens of any rate, and drops what is beyond the most', () => {
    for (const rate of [30, 59.94, 144]) {
      const steps = fixedSteps({ frameRate: 60 });
      let taken = 0;
      for (let frame = 0; frame <= 10 * rate; frame++) taken += steps.due(5 + frame / rate);
      expect(Math.abs(taken - 600)).toBeLessThanOrEqual(1);
    }
    const steps = fixedSteps({ frameRate: 100, maxSteps: 3 });
    expect(steps.due(1)).toBe(0);
    expect(steps.due(1.025)).toBe(2);
    expect(steps.fraction).toBeCloseTo(0.5, 9);
    // The page was hidden.
    expect(steps.due(61.03)).toBe(3);
    expect(steps.due(61.0301)).toBe(0);
    // A clock that goes back does not count.
    expect(steps.due(60)).toBe(0);
  });

  it('refuses what it cannot count with', () => {
    for (const [options, field] of [
      [{ frameRate: 0 }, 'frameRate'],
      [{ frameRate: Number.NaN }, 'frameRate'],
      [{ frameRate: 60, maxSteps: 1.5 }, 'maxSteps'],
    ] as const)
      expect(() => fixedSteps(options)).toThrowCode({ code: 'three/option-out-of-range', field });
  });
});
