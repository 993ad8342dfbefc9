import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import type { Vector } from '../../src/index.ts';
import {
  conjugate,
  cross,
  multiplyQuaternions,
  normalizeQuaternion,
  quaternionAt,
  quaternionOfMatrix,
  rotate,
  rotationAbout,
  transpose,
} from '../../src/index.ts';

const H = Math.SQRT1_2;
const close = (found: readonly number[], expected: readonly number[], digits = 15): void => {
  expect(found).toHaveLength(expected.length);
  found.forEach((value, k) => {
    expect(value).toBeCloseTo(expected[k], digits);
  });
};

describe('quaternions', () => {
  it('multiply as i j = k, j k = i, k i = j, i i = -1', () => {
    const [i, j, k] = [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
    ];
    expect(multiplyQuaternions(i, j)).toEqual(k);
    expect(multiplyQuaternions(j, k)).toEqual(i);
    expect(multiplyQuaternions(k, i)).toEqual(j);
    expect(multiplyQuaternions(i, i)).toEqual([0, 0, 0, -1]);
  });

  it('compose: a product rotates by its right factor first; the conjugate of a unit quaternion rotates back', () => {
    const random = randomNumbers(1);
    const draw = () => normalizeQuaternion([0, 1, 2, 3].map(() => random() - 0.5));
    const [p, q, v] = [draw(), draw(), [0.3, -1.2, 2]];
    close(rotate(multiplyQuaternions(p, q), v), rotate(p, rotate(q, v)), 14);
    close(rotate(conjugate(q), rotate(q, v)), v, 14);
  });

  it('are computed from a rotation vector, or from an angular velocity and a time', () => {
    close(rotationAbout([0, 0, Math.PI / 2]), [0, 0, H, H]);
    close(rotationAbout([0, Math.PI, 0], 0.5), [0, H, 0, H]);
    close(rotate(rotationAbout([0, 0, Math.PI / 2]), [1, 0, 0]), [0, 1, 0]);
    expect(rotationAbout([0, 0, 0])).toEqual([0, 0, 0, 1]);
    // sin(a / 2) / a = 1/2 for what is small.
    expect(rotationAbout([2e-12, 0, 0])).toEqual([1e-12, 0, 0, 1]);
  });

  it('are recovered from rotation matrices, whichever component is the largest', () => {
    for (const q of [
      [0.9, 0.3, -0.2, 0.1],
      [0.3, 0.9, 0.1, -0.2],
      [-0.2, 0.1, 0.9, 0.3],
      [0.1, -0.2, 0.3, 0.9],
    ].map(normalizeQuaternion)) {
      const columns = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ].map((axis): Vector => rotate(q, axis));
      close(cross(columns[0], columns[1]), columns[2]);
      close(quaternionOfMatrix(transpose(columns)), q);
    }
  });

  it('are read by number from a flat list, four components each', () => {
    expect(quaternionAt([1, 2, 3, 4, 5, 6, 7, 8], 1)).toEqual([5, 6, 7, 8]);
  });
});
