import { PinholeCamera } from '@gradsim/render';
import { createFrames, encodeFrames } from '@gradsim/video';
import { expect, it } from 'vitest';
import { cameraAt, filmCamera, measuredCamera, readFilm } from '../src/index.ts';

it('a camera at other values of what was measured projects points, and pixels to rays, as one made of these values', async () => {
  const film = await readFilm(
    await encodeFrames(createFrames({ width: 64, height: 48, channels: 3, frameRate: 30 }, 2), 'gif'),
    { mask: 'none' },
  );
  const measured = { fieldOfView: 60, eye: [1, 2, 3], target: [0.5, 1, 0] };
  const camera = await measuredCamera(film, measured);
  const given = Object.fromEntries(camera.given.map(({ name, value }) => [name, value]));
  const { values, view } = cameraAt(camera, {
    ...given,
    'field of view': 50,
    'eye y': 1.8,
    'target x': 0.6,
    'roll of the camera': 3,
  });
  const other = await filmCamera(PinholeCamera, values, film.size);
  for (const point of [
    [0.5, 1, 0],
    [0.2, 0.3, -0.4],
    [1.1, 1.2, 0.5],
  ]) {
    const [x, y] = other.project(point);
    expect(view.project(point)).toEqual([expect.closeTo(x, 4), expect.closeTo(y, 4)]);
    expect(view.ray(x, y)).toEqual(other.ray(x, y).map((c) => expect.closeTo(c, 5)));
    expect(view.axes(point)).toEqual(other.axes(point).map((c) => expect.closeTo(c, 5)));
  }
  other.position.forEach((c, k) => expect(view.position[k]).toBeCloseTo(c, 5));
  // At the measured values it is the camera itself.
  const same = cameraAt(camera, given).view.project([0.2, 0.3, -0.4]);
  expect(same).toEqual(camera.view.project([0.2, 0.3, -0.4]).map((c) => expect.closeTo(c, 4)));
});
