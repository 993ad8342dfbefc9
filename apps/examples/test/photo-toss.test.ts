import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contactOf } from '@gradsim/contact';
import { cpuDevice } from '@gradsim/core';
import { estimate, parametersOf } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { createFrames, writeFrames } from '@gradsim/video';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isTurnOf } from '../../../scripts/vitest/draws.ts';
import { besideFilm, readRecord, recordOf, tossOf } from '../src/photo/record.ts';
import { readObservation } from '../src/photo/seen.ts';
import { lookNumber, tossNumber } from '../src/photo/tosses.ts';
import photoToss from '../src/photo-toss.ts';
import { TOSS_TIMELINE, tossModel } from '../src/scenes/tossed.ts';

const device = cpuDevice({ threads: 1 });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradsim-photo-toss-'));
});
afterAll(async () => {
  device.dispose();
  await rm(folder, { recursive: true });
});

/**
 * Message with which the experiment refuses a grey film of a number of frames of 16 x 16 pixels, with a record and a
 * plate of given sizes.
 */
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
  it('without a film says how to make one, and names a missing record file', async () => {
    const stages = async (video?: string) => photoToss.stages({ device, settings: {}, video, log: () => {} });
    await expect(stages()).rejects.toThrow('npm run -s film');
    await expect(stages(join(folder, 'other.webm'))).rejects.toThrow(/other\.json cannot be read/);
  });

  it('refuses too few frames, films and background pictures of another size than recorded, and odd sizes', async () => {
    expect(await refusal({ frames: 20 })).toMatch(/toss\.gif has 20 frames, 0 to 19, but frames 0 to 59/);
    expect(await refusal({ size: 32 })).toMatch(/toss\.gif/);
    expect(await refusal({ plate: 8 })).toMatch(/toss\.plate\.png/);
    expect(await refusal({ size: 15 })).toMatch(/15 x 15 pixels; they are halved/);
  });
});

/** Path of the film of toss 3 at 80 x 80 pixels, made by `npm run -s film -- --first 3 --size 80 --format webm`. */
const FILM = fileURLToPath(new URL('../sample/photo-toss.webm', import.meta.url));

if (isTurnOf('photo-toss'))
  describe('an estimate from a film by three.js', () => {
    it('is not trusted, and the first finding is a critical departure of film from model, even starting at the truth', async () => {
      const { record: path, plate } = besideFilm(FILM);
      const record = await readRecord(path);
      const { mass, ...material } = record.truth;
      const toss = (size: number) => ({ ...tossOf(record, size), mass, material });
      const seen = await readObservation(FILM, plate, toss(record.camera.size), { device });
      const { width } = seen.size;
      const model = tossModel(toss(width), { softness: (0.44 / width) ** 2, drawing: 'silhouette' });
      const fields = contactOf(Body);
      const parameters = parametersOf(
        {
          mass: { field: Body.mass, transform: 'log', initial: mass },
          ke: { field: fields.ke, transform: 'log', initial: material.ke },
          kd: { field: fields.kd, transform: 'log', initial: material.kd },
          kf: { field: fields.kf, transform: 'log', initial: material.kf },
          mu: { field: fields.mu, transform: 'log', initial: material.mu },
        },
        { truth: record.truth },
      );
      // From the truth and over all frames at once, so that whatever it ends at is the nearest minimum.
      const options = { search: { horizons: [1] } };
      const problem = { model, ...TOSS_TIMELINE, parameters, observations: [seen.observation(model)], options };
      const found = await estimate(problem, { device });
      expect(found.verdict.trusted).toBe(false);
      expect(found.verdict.findings[0]).toMatchObject({ kind: 'departure', isCritical: true });
    });
  });
