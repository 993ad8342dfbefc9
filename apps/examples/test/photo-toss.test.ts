import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuDevice } from '@gradsim/core';
import { createFrames, writeFrames } from '@gradsim/video';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordOf } from '../src/photo/record.ts';
import { lookNumber, tossNumber } from '../src/photo/tosses.ts';
import photoToss from '../src/photo-toss.ts';

const device = cpuDevice({ threads: 1 });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradsim-photo-toss-'));
});
afterAll(async () => {
  device.dispose();
  await rm(folder, { recursive: true });
});

/** Why the experiment refuses a grey film of so many frames of 16 x 16 pixels, with a record and a plate of these sizes. */
async function refusal({ frames = 60, size = 16, plate = 16 }): Promise<string> {
  const grey = (width: number, count: number) => {
    const film = createFrames({ width, height: width, channels: 3, frameRate: 30 }, count);
    film.data.fill(0.5);
    return film;
  };
  const path = join(folder, 'toss.gif');
  await writeFrames(path, grey(16, frames), { overwrite: true });
  await writeFrames(join(folder, 'toss.plate.png'), grey(plate, 1), { overwrite: true });
  const record = recordOf(tossNumber(0, size), lookNumber(0), { open: 0.5, instants: 8 });
  await writeFile(join(folder, 'toss.json'), JSON.stringify(record));
  return Promise.resolve(photoToss.stages({ device, settings: {}, video: path, log: () => {} })).then(
    () => 'taken',
    (error: Error) => error.message,
  );
}

describe('the experiment photo-toss', () => {
  it('says how to make a film where none is given, and what lies beside one', async () => {
    const stages = async (video?: string) => photoToss.stages({ device, settings: {}, video, log: () => {} });
    await expect(stages()).rejects.toThrow('npm run -s film');
    await expect(stages(join(folder, 'other.webm'))).rejects.toThrow(/other\.json cannot be read/);
  });

  it('refuses films and plates that are not those of the record', async () => {
    expect(await refusal({ frames: 20 })).toMatch(/toss\.gif has 20 frames, 0 to 19, but frames 0 to 59/);
    expect(await refusal({ size: 32 })).toMatch(/toss\.gif/);
    expect(await refusal({ plate: 8 })).toMatch(/toss\.plate\.png/);
    expect(await refusal({ size: 15 })).toMatch(/15 x 15 pixels; they are halved/);
  });
});
