import { cpuDevice } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import { afterAll, describe, expect, test } from 'vitest';
import { castPicture, orbitViewpoint } from '../src/stills/ray-caster.ts';
import { runTrial } from '../src/stills/trial.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.dispose());

test('rays see a sphere as the disc that it covers, in the colour of its light', () => {
  const [radius, distance, fieldOfView, size] = [0.4, 2, 0.6, 24];
  const picture = castPicture(
    icosphere({ radius, subdivisions: 4 }),
    {
      albedo: [1, 0.5, 0.25],
      background: [0, 0, 0.5],
      ambient: 0.3,
      diffuse: 0.7,
      light: [0, 0, 1],
      twoSided: false,
    },
    orbitViewpoint([0, 0, 0], { distance, elevation: 0, azimuth: 0 }, fieldOfView),
    size,
    8,
  );
  // The cone around a sphere has the sine radius / distance; its disc at the distance 1 is tan(fieldOfView / 2) * size / 2 px a unit.
  const seen = Math.tan(Math.asin(radius / distance)) / Math.tan(fieldOfView / 2);
  const covered = picture.reduce((sum, value, k) => (k % 4 === 3 ? sum + value : sum), 0);
  expect(covered / ((Math.PI * (seen * size) ** 2) / 4)).toBeCloseTo(1, 2);
  const middle = picture.subarray(4 * ((size / 2) * size + size / 2));
  [1, 0.5, 0.25, 1].forEach((value, k) => expect(middle[k]).toBeCloseTo(value, 1));
  expect(Array.from(picture.subarray(0, 4))).toEqual([0, 0, 0.5, 0]);
});

describe('the place of a camera from one picture of another renderer', () => {
  const torus = { shape: 'torus', by: 'alpha', noise: 0.01, seed: 3, isOwn: false } as const;
  test('is right and trusted where outlines are composed by area', async () => {
    const { trusted, bars, distance } = await runTrial({ ...torus, renderer: 'area-front' }, device);
    expect(trusted).toBe(true);
    expect(bars).toBeLessThan(3.5);
    expect(Math.abs(distance)).toBeLessThan(1e-3);
  });
  test('is wrong, and not trusted, where coverage draws them too wide', async () => {
    const { trusted, distance } = await runTrial({ ...torus, renderer: 'coverage' }, device);
    expect(distance).toBeGreaterThan(0.01);
    expect(trusted).toBe(false);
  });
});
