import { LookAtCamera } from '@gradsim/render';
import type { Track } from '@gradsim/video';
import { expect, it } from 'vitest';
import { type FilmCamera, filmCamera, startOfCircle } from '../../../src/index.ts';

const SIZE = { width: 480, height: 360 };
const [FIELD_OF_VIEW, RADIUS] = [0.75, 0.04];
const FOCAL = SIZE.height / 2 / Math.tan(FIELD_OF_VIEW / 2);

const lookingFrom = (from: number, down: number): Promise<FilmCamera> => {
  const eye = [Math.sin(from) * Math.cos(down), Math.sin(down), Math.cos(from) * Math.cos(down)].map((c) => 2 * c);
  return filmCamera(LookAtCamera, { eye, target: [0, 0, 0], fieldOfView: FIELD_OF_VIEW }, SIZE);
};
const trackOf = (camera: FilmCamera, at: (t: number) => readonly number[], frames = 75): Track => ({
  name: 'ball',
  points: Array.from({ length: frames }, (_, frame) => {
    const [time, where] = [frame / 30, at(frame / 30)];
    const [x, y] = camera.project(where);
    return { frame, time, x, y, area: Math.PI * ((FOCAL * RADIUS) / camera.axes(where)[2]) ** 2 };
  }),
});

const cases = [-0.4, 0, 0.5].flatMap((down) => [-4.2, 5].map((rate) => [down, rate] as const));
it.each(cases)('startOfCircle, seen %d rad from above, finds the circle, its sense and rate %d', async (down, rate) => {
  for (const from of [0, 0.3]) {
    const camera = await lookingFrom(from, down);
    const [around, azimuth, damping] = [0.35, 0.7, 0.1];
    const track = trackOf(camera, (t) => {
      const [far, angle] = [around * Math.exp(-damping * t), azimuth + rate * t];
      return [far * Math.sin(angle), 0, far * Math.cos(angle)];
    });
    for (const isPlaced of [true, false]) {
      const found = startOfCircle(track, camera, { radius: RADIUS, isPlaced });
      expect(Math.hypot(...found.centre)).toBeLessThan(0.01);
      expect(Math.abs(found.around - around)).toBeLessThan(0.01);
      expect(Math.abs(found.down - down)).toBeLessThan(0.02);
      expect(Math.abs(found.rate - rate)).toBeLessThan(0.01);
      expect(Math.abs(found.damping - damping)).toBeLessThan(0.01);
      expect(Math.abs(Math.sin((found.azimuth - azimuth) / 2))).toBeLessThan(0.01);
    }
  }
});

it('startOfCircle refuses less than a turn, other motions, and short tracks', async () => {
  const camera = await lookingFrom(0, 0.2);
  const refused = (at: (t: number) => readonly number[], frames?: number) => (): unknown =>
    startOfCircle(trackOf(camera, at, frames), camera, { radius: RADIUS, isPlaced: false });
  const round =
    (w: number) =>
    (t: number): number[] => [0.3 * Math.sin(w * t), 0, 0.3 * Math.cos(w * t)];
  expect(refused(round(0.9))).toThrowCode({ code: 'film/track-undetermined' });
  const swing = (t: number): number[] => {
    const angle = 0.7 * Math.cos(4 * t);
    return [0.6 * Math.sin(angle), 0.4 - 0.6 * Math.cos(angle), 0];
  };
  expect(refused(swing)).toThrowCode({ code: 'film/not-seen' });
  expect(refused((t) => [t - 0.5, -(t ** 2), 0], 30)).toThrowCode({ code: 'film/track-undetermined' });
  expect(refused(round(5), 6)).toThrowCode({ code: 'film/track-too-short', values: [6] });
});
