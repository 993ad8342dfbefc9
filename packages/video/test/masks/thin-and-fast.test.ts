import { describe, expect, it } from 'vitest';
import { objectMasks, trackBlobs } from '../../src/index.ts';
import { eightBit, filmOf } from '../films.ts';

const shape = { width: 112, height: 80, channels: 3 as const, frameRate: 30 };
/** Number of instants that a frame is the mean of. */
const INSTANTS = 32;

/** Fractions of pixels that a thing covers at a moment, in frames. */
type Cover = (moment: number) => (x: number, y: number) => number;

const clampToUnit = (part: number): number => Math.min(Math.max(part, 0), 1);

/** Coverage of a bar from the pixel at the top middle, to first order. */
const bar =
  (width: number, length: number, angleAt: (moment: number) => number): Cover =>
  (moment) => {
    const angle = angleAt(moment);
    const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
    return (x, y) => {
      const [u, v] = [x + 0.5 - 56, y + 0.5 - 6];
      const [along, across] = [u * sine + v * cosine, Math.abs(u * cosine - v * sine)];
      return clampToUnit(width / 2 - across + 0.5) * clampToUnit(Math.min(along, length - along) + 0.5);
    };
  };

const disc =
  (radius: number, placeAt: (moment: number) => readonly [number, number]): Cover =>
  (moment) => {
    const [u, v] = placeAt(moment);
    return (x, y) => clampToUnit(radius + 0.5 - Math.hypot(x + 0.5 - u, y + 0.5 - v));
  };

/** Film of one thing, with what it covers in each frame: the middle and the area, px. */
function filmed(cover: Cover, colour: readonly number[], count: number, exposure: number) {
  const ground = (x: number, y: number, c: number) => 0.45 + 0.1 * c + 0.08 * Math.sin(x / 5) * Math.cos(y / 7);
  const meanCover = new Float64Array(count * shape.width * shape.height);
  const truth = Array.from({ length: count }, (_, f) => {
    const covers = Array.from({ length: INSTANTS }, (__, k) => cover(f + exposure * ((k + 0.5) / INSTANTS - 0.5)));
    let [area, sumX, sumY] = [0, 0, 0];
    for (let y = 0; y < shape.height; y++)
      for (let x = 0; x < shape.width; x++) {
        const part = covers.reduce((sum, covered) => sum + covered(x, y), 0) / INSTANTS;
        meanCover[(f * shape.height + y) * shape.width + x] = part;
        area += part;
        sumX += part * (x + 0.5);
        sumY += part * (y + 0.5);
      }
    return { area, x: sumX / area, y: sumY / area };
  });
  const frames = filmOf(shape, count, (x, y, c, f) => {
    const part = meanCover[(f * shape.height + y) * shape.width + x];
    return eightBit((1 - part) * ground(x, y, c) + part * colour[c]);
  });
  return { frames, truth, plate: filmOf(shape, 1, (x, y, c) => eightBit(ground(x, y, c))) };
}

/** A swing of 0.8 rad, from rest, a quarter of whose period takes 6 frames. */
const swing = (moment: number): number => 0.8 * Math.cos((moment * Math.PI) / 12);
const fall = (moment: number): [number, number] => [20 + 1.5 * moment, 8 + 0.6 * moment ** 2];

describe('masks of thin things that move by more than their width in an exposure', () => {
  it.each([
    { name: 'a red bar of 4 px', cover: bar(4, 66, swing), colour: [0.85, 0.1, 0.1] },
    { name: 'a dark bar of 4 px', cover: bar(4, 66, swing), colour: [0.08, 0.08, 0.1], shadows: false },
    { name: 'a white bar of 6 px', cover: bar(6, 66, swing), colour: [0.98, 0.96, 0.95] },
    {
      name: 'a black disc of radius 3 px that falls',
      cover: disc(3, fall),
      colour: [0.05, 0.05, 0.05],
      shadows: false,
    },
    { name: 'an orange disc of radius 5 px that falls', cover: disc(5, fall), colour: [0.9, 0.5, 0.1] },
  ])('find $name: its middle to 0.1 px, its area to 2 %', ({ cover, colour, shadows }) => {
    const { frames, plate, truth } = filmed(cover, colour, 11, 0.8);
    const { masks } = objectMasks(frames, plate, { transfer: 'linear', shadows });
    const [{ points }, ...others] = trackBlobs(masks);
    expect(others).toEqual([]);
    expect(points.length).toBe(11);
    for (const { frame, x, y, area } of points) {
      const { x: left, y: down, area: whole } = truth[frame];
      expect(Math.hypot(x - left, y - down)).toBeLessThan(0.1);
      expect(Math.abs(area! / whole - 1)).toBeLessThan(0.02);
    }
  });
});
