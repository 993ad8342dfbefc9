import { describe, expect, it } from 'vitest';
import { freeRotation, norm, rotate } from '../../src/index.ts';

const START = { orientation: [0.5, -0.1, 0.3, Math.sqrt(0.65)], angularVelocity: [2, 5, -3] };

describe('rotation without torque', () => {
  // A symmetric top, moments (a, a, c): in its own axes the angular velocity turns about the third at (c - a) / a w3, rad/s.
  it('turns the angular velocity of a symmetric top in body axes as in closed form, with an error of second order in the step', () => {
    const [moments, seconds] = [[2, 2, 3], 0.4];
    const toBody = ({
      orientation,
      angularVelocity,
    }: typeof START | ReturnType<typeof freeRotation>): readonly number[] =>
      rotate([-orientation[0], -orientation[1], -orientation[2], orientation[3]], angularVelocity);
    const [x, y, z] = toBody(START);
    const angle = ((moments[2] - moments[0]) / moments[0]) * z * seconds;
    const expected = [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle), z];
    const errorOf = (step: number): number => {
      const found = toBody(freeRotation(START, seconds, moments, step));
      return norm(found.map((w, k) => w - expected[k]));
    };
    const [coarse, fine] = [errorOf(8e-3), errorOf(4e-3)];
    expect(coarse).toBeLessThan(1e-3);
    expect(coarse / fine).toBeGreaterThan(3.5);
    expect(coarse / fine).toBeLessThan(4.5);
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
    const later = freeRotation(START, 1, moments, 1e-3);
    momentumOf(later).forEach((l, k) => expect(l).toBeCloseTo(momentumOf(START)[k], 12));
    const back = freeRotation(later, -1, moments, 1e-3);
    back.orientation.forEach((c, k) => expect(c).toBeCloseTo(START.orientation[k], 4));
  });
});
