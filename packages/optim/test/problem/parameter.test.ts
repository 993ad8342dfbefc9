import type { ParameterSpec } from '@gradsim/optim';
import { describe, type ExpectedError, expect, it } from 'vitest';
import { coordinateOf } from '../../src/problem/parameter.ts';

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
    [{ initial: Number.NaN }, { code: 'optim/start-outside', values: ['NaN', 'mass', 'be a finite number'] }],
    [
      { transform: 'log', initial: -2 },
      { code: 'optim/log-not-positive', values: [-2] },
    ],
    [
      { transform: 'log', range: [-1, 5] },
      { code: 'optim/log-not-positive', values: [-1] },
    ],
    [{ transform: 'logarithm' as 'log' }, { code: 'optim/unknown-choice', values: ['"logarithm"'] }],
    [{ scale: -1 }, { code: 'optim/option-out-of-range', values: [-1] }],
    [{ range: [5, 1] }, { code: 'optim/range-wrong', values: [5, 1] }],
    [{ transform: 'bounded' }, 'optim/range-missing'],
    [
      { transform: 'bounded', range: [2, 5] },
      { code: 'optim/start-outside', values: [2, 5] },
    ],
    [{ range: [3, 5] }, { code: 'optim/start-outside', values: [2, 3, 5] }],
    [{ prior: { mean: 1, standardDeviation: 0 } }, { code: 'optim/option-out-of-range', values: ['mass'] }],
    [
      { prior: { mean: 1, standardDeviation: 1, isLogNormal: true } },
      { code: 'optim/option-out-of-range', values: ['mass', 'identity'] },
    ],
    [
      { transform: 'log', prior: { mean: -1, standardDeviation: 1, isLogNormal: true } },
      { code: 'optim/option-out-of-range', values: ['mass', -1] },
    ],
  ] as [Partial<ParameterSpec>, ExpectedError][])('%j', (rest, expected) => {
    expect(() => coordinateOf(spec(rest))).toThrowCode(expected);
  });
});
