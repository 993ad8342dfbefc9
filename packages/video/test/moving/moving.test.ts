import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import {
  createFrames,
  encodeFrames,
  type Frames,
  frameAt,
  frameCount,
  medianBackground,
  objectMasks,
  readFrames,
  readMoving,
  trackBlobs,
  turnFrames,
  valuesInRegion,
} from '../../src/index.ts';

const seed = seedOfRun('moving');

const [WIDTH, HEIGHT, COUNT, RADIUS] = [208, 144, 24, 17];
const place = (f: number): [x: number, y: number] => [30.3 + 6.1 * f, 100.4 - 9 * f + 0.5 * f * f];

/** A disc with soft rim that flies over a noisy wall, as a GIF of 8 bits a channel. */
async function flight(): Promise<{ readonly file: Uint8Array; readonly frames: Frames }> {
  const random = randomNumbers(seed);
  const frames = createFrames({ width: WIDTH, height: HEIGHT, channels: 3, frameRate: 25 }, COUNT);
  for (let f = 0; f < COUNT; f++)
    for (let p = 0; p < WIDTH * HEIGHT; p++) {
      const away = Math.hypot((p % WIDTH) + 0.5 - place(f)[0], Math.floor(p / WIDTH) + 0.5 - place(f)[1]);
      const part = Math.min(Math.max(RADIUS + 0.5 - away, 0), 1);
      // Few values, so that the colours of a picture fit in a GIF.
      const wall = 120 + 2 * Math.floor((4 * (p % WIDTH)) / WIDTH) + Math.floor(3 * random());
      [180, 40, 30].forEach((colour, c) => {
        frames.data[3 * (f * WIDTH * HEIGHT + p) + c] = Math.round((1 - part) * wall + part * colour) / 255;
      });
    }
  return { file: await encodeFrames(frames, 'gif'), frames };
}

const { file } = await flight();

/** Tracks of the moving disc, and the masks. */
function found(frames: Frames, background: Frames) {
  const { masks, areaErrors } = objectMasks(frames, background, { transfer: 'srgb' });
  return { masks, tracks: trackBlobs(masks, { areaErrors }) };
}

it('readMoving keeps the pixels around the disc to half of 1 / 255, and the background elsewhere', async () => {
  const whole = await readFrames(file);
  const { frames, background, reduction, isForced } = await readMoving(file);
  expect({ reduction, isForced, count: frameCount(frames) }).toEqual({ reduction: 1, isForced: false, count: COUNT });
  const still = medianBackground(whole);
  for (let f = 0; f < COUNT; f++) {
    const [x, y] = place(f).map((c) => Math.round(c) - RADIUS - 8);
    const region = { x: Math.max(0, x), y: Math.max(0, y), width: 2 * RADIUS + 16, height: 2 * RADIUS + 16 };
    region.width = Math.min(region.width, WIDTH - region.x);
    region.height = Math.min(region.height, HEIGHT - region.y);
    const [kept, seen] = [frames, whole].map((film) => valuesInRegion(film, f, region));
    expect(Math.max(...kept.map((value, i) => Math.abs(value - seen[i])))).toBeLessThan(0.5 / 255 + 1e-6);
    // Noise has three values.
    expect(Math.max(...frameAt(frames, f).map((value, i) => Math.abs(value - frameAt(whole, f)[i])))).toBeLessThan(
      2.1 / 255,
    );
  }
  expect(Math.max(...background.data.map((value, i) => Math.abs(value - still.data[i])))).toBeLessThan(1.1 / 255);
});

it('masks and tracks of the moving parts are those of the whole film: middle to 0.01 px, area to 0.1 %', async () => {
  const whole = await readFrames(file);
  const { frames, background } = await readMoving(file);
  const [expected, own] = [found(whole, medianBackground(whole)), found(frames, background)];
  expect(own.tracks.map(({ points }) => points.length)).toEqual(expected.tracks.map(({ points }) => points.length));
  own.tracks[0].points.forEach((point, k) => {
    const other = expected.tracks[0].points[k];
    expect(Math.hypot(point.x - other.x, point.y - other.y)).toBeLessThan(0.01);
    expect(Math.abs(point.area! / other.area! - 1)).toBeLessThan(1e-3);
    expect(point.blob!.isWhole).toBe(other.blob!.isWhole);
  });
});

it('readMoving reads a turned and cropped film at half its size as readFrames does', async () => {
  const crop = { x: 8, y: 16, width: 128, height: 160 };
  const turned = turnFrames(await readFrames(file), 90);
  const { frames, reduction } = await readMoving(file, {
    upright: 90,
    crop,
    reduction: 2,
    first: 2,
    last: 20,
    every: 2,
  });
  expect([reduction, frames.width, frames.height, frameCount(frames), frames.frameRate]).toEqual([2, 64, 80, 10, 12.5]);
  for (let k = 0; k < frameCount(frames); k++) {
    const f = 2 + 2 * k;
    const [v, u] = place(f);
    // The middle of the disc, in the turned and cropped picture.
    const [x, y] = [Math.floor((HEIGHT - u - crop.x) / 2), Math.floor((v - crop.y) / 2)];
    if (x < 0 || y < 0 || x >= 64 || y >= 80) continue;
    const at = (c: number): number => {
      const picture = frameAt(turned, f);
      const sum = [0, 1, 2, 3].reduce(
        (all, q) => all + picture[3 * ((crop.y + 2 * y + (q >> 1)) * HEIGHT + crop.x + 2 * x + (q & 1)) + c],
        0,
      );
      return sum / 4;
    };
    for (let c = 0; c < 3; c++)
      expect(Math.abs(frameAt(frames, k)[3 * (y * 64 + x) + c] - at(c))).toBeLessThan(0.51 / 255);
  }
});

it('readMoving takes a picture or a range of frames as the background', async () => {
  const whole = await readFrames(file);
  // The disc stands where it is in frame 0 for most of the film.
  const stays = { ...whole, data: new Float32Array(whole.data.length) };
  for (let f = 0; f < COUNT; f++)
    stays.data.set(frameAt(whole, f < COUNT - 6 ? 0 : 4 * (f + 6 - COUNT)), (f * whole.data.length) / COUNT);
  const standing = await encodeFrames(stays, 'gif');
  const clean = medianBackground(whole);
  const plate = await encodeFrames(clean, 'png');
  for (const still of [plate, [COUNT - 6, COUNT - 1] as const]) {
    const { frames, background } = await readMoving(standing, { still });
    expect(Math.max(...background.data.map((value, i) => Math.abs(value - clean.data[i])))).toBeLessThan(2.1 / 255);
    const [track] = found(frames, background).tracks;
    expect(Math.hypot(track.points[0].x - place(0)[0], track.points[0].y - place(0)[1])).toBeLessThan(0.15);
  }
});
