import type { ParameterSpec } from '@gradsim/optim';
import { coordinateOf } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';

const spec = (rest: Partial<ParameterSpec>): ParameterSpec => ({
  name: 'mass',
  field: 'bodies.mass',
  initial: 2,
  ...rest,
});

describe('the transform of a parameter', () => {
  for (const [transform, points] of [
    ['identity', [-3, 0, 2]],
    ['log', [0.01, 2, 400]],
    ['bounded', [1.1, 2, 4.99]],
  ] as const) {
    it(`${transform} converts to the coordinate and back, with a derivative that agrees with differences`, () => {
      const { toValue, toCoordinate, derivative } = coordinateOf(
        spec({ transform, range: transform === 'bounded' ? [1, 5] : undefined }),
      );
      for (const value of points) {
        const x = toCoordinate(value);
        expect(toValue(x)).toBeCloseTo(value, 10);
        const h = 1e-5;
        // Central differences, error O(h^2).
        expect(derivative(x) / ((toValue(x + h) - toValue(x - h)) / (2 * h))).toBeCloseTo(1, 8);
      }
    });
  }
  it('bounded keeps its range for any coordinate', () => {
    const { toValue } = coordinateOf(spec({ transform: 'bounded', range: [1, 5] }));
    for (const x of [-1e3, -5, 0, 5, 1e3]) expect(toValue(x)).toBeGreaterThanOrEqual(1);
    for (const x of [-1e3, -5, 0, 5, 1e3]) expect(toValue(x)).toBeLessThanOrEqual(5);
  });
});

describe('a parameter is refused with its name and value', () => {
  it.each([
    [{ initial: Number.NaN }, /The parameter mass starts at NaN; it must be a finite number/],
    [{ transform: 'log', initial: -2 }, /mass is on a log scale, so its values must be above 0, not -2/],
    [{ transform: 'log', range: [-1, 5] }, /mass is on a log scale, so its values must be above 0, not -1/],
    [{ transform: 'logarithm' as 'log' }, /mass has the transform "logarithm"; there are identity, log and bounded/],
    [{ scale: -1 }, /mass has the scale -1\. It must be a number above 0/],
    [{ range: [5, 1] }, /mass has the range 5 to 1; the first must be below the second/],
    [{ transform: 'bounded' }, /mass is bounded, but has no range/],
    [{ transform: 'bounded', range: [2, 5] }, /mass starts at 2, which is not inside of 2 to 5/],
    [{ range: [3, 5] }, /mass starts at 2, which is outside of its range, 3 to 5/],
    [{ prior: { mean: 1, standardDeviation: 0 } }, /prior of mass has the standard deviation 0\. It must be above 0/],
  ] as [Partial<ParameterSpec>, RegExp][])('%j', (rest, message) => {
    expect(() => coordinateOf(spec(rest))).toThrow(message);
  });
});
