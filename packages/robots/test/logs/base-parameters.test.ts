import { expect, it } from 'vitest';
import { baseParameters } from '../../src/logs/base-parameters.ts';

it('takes a column of rounding errors for a parameter that acts in no torque', () => {
  // Y = [[1, 1e-17, 2], [1, -2e-17, 3]]: a tilt by an angle that is 90 degrees but for rounding.
  const columns = [
    [1, 1],
    [1e-17, -2e-17],
    [2, 3],
  ];
  const normal = columns.map((a) => columns.map((b) => a[0] * b[0] + a[1] * b[1]));
  const { independent, dependent, mix } = baseParameters(normal, [1, 0, 2]);
  expect({ independent, dependent, mix }).toEqual({ independent: [0, 2], dependent: [1], mix: [[0], [0]] });
});
