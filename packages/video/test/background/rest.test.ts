import { createFrames, type Frames, frameAt, medianBackground, objectMasks } from '@gradsim/video';
import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

const [WIDTH, HEIGHT, COUNT] = [96, 64, 60];
const random = randomNumbers(seedOfRun('rests'));
const noise = (): number => 0.01 * (random() + random() - 1);
/** A wall of waves, darker at the bottom. */
const wall = (x: number, y: number, c: number): number =>
  0.55 - 0.002 * y + 0.03 * Math.sin(0.4 * x + c) * Math.cos(0.3 * y);

/** Film of discs before a wall, by their middles at each frame, with blurred edges and noise. */
function film(middles: (frame: number) => readonly (readonly [number, number])[], light = (_: number) => 1): Frames {
  const frames = createFrames({ width: WIDTH, height: HEIGHT, channels: 3, frameRate: 30 }, COUNT);
  for (let f = 0; f < COUNT; f++) {
    const picture = frameAt(frames, f);
    for (let p = 0; p < WIDTH * HEIGHT; p++) {
      const [x, y] = [p % WIDTH, Math.floor(p / WIDTH)];
      const cover = Math.max(
        0,
        ...middles(f).map(([u, v]) => Math.min(Math.max((9 - Math.hypot(x - u, y - v)) / 3 + 0.5, 0), 1)),
      );
      for (let c = 0; c < 3; c++)
        picture[3 * p + c] = light(f) * (cover * [0.8, 0.2, 0.15][c] + (1 - cover) * wall(x, y, c)) + noise();
    }
  }
  return frames;
}

/** Greatest difference of a background from the wall. */
const off = (background: Frames): number =>
  frameAt(background, 0).reduce(
    (most, value, i) =>
      Math.max(most, Math.abs(value - wall(Math.floor(i / 3) % WIDTH, Math.floor(i / 3 / WIDTH), i % 3))),
    0,
  );

it.each([
  ['comes to rest for two thirds of it', (f: number) => [[Math.min(12 + 2.5 * f, 62), 32] as const]],
  ['waits for two thirds of it', (f: number) => [[25 + Math.max(0, 2.5 * (f - 40)), 32] as const]],
  [
    'waits until another one hits it, which rests there',
    (f: number) => [[Math.min(4 + f, 41), 32] as const, [60 + Math.max(0, 1.6 * (f - 37)), 32] as const],
  ],
] as const)('the background of a film in which a thing %s is the empty wall', (_, middles) => {
  const frames = film(middles);
  // Some pixels between two discs that touch are never free.
  expect(off(medianBackground(frames))).toBeLessThan(0.07);
  // Its masks have the area of a disc in each frame, as long as discs lie apart and whole in the picture.
  const { masks } = objectMasks(frames, medianBackground(frames));
  const discs = middles(0).length;
  for (const f of [2, 20, 35]) {
    const area = frameAt(masks, f).reduce((sum, value) => sum + value, 0);
    const whole = middles(f).filter(([x]) => x > 10 && x < WIDTH - 10).length;
    if (whole === discs) expect(area / (discs * Math.PI * 81)).toBeCloseTo(1, 1);
  }
});

it('a thing that rests in fewer frames, and light that is switched on, leave the median as it is', () => {
  const held = film((f) => [[30, 14 + Math.max(0, 0.1 * (f - 20) ** 2)]]);
  expect(off(medianBackground(held))).toBeLessThan(0.045);
  // A lamp that changes for a third of the film.
  const lit = medianBackground(
    film(
      () => [],
      (f) => (f < 20 ? 1.2 : 1),
    ),
  );
  expect(off(lit)).toBeLessThan(0.045);
});
