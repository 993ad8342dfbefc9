import { LookAtCamera } from '@gradsim/render';
import type { Track } from '@gradsim/video';
import { expect, it } from 'vitest';
import { type FilmCamera, filmCamera, startOfOscillation, startOfRoll } from '../../../src/index.ts';

const SIZE = { width: 480, height: 360 };
const FIELD_OF_VIEW = 0.75;
const RADIUS = 0.04;

/** A camera from aside, the vertical plane through (0.1, 0.5, 0) that faces it, and tracks of a ball in that plane. */
async function seen(from: number): Promise<{
  camera: FilmCamera;
  place: (s: number, h: number) => number[];
  track: (at: (t: number) => readonly [s: number, h: number], frames?: number) => Track;
}> {
  const eye = [0.1 + 2 * Math.sin(from), 0.7, 2 * Math.cos(from)];
  const camera = await filmCamera(LookAtCamera, { eye, target: [0.1, 0.5, 0], fieldOfView: FIELD_OF_VIEW }, SIZE);
  const place = (s: number, h: number): number[] => [0.1 + s * Math.cos(from), 0.5 + h, -s * Math.sin(from)];
  const focal = SIZE.height / 2 / Math.tan(FIELD_OF_VIEW / 2);
  return {
    camera,
    place,
    track: (at, frames = 45) => ({
      name: 'ball',
      points: Array.from({ length: frames }, (_, frame) => {
        const time = frame / 30;
        const where = place(...at(time));
        const [x, y] = camera.project(where);
        return { frame, time, x, y, area: Math.PI * ((focal * RADIUS) / camera.axes(where)[2]) ** 2 };
      }),
    }),
  };
}

it.each([-0.3, 0.4])(
  'startOfOscillation finds rest, frequency, damping and the state at time 0, seen from %d rad',
  async (from) => {
    const { camera, place, track } = await seen(from);
    // exp(-c t) (a cos w t + b sin w t)
    const [w, c, a, b] = [7.3, 0.2, 0.05, -0.08];
    const bob = track((t) => [0, Math.exp(-c * t) * (a * Math.cos(w * t) + b * Math.sin(w * t))]);
    // Also of a track that begins later than the film.
    for (const points of [bob.points, bob.points.slice(5)]) {
      const found = startOfOscillation({ ...bob, points }, camera, { radius: RADIUS });
      expect(Math.hypot(...found.restPosition.map((q, k) => q - place(0, 0)[k]))).toBeLessThan(0.02);
      expect(Math.abs(found.frequency / w - 1)).toBeLessThan(0.01);
      expect(Math.abs(found.damping - c)).toBeLessThan(0.03);
      expect(Math.abs(found.displacement - a)).toBeLessThan(0.005);
      expect(Math.abs(found.rate - (b * w - c * a))).toBeLessThan(0.05);
    }
  },
);

it('startOfOscillation refuses less than a swing, other motions, and short tracks', async () => {
  const { camera, track } = await seen(0);
  const refused =
    (of: Track): (() => unknown) =>
    () =>
      startOfOscillation(of, camera, { radius: RADIUS });
  expect(refused(track((t) => [0, 0.1 * Math.cos(1.5 * t)]))).toThrowCode({ code: 'film/track-undetermined' });
  expect(refused(track((t) => [0.3 * t - 0.2, 0.02 * Math.cos(7 * t)]))).toThrowCode({ code: 'film/not-seen' });
  expect(refused(track((t) => [0, 0.1 * Math.cos(7 * t)], 6))).toThrowCode({
    code: 'film/track-too-short',
    values: [6],
  });
});

it.each([
  [1, 0.2],
  [-1, 0.35],
])('startOfRoll finds side %d, angle %d, speed and acceleration, also of a way uphill first', async (side, angle) => {
  const { camera, place, track } = await seen(0.2);
  for (const [start, speed, acceleration] of [
    [-0.5, 0.1, 0.7],
    [0.3, -0.6, 0.9],
  ]) {
    const way = (t: number): number => start + speed * t + (acceleration * t * t) / 2;
    const at = (t: number): readonly [number, number] => [side * way(t) * Math.cos(angle), -way(t) * Math.sin(angle)];
    const found = startOfRoll(track(at), camera, { radius: RADIUS });
    expect(found.side).toBe(side);
    expect(Math.abs(found.angle - angle)).toBeLessThan(0.01);
    expect(Math.abs(found.planeRotation - 0.2)).toBeLessThan(0.02);
    expect(Math.abs(found.speed - speed)).toBeLessThan(0.03);
    expect(Math.abs(found.acceleration / acceleration - 1)).toBeLessThan(0.03);
    expect(Math.hypot(...found.position.map((q, k) => q - place(...at(0))[k]))).toBeLessThan(0.03);
  }
});

it('startOfRoll refuses what hardly moves, and what leaves a line', async () => {
  const { camera, track } = await seen(0);
  const refused =
    (of: Track): (() => unknown) =>
    () =>
      startOfRoll(of, camera, { radius: RADIUS });
  expect(refused(track((t) => [0.03 * t, 0]))).toThrowCode({ code: 'film/not-seen' });
  expect(refused(track((t) => [0.5 * t - 0.4, 0.2 - 0.4 * (t - 0.7) ** 2]))).toThrowCode({ code: 'film/not-seen' });
});
