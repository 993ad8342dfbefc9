import { expect, it } from 'vitest';
import type { Camera } from '../src/index.ts';
import { cameraPosition, poseLookingAt, projectPoint } from '../src/index.ts';

const LENS: Camera = {
  width: 641,
  height: 481,
  focalLength: [500, 500],
  principalPoint: [320, 240],
  distortion: [0, 0, 0, 0, 0],
};

it.each([
  [
    [0, 0.6, 3],
    [0, 0.6, 0],
  ],
  [
    [-2, 1.5, 0.4],
    [0.3, 0.1, -0.2],
  ],
  [
    [1, 0.2, -3],
    [0, 2, 1],
  ],
] as const)(
  'poseLookingAt: a camera at %j aimed at %j has the target in the middle, up upwards and right to the right',
  (eye, target) => {
    const camera = { ...LENS, pose: poseLookingAt(eye, target) };
    cameraPosition(camera.pose).forEach((c, k) => {
      expect(c).toBeCloseTo(eye[k], 12);
    });
    const [x, y] = projectPoint(camera, target);
    expect([x, y].map((c) => Math.round(c * 1e8) / 1e8)).toEqual([320, 240]);
    const above = projectPoint(camera, [target[0], target[1] + 0.1, target[2]]);
    expect(above[0]).toBeCloseTo(320, 8);
    expect(above[1]).toBeLessThan(239);
    // To the right of who looks that way, in a world whose axes are right-handed.
    const [a, , c] = target.map((t, k) => t - eye[k]);
    expect(projectPoint(camera, [target[0] - 0.1 * c, target[1], target[2] + 0.1 * a])[0]).toBeGreaterThan(321);
  },
);

it('poseLookingAt refuses equal eye and target, and looking straight down', () => {
  expect(() => poseLookingAt([1, 2, 3], [1, 2, 3])).toThrowCode('cameras/camera-at-target');
  expect(() => poseLookingAt([0, 2, 0], [0, 0, 0])).toThrowCode({
    code: 'cameras/looks-along-plumb',
    values: ['down'],
  });
});
