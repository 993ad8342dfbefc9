import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuDevice } from '@gradsim/core';
import type { Stage } from '@gradsim/optim';
import { cutFrames, frameCount, readFrames, writeFrames } from '@gradsim/video';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSample } from '../src/toss/film.ts';
import toss from '../src/toss.ts';

const sample = fileURLToPath(new URL('../sample/toss.webm', import.meta.url));
const device = cpuDevice({ threads: 1 });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradsim-toss-'));
});
afterAll(async () => {
  device.dispose();
  await rm(folder, { recursive: true });
});
const stages = async (video: string, log: string[] = []): Promise<readonly Stage[]> =>
  toss.stages({ device, settings: {}, video, log: (line) => log.push(line) });

describe('the film of the experiment toss', () => {
  it('gives the same target, up to rounding, as a video or as a folder of images', async () => {
    const film = await readFrames(sample);
    expect([frameCount(film), film.frameRate]).toEqual([60, 30]);
    await writeFrames(join(folder, 'images', '%03d.png'), film, { depth: 16 });
    const [own] = await stages(sample);
    const [images] = await stages(join(folder, 'images'));
    const targets = [own, images].map(({ problem }) => problem.observations![0].target);
    expect(targets[0].length).toBe(targets[1].length);
    let worst = 0;
    for (let k = 0; k < targets[0].length; k++) worst = Math.max(worst, Math.abs(targets[0][k] - targets[1][k]));
    expect(worst).toBeLessThan(1e-5);
  });

  it('equals in the sample file what the simulator draws now, up to 1e-4 rms', async () => {
    const again = join(folder, 'again.webm');
    await writeSample(again);
    const [film, anew] = [await readFrames(sample), await readFrames(again)];
    const squares = film.data.reduce((sum, value, k) => sum + (value - anew.data[k]) ** 2, 0);
    // A tenth of what one rounding to 8 bits makes, 1 / 255 / sqrt(12).
    expect(Math.sqrt(squares / film.data.length)).toBeLessThan(1e-4);
  });

  it('is refused at 60 frames a second instead of 30', async () => {
    const film = await readFrames(sample);
    const fast = join(folder, 'fast.webm');
    await writeFrames(fast, { ...film, frameRate: 60 });
    await expect(stages(fast)).rejects.toThrowCode({ code: 'video/other-frame-rate', values: [60, 30, 'fast.webm'] });
  });

  it('is refused if it is too short, and reported if it is too long', async () => {
    const film = await readFrames(sample);
    await writeFrames(join(folder, 'short.webm'), cutFrames(film, { last: 40 }));
    await expect(stages(join(folder, 'short.webm'))).rejects.toThrowCode({
      code: 'video/too-few-frames',
      values: [41, 60],
    });
    const data = new Float32Array([...film.data, ...film.data.subarray(0, 96 * 96 * 3)]);
    await writeFrames(join(folder, 'long.webm'), { ...film, data });
    const said: string[] = [];
    await stages(join(folder, 'long.webm'), said);
    expect(said[0]).toMatch(/long\.webm the first 60 of 61 frames are used/);
  });
});
