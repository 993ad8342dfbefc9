import { rotate } from '@gradsim/base';
import { LookAtCamera } from '@gradsim/render';
import { describe, expect, it } from 'vitest';
import { filmCamera, inclineOf } from '../../src/index.ts';

const SIZE = { width: 160, height: 120 };
const camera = await filmCamera(LookAtCamera, { eye: [0, 0.5, 2], target: [0, 0.5, 0] }, SIZE);
const POINT = [0.1, 0.4, 0.2];

describe.each([
  ['right', 1],
  ['left', -1],
] as const)('an incline down to the %s', (_, side) => {
  const points = [0, 1, 2].map((frame) => ({ frame, time: frame / 30, x: 80 + side * 9 * frame, y: 60 }));
  const incline = inclineOf({ name: 'box', points }, camera, { angle: 30, point: POINT });

  it('has the given angle, and goes downhill in the direction of the track', () => {
    const [sine, cosine] = [0.5, Math.sqrt(0.75)];
    const expected = [
      [side * sine, cosine, 0],
      [side * cosine, -sine, 0],
    ];
    [incline.normal, incline.downhill].forEach((found, k) => {
      found.forEach((c, axis) => expect(c).toBeCloseTo(expected[k][axis], 14));
    });
    expect(incline.tilt).toBeCloseTo(Math.PI / 6, 14);
  });

  it('converts distances downhill, across and above it to a position, and back', () => {
    const place = incline.placeAt(0.3, -0.1, 0.05);
    const { downhill, across } = incline.along(place);
    expect(downhill).toBeCloseTo(0.3, 14);
    expect(across).toBeCloseTo(-0.1, 14);
    const away = place.reduce((sum, c, k) => sum + (c - POINT[k]) * incline.normal[k], 0);
    expect(away).toBeCloseTo(0.05, 14);
  });

  it('orients a box with its y axis along the normal, rotated about the normal by a given angle', () => {
    for (const turn of [0, 0.4]) {
      const orientation = incline.orientationAt(turn);
      rotate(orientation, [0, 1, 0]).forEach((c, k) => expect(c).toBeCloseTo(incline.normal[k], 14));
      // Of a box that is not turned, x goes along the incline, downhill or uphill.
      const along = rotate(orientation, [1, 0, 0]).reduce((sum, c, k) => sum + c * incline.downhill[k], 0);
      expect(along).toBeCloseTo(side * Math.cos(turn), 14);
    }
  });
});
