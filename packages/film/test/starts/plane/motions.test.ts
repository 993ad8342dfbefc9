import { LookAtCamera } from '@gradsim/render';
import type { TrackPoint } from '@gradsim/video';
import { expect, it } from 'vitest';
import { filmCamera, type Motion, motionsIn } from '../../../src/index.ts';

const SIZE = { width: 320, height: 240 };

/** A circle of a quarter of its distance, seen from 0.3 rad above, with the areas of what is nearer and farther. */
function round(t: number): readonly [number, number, number] {
  const near = 0.25 * Math.cos(4 * t);
  const depth = 1 - near * Math.cos(0.3);
  const scale = SIZE.height / 2 / Math.tan(0.35) / depth;
  return [160 + 0.25 * scale * Math.sin(4 * t), 120 + scale * near * Math.sin(0.3), 400 / depth ** 2];
}

// Points in the picture, px, by the closed form of each motion.
const motions: readonly (readonly [Motion, (t: number) => readonly [x: number, y: number, area?: number]])[] = [
  ['swings', (t) => [160 + 120 * Math.sin(0.5 * Math.cos(3.6 * t)), 40 + 120 * Math.cos(0.5 * Math.cos(3.6 * t))]],
  ['goes round', round],
  ['bobs', (t) => [160, 110 + 35 * Math.cos(8 * t)]],
  ['runs along a line', (t) => [40 + 30 * t + 20 * t * t, 80 + 6 * t + 4 * t * t]],
  ['flies', (t) => [40 + 60 * t, 150 - 150 * t + 60 * t * t]],
  ['bounces', (t) => [40 + 60 * t, t < 1 ? 100 + 100 * t * t : 200 - 150 * (t - 1) + 100 * (t - 1) ** 2]],
  ['falls slowly', (t) => [160 + 2 * Math.sin(5 * t), 30 + 20 * Math.log(Math.cosh(4 * t))]],
];

it.each(motions)('motionsIn says first of a track that it %s', async (motion, at) => {
  const camera = await filmCamera(LookAtCamera, { eye: [0, 0, 3], target: [0, 0, 0], fieldOfView: 0.7 }, SIZE);
  const points = Array.from({ length: 60 }, (_, frame) => {
    const [x, y, area = 400] = at(frame / 30);
    // Rounding of a tracker.
    return {
      frame,
      time: frame / 30,
      x: x + 0.05 * Math.sin(7 * frame),
      y: y + 0.05 * Math.cos(11 * frame),
      area,
    };
  });
  const [best, ...others] = motionsIn({ name: '1', points }, camera);
  expect(best.motion).toBe(motion);
  expect(best.rmsDistance).toBeLessThan(0.5);
  for (const { rmsDistance } of others) expect(rmsDistance).toBeGreaterThan(2 * best.rmsDistance);
});

it('motionsIn says first of a box that strikes the floor with a corner that it tumbles', async () => {
  const camera = await filmCamera(LookAtCamera, { eye: [0, 0, 3], target: [0, 0, 0], fieldOfView: 0.7 }, SIZE);
  const struck = 0.5;
  const points = Array.from({ length: 30 }, (_, frame): TrackPoint => {
    const time = frame / 30;
    const after = time - struck;
    const y = time < struck ? 60 + 500 * time * time : 185 - 150 * Math.sin(9 * after) * Math.exp(-4 * after);
    const [x, turn] = [60 + 80 * time, 5 * time];
    // Masks of a box twice as long as high, turned about the line of sight.
    const [along, across] = [400, 100];
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const moments = {
      xx: along * c * c + across * s * s,
      xy: (along - across) * c * s,
      yy: along * s * s + across * c * c,
    };
    const bounds = { left: x - 25, top: y - 25, right: x + 25, bottom: y + 25 };
    return { frame, time, x, y, area: 2500, blob: { x, y, area: 2500, isWhole: true, bounds, ...moments } };
  });
  const [best] = motionsIn({ name: '1', points }, camera);
  expect(best.motion).toBe('tumbles');
  expect(best.rmsDistance).toBeLessThan(0.5);
});

it('motionsIn finds none in a few points', async () => {
  const camera = await filmCamera(LookAtCamera, { eye: [0, 0, 3], target: [0, 0, 0], fieldOfView: 0.7 }, SIZE);
  const points = [0, 1, 2].map((frame) => ({ frame, time: frame / 30, x: 40, y: 50 + frame, area: 400 }));
  expect(motionsIn({ name: '1', points }, camera)).toEqual([]);
});
