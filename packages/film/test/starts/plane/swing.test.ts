import { LookAtCamera } from '@gradsim/render';
import { createFrames } from '@gradsim/video';
import { expect, it } from 'vitest';
import { filmCamera, mainFrequency, startOfSwing, withoutThinParts } from '../../../src/index.ts';

const SIZE = { width: 480, height: 360 };

it('startOfSwing finds pivot, length, angle and angular velocity of a pendulum of known radius, and refuses invalid input', async () => {
  const camera = await filmCamera(
    LookAtCamera,
    { eye: [0.4, 0.9, 2.6], target: [0.1, 0.6, 0], fieldOfView: 0.75 },
    SIZE,
  );
  const [pivot, length, radius] = [[0.1, 1.1, 0.05], 0.7, 0.045];
  // In the plane that faces the camera.
  const away = camera.position.map((c, k) => c - pivot[k]);
  const turn = Math.atan2(away[0], away[2]);
  const angleAt = (t: number): number => 0.6 * Math.cos(3.7 * t + 0.4);
  const points = Array.from({ length: 80 }, (_, frame) => {
    const time = frame / 30;
    const angle = angleAt(time);
    const s = length * Math.sin(angle);
    const place = [pivot[0] + s * Math.cos(turn), pivot[1] - length * Math.cos(angle), pivot[2] - s * Math.sin(turn)];
    const [x, y] = camera.project(place);
    const depth = camera.axes(place)[2];
    const focal = 180 / Math.tan(0.375);
    return { frame, time, x, y, area: Math.PI * ((focal * radius) / depth) ** 2 };
  });
  const track = { name: 'bob', points };
  for (const known of [{ radius, length }, { radius }]) {
    const swing = startOfSwing(track, camera, known);
    expect(Math.hypot(...swing.pivot.map((c, k) => c - pivot[k]))).toBeLessThan(0.03);
    expect(Math.abs(swing.length - length)).toBeLessThan(0.02);
    expect(Math.abs(swing.angle - angleAt(0))).toBeLessThan(0.05);
    // 0.6 rad slows it by 2 %.
    expect(Math.abs(swing.pull! / (swing.length * (3.7 / 0.9775) ** 2) - 1)).toBeLessThan(0.05);
    expect(Math.abs(swing.rate + 0.6 * 3.7 * Math.sin(0.4))).toBeLessThan(0.3);
  }
  expect(() => startOfSwing(track, camera, { radius: 0 })).toThrowCode({
    code: 'film/option-out-of-range',
    field: 'radius',
    values: [0],
  });
  expect(() => startOfSwing({ name: 'bob', points: points.slice(0, 4) }, camera, { radius })).toThrowCode({
    code: 'film/track-too-short',
    values: [4],
  });
  expect(() => startOfSwing(track, camera, { radius, lenght: 1 } as { radius: number })).toThrowCode({
    code: 'base/unknown-option',
    values: ['"length"'],
  });
});

it('withoutThinParts removes a rod from a mask, and keeps the ball at its end', () => {
  const masks = createFrames({ width: 80, height: 80, channels: 1, frameRate: 30 }, 1);
  const [x, y, radius] = [40.3, 55.8, 12];
  masks.data.forEach((_, p) => {
    const [u, v] = [(p % 80) + 0.5, Math.floor(p / 80) + 0.5];
    const ball = Math.min(Math.max(radius + 0.5 - Math.hypot(u - x, v - y), 0), 1);
    const rod = v < y && Math.abs(u - x) < 1.5 ? 1 : 0;
    masks.data[p] = Math.max(ball, rod);
  });
  const { data } = withoutThinParts(masks);
  const area = data.reduce((sum, part) => sum + part, 0);
  expect(Math.abs(area / (Math.PI * radius ** 2) - 1)).toBeLessThan(0.04);
  expect(data.slice(0, 80 * 35).every((part) => part === 0)).toBe(true);
  // Below the ball nothing was removed.
  for (let p = 80 * 56; p < data.length; p++) expect(data[p]).toBe(masks.data[p]);
});

it('mainFrequency returns the frequency of a sine of 4.37 Hz, to 0.05 Hz', () => {
  const values = Array.from({ length: 45 }, (_, k) => 3 + Math.sin((2 * Math.PI * 4.37 * k) / 30 + 0.4));
  expect(mainFrequency(values, 30)).toBeCloseTo(4.37, 1);
});
