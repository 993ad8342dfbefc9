import { expect, test } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import { rotationAdjoint, rotationAlong, rotationBetween } from '../../src/objective/rotation.ts';

const random = randomNumbers(7);
const draw = (): number[] => {
  const q = Array.from({ length: 4 }, () => 2 * random() - 1);
  const length = Math.hypot(...q);
  return q.map((c) => c / length);
};
/** Orientation after a further rotation by an angle, rad, about an axis in world coordinates. */
const turned = (q: readonly number[], axis: readonly number[], angle: number): number[] => {
  const s = Math.sin(angle / 2) / Math.hypot(...axis);
  const [x, y, z, w] = [...axis.map((c) => c * s), Math.cos(angle / 2)];
  const [a, b, c, d] = q;
  return [
    w * a + x * d + y * c - z * b,
    w * b - x * c + y * d + z * a,
    w * c + x * b - y * a + z * d,
    w * d - x * a - y * b - z * c,
  ];
};

test('the difference of two orientations is the axis in world axes times the angle (rad), whatever the sign and length of the second quaternion', () => {
  for (const angle of [0, 1e-12, 1e-5, 0.3, 2, 3.1]) {
    const from = draw();
    const axis = draw().slice(0, 3);
    const to = turned(from, axis, angle);
    for (const factor of [1, -1, 3]) {
      const found = rotationBetween(
        from,
        to.map((c) => factor * c),
      );
      found.forEach((c, k) => {
        expect(c).toBeCloseTo((angle * axis[k]) / Math.hypot(...axis), 12);
      });
    }
  }
});

test('the derivative of the difference of two orientations by the second agrees with central differences, and its adjoint is the transpose', () => {
  for (const angle of [0, 1e-6, 1e-3, 0.7, 2.9]) {
    const from = draw();
    const to = turned(from, draw().slice(0, 3), angle).map((c) => -c);
    const tangent = draw();
    const adjoint = draw().slice(0, 3);
    const along = rotationAlong(from, to, tangent);
    const h = 1e-6;
    const [after, before] = [h, -h].map((step) =>
      rotationBetween(
        from,
        to.map((c, k) => c + step * tangent[k]),
      ),
    );
    along.forEach((c, k) => {
      expect(c).toBeCloseTo((after[k] - before[k]) / (2 * h), 7);
    });
    const back = rotationAdjoint(from, to, adjoint);
    const [there, here] = [
      along.reduce((sum, c, k) => sum + c * adjoint[k], 0),
      back.reduce((sum, c, k) => sum + c * tangent[k], 0),
    ];
    expect(here).toBeCloseTo(there, 10);
  }
});
