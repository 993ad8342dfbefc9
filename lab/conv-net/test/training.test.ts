import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFrames } from '@gradsim/video';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import { type Example, FRAMES, PATCH_VALUES, PATCHES, patchesOf } from '../src/example.ts';
import { type Epoch, train } from '../src/training.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradsim-conv-net-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Films of nearly uniform brightness, each with a brightness and unknowns of its own. */
const examples = Array.from({ length: 8 }, (_, k): Example => {
  const random = randomNumbers(k);
  const brightness = 80 + 20 * k;
  return {
    patches: Uint8Array.from({ length: FRAMES * PATCHES * PATCH_VALUES }, () => brightness + 10 * random()),
    background: [0.1, 0.2, 0.3],
    known: [k % 2],
    truth: [brightness, 2 * brightness, 1, 2, brightness],
  };
});
const trained = (name: string, epochs: number, onEpoch?: (epoch: Epoch) => void) =>
  train(examples, { epochs, seed: 1, checkpoint: join(folder, name), onEpoch });

it('the loss falls; a training resumed after 5 of 6 epochs predicts like an uninterrupted one; a checkpoint of other data is refused', async () => {
  const losses: number[] = [];
  const whole = await trained('whole', 6, ({ loss }) => losses.push(loss));
  expect(losses).toHaveLength(6);
  expect(losses[5]).toBeLessThan(losses[0]);

  await trained('broken', 5);
  const later: number[] = [];
  const broken = await trained('broken', 6, ({ epoch }) => later.push(epoch));
  expect(later).toEqual([6]);
  const expected = whole.predict(examples);
  broken.predict(examples).forEach((row, i) => {
    for (const [k, value] of row.entries()) expect(value / expected[i][k]).toBeCloseTo(1, 3);
  });

  await expect(train(examples.slice(1), { epochs: 6, seed: 1, checkpoint: join(folder, 'whole') })).rejects.toThrow(
    'is of seed 1 and 8 examples, not of 1 and 7',
  );
});

it('input patches are 4 x 4 pixels of each frame', () => {
  const film = createFrames({ width: 64, height: 64, channels: 3, frameRate: 5 }, FRAMES);
  // Frame 1, row 5, column 10, green.
  film.data[((1 * 64 + 5) * 64 + 10) * 3 + 1] = 1;
  const patches = patchesOf(film);
  const at = (1 * PATCHES + 1 * 16 + 2) * PATCH_VALUES + 3 * (1 * 4 + 2) + 1;
  expect(patches[at]).toBe(255);
  expect(patches.reduce((sum, value) => sum + value, 0)).toBe(255);
});
