// Sizes of balls of few pixels, from compressed films.
import { median } from '@gradsim/base';
import { fitBallOutlines, measuredCamera, observedOutlines, readFilm } from '@gradsim/film';
import { expect, it } from 'vitest';
import { evenTimes, filmed } from './support/films.ts';

it.each([3, 4, 6])('a ball of %d px has its size within twice what is stated of it', async (radius) => {
  const video = await filmed(evenTimes(0.4), {
    radius,
    at: (t) => [80 + 96 * t, 120 + 60 * Math.sin(4 * t)],
  });
  const film = await readFilm(video, { chroma: 'centre', mask: 'moving' });
  const approximate = observedOutlines(film);
  const { view } = await measuredCamera(film, { fieldOfView: 40, eye: null, target: null });
  const { outlines, sizeBias } = await fitBallOutlines(film, view, { approximate });
  const sizes = outlines.flatMap((outline) => outline?.size ?? []);
  console.info(JSON.stringify({ radius, size: median(sizes), sizeBias }));
  expect(sizes.length).toBeGreaterThan(8);
  expect(Math.abs(median(sizes) - radius)).toBeLessThan(2 * sizeBias.standardDeviation);
});
