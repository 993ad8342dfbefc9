import { createFrames, encodeFrames } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { readFilm } from '../../src/index.ts';
import { clockCheck } from '../../src/outlines/clock.ts';

// GIFs tell times in hundredths of a second: 25 frames a second are exact.
const file = await encodeFrames(createFrames({ width: 32, height: 24, channels: 3, frameRate: 25 }, 3), 'gif');
const findingOf = async (frameRate: number, every = 1) =>
  clockCheck(await readFilm(file, { mask: 'none', frameRate, clock: 'wrong', every })).of(new Float64Array());

describe('clockCheck', () => {
  it('reports a critical finding for a given rate of 20 or 30 frames/s if the file has 25, with the effect on velocities and gravity', async () => {
    const finding = await findingOf(30);
    expect(finding).toMatchObject({ isCritical: true });
    expect(finding!.note).toContain('The frame rate was given as 30 a second, and the file plays 25:');
    expect(finding!.note).toContain('velocities by 20 %, gravity by 44 %');
    expect(await findingOf(20)).toMatchObject({ isCritical: true });
    expect(await findingOf(30, 2)).toEqual(finding);
  });

  it('reports a given rate of 4 times that of the file as slow motion, not as critical', async () => {
    expect(await findingOf(100)).toEqual({
      isCritical: false,
      note: 'By the frame rate that was given, 100 a second, the film plays 4 times slower than it was taken.',
    });
  });

  it('reports nothing for a given rate of 25 or 25.1 frames/s if the file has 25', async () => {
    expect(await findingOf(25)).toBeUndefined();
    expect(await findingOf(25.1, 2)).toBeUndefined();
  });
});
