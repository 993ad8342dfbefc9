import type { Posterior } from '@gradsim/optim';
import { findingsOf } from '@gradsim/optim';
import { createFrames, encodeFrames } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { readFilm } from '../../src/index.ts';
import { clockCheck } from '../../src/outlines/clock.ts';

// GIFs tell times in hundredths of a second: 25 frames a second are exact.
const file = await encodeFrames(createFrames({ width: 32, height: 24, channels: 3, frameRate: 25 }, 3), 'gif');
const findingOf = async (frameRate: number, every = 1) =>
  findingsOf({} as Posterior, [
    clockCheck(await readFilm(file, { mask: 'none', frameRate, clock: 'wrong', every })),
  ])[0];

describe('clockCheck', () => {
  it('reports, not as critical, how much slower or faster a film plays whose clock was said to be wrong', async () => {
    expect(await findingOf(100)).toMatchObject({ isCritical: false });
    expect((await findingOf(100)).note).toContain('plays 4 times slower than it was taken');
    expect((await findingOf(20, 2)).note).toContain('plays 1.25 times faster');
  });

  it('reports nothing for a given rate of 25 or 25.1 frames/s if the file has 25', async () => {
    expect(await findingOf(25)).toBeUndefined();
    expect(await findingOf(25.1, 2)).toBeUndefined();
  });
});
