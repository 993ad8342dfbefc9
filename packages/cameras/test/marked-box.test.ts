import { standardNormal } from '@gradsim/base';
import { expect, it } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import type { Camera, MarkedCorner, Point3 } from '../src/index.ts';
import { cameraOfBox, cameraPosition, cornersOfBox, poseLookingAt, projectPoint } from '../src/index.ts';

const FOCAL = 600;
const LENS: Camera = {
  width: 641,
  height: 481,
  focalLength: [FOCAL, FOCAL],
  principalPoint: [320, 240],
  distortion: [0, 0, 0, 0, 0],
};
const EYE: Point3 = [0.5, 0.7, 1.4];
const camera = { ...LENS, pose: poseLookingAt(EYE, [0.05, 0, 0.1]) };
const marksOn = (size: Point3, numbers: readonly number[], off = () => 0): MarkedCorner[] =>
  numbers.map((corner) => {
    const [x, y] = projectPoint(camera, cornersOfBox(size)[corner]);
    return { corner, pixel: [x + off(), y + off()] };
  });
const guess = { focalLength: { value: 500, tolerance: 300 }, pixelError: 1 };
const BOX: Point3 = [0.4, 0.2, 0.3];

it.each([
  [BOX, [1, 2, 3, 4, 5, 6, 7]],
  [[0.3, 0, 0.2] as Point3, [0, 1, 4, 5]],
])('finds focal length and place from exact corners of a box of %o', (size, numbers) => {
  const fine = { ...guess, pixelError: 1e-3 };
  const found = cameraOfBox(size, marksOn(size, numbers), LENS, fine);
  expect(found.rms).toBeLessThan(1e-3);
  expect(Math.abs(found.camera.focalLength[0] / FOCAL - 1)).toBeLessThan(1e-4);
  cameraPosition(found.camera.pose).forEach((c, k) => {
    expect(Math.abs(c - EYE[k])).toBeLessThan(1e-4);
  });
});

it('has errors as large as those of marks make them', () => {
  const seed = 3;
  const random = randomNumbers(seed);
  const squares = [0, 0];
  const runs = 60;
  for (let run = 0; run < runs; run++) {
    const found = cameraOfBox(
      BOX,
      marksOn(BOX, [1, 2, 3, 4, 5, 6, 7], () => standardNormal(random)),
      LENS,
      {
        ...guess,
        start: camera,
      },
    );
    const { values, covariance } = found;
    squares[0] += (values[0] - Math.log(FOCAL)) ** 2 / covariance[0][0] / runs;
    squares[1] += (values[1] - Math.log(camera.pose.translation[2])) ** 2 / covariance[1][1] / runs;
  }
  // The mean of 60 squares of a normal number is 1 within 0.18; 4 of these to either side.
  for (const square of squares) expect(Math.abs(square - 1), `seed ${seed}`).toBeLessThan(0.75);
});

it('leaves the focal length as uncertain as it was where few corners are marked', () => {
  const found = cameraOfBox(BOX, marksOn(BOX, [4, 5]), LENS, { ...guess, start: camera });
  expect(Math.sqrt(found.covariance[0][0])).toBeGreaterThan(0.5);
});

it('refuses fewer than four corners without a start', () => {
  expect(() => cameraOfBox(BOX, marksOn(BOX, [4, 5, 6]), LENS, guess)).toThrowCode({
    code: 'cameras/too-few-points',
    values: [3],
  });
});
