import { describe, expect, it } from 'vitest';
import { freeRotation, norm, rotate } from '../../src/index.ts';

const START = { orientation: [0.5, -0.1, 0.3, Math.sqrt(0.65)], angularVelocity: [2, 5, -3] };

describe('rotation without torque', () => {
  // A symmetric top, moments (a, a, c): in its own axes the angular velocity turns about the third at (c - a) / a w3, rad/s.
  it('turns the angular velocity of a symmetric top in body axes as in closed form, to 1e-5 rad/s', () => {
    const [moments, seconds] = [[2, 2, 3], 0.4];
    const toBody = ({
      orientation,
      angularVelocity,
    }: typeof START | ReturnType<typeof freeRotation>): readonly number[] =>
      rotate([-orientation[0], -orientation[1], -orientation[2], orientation[3]], angularVelocity);
    const [x, y, z] = toBody(START);
    const angle = ((moments[2] - moments[0]) / moments[0]) * z * seconds;
    const expected = [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle), z];
    const found = toBody(freeRotation(START, seconds, moments));
    expect(norm(found.map((w, k) => w - expected[k]))).toBeLessThan(1e-5);
  });

  it('conserves angular momentum, and returns to the initial orientation when run backwards in time', () => {
    const moments = [1, 2, 2.5];
    const momentumOf = ({
      orientation,
      angularVelocity,
    }: typeof START | ReturnType<typeof freeRotation>): readonly number[] => {
      const own = rotate([-orientation[0], -orientation[1], -orientation[2], orientation[3]], angularVelocity);
      return rotate(
        orientation,
        own.map((w, k) => moments[k] * w),
      );
    };
    const later = freeRotation(START, 1, moments);
    momentumOf(later).forEach((l, k) => expect(l).toBeCloseTo(momentumOf(START)[k], 12));
    const back = freeRotation(later, -1, moments);
    back.orientation.forEach((c, k) => expect(c).toBeCloseTo(START.orientation[k], 5));
  });
});
