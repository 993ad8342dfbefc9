import { multiplyQuaternions, normalizeQuaternion, rotationAbout } from '@gradsim/base';
import { expect, it } from 'vitest';
import { lengthOf, turnUnknown, vectorUnknowns } from '../../src/index.ts';

it('vectorUnknowns returns one unknown per component, and lengthOf computes the length of the vector', () => {
  const unknowns = vectorUnknowns('velocity', 'bodies.velocity', [3, -4, 12], 0.1);
  expect(unknowns.map(({ name, component, initial }) => [name, component, initial])).toEqual([
    ['velocity x', 0, 3],
    ['velocity y', 1, -4],
    ['velocity z', 2, 12],
  ]);
  const { compute, unit } = lengthOf('velocity', 'm/s');
  expect([compute({ 'velocity x': 3, 'velocity y': -4, 'velocity z': 12 }), unit]).toEqual([13, 'm/s']);
});

// To second order in the angle.
it('the three modes of turnUnknown change an orientation like a small rotation about each world axis', () => {
  const orientation = normalizeQuaternion([0.2, -0.5, 0.3, 0.7]);
  const { modes = [] } = turnUnknown('bodies.orientation', orientation);
  const angle = 1e-4;
  modes.forEach((mode, axis) => {
    const turned = multiplyQuaternions(rotationAbout([0, 1, 2].map((k) => (k === axis ? angle : 0))), orientation);
    turned.forEach((c, k) => expect(c).toBeCloseTo(orientation[k] + angle * mode[k], 8));
  });
  expect(modes).toHaveLength(3);
});
