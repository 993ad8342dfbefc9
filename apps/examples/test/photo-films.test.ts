import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuDevice, createSimulation } from '@gradsim/core';
import { layoutOf, toRows } from '@gradsim/render';
import type { Frames } from '@gradsim/video';
import { colourDistance, frameAt, toLinear } from '@gradsim/video';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import type { Film, Photographer } from '../src/photo/photograph.ts';
import { createPhotographer } from '../src/photo/photograph.ts';
import { exposuresOf, recordMotion } from '../src/photo/poses.ts';
import { besideFilm, readRecord, recordOf, tossOf } from '../src/photo/record.ts';
import type { Look, Pose, Shot } from '../src/photo/shot.ts';
import { lookNumber, shotOf, tossNumber } from '../src/photo/tosses.ts';
import { TOSS_TIMELINE, tossModel } from '../src/scenes/tossed.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED, NOT TESTED: films by three.js. This machine has no Chromium on its PATH.');

const device = cpuDevice({ threads: 1 });
afterAll(() => device.dispose());

/** Width, and also height, of the pictures, px: large enough that few pixels lie on outlines. */
const SIZE = 256;
const toss = tossNumber(0, SIZE);
const FRAMES = [0, 5, 8];

/** Rendered silhouettes (`pixels.alpha`) of every frame, row by row, with sharp outlines, without exposure time. */
async function silhouettes(): Promise<Float64Array[]> {
  const model = tossModel(toss, { softness: 1e-6, drawing: 'silhouette' });
  const frames = FRAMES.at(-1)! + 2;
  const options = { device, ...TOSS_TIMELINE, frames, record: ['pixels.alpha'] };
  const simulation = await createSimulation(model, options);
  simulation.forward();
  const all = toRows(layoutOf(model), await simulation.readFrames('pixels.alpha'), 1);
  simulation.dispose();
  return Array.from({ length: frames }, (_, f) => all.slice(f * SIZE * SIZE, (f + 1) * SIZE * SIZE));
}

/**
 * Difference of each pixel of a frame from the plate, relative to the median difference of the pixels that changed:
 * about the fraction of the pixel that the body covers.
 */
function changes(film: Film, frame: number): number[] {
  const { data } = colourDistance(toLinear(film.frames, 'srgb'), toLinear(film.plate, 'srgb'));
  const distance = data.subarray(frame * SIZE * SIZE, (frame + 1) * SIZE * SIZE);
  const sorted = distance.filter((d) => d > 0.05).sort();
  return Array.from(distance, (d) => d / sorted[sorted.length >> 1]);
}

function intersectionOverUnion(a: readonly boolean[], b: readonly boolean[]): number {
  const both = a.filter((value, p) => value && b[p]).length;
  return both / a.filter((value, p) => value || b[p]).length;
}

function centreOf(weights: ArrayLike<number>): [number, number] {
  let [x, y, sum] = [0, 0, 0];
  for (let p = 0; p < weights.length; p++) {
    x += weights[p] * (p % SIZE);
    y += weights[p] * Math.floor(p / SIZE);
    sum += weights[p];
  }
  return [x / sum, y / sum];
}

describe('the poses of an exposure', () => {
  it('average to the pose of the frame within 2 mm, and spread over the time that the shutter is open', async () => {
    const motion = await recordMotion(toss, device);
    const simulation = await createSimulation(tossModel({ ...toss, size: 8 }), {
      device,
      ...TOSS_TIMELINE,
      record: ['bodies.position', 'bodies.orientation'],
    });
    simulation.forward();
    const positions = await simulation.readFrames('bodies.position');
    const orientations = await simulation.readFrames('bodies.orientation');
    simulation.dispose();
    const exposures = exposuresOf(motion, { open: 0.5, instants: 8 });
    expect(exposures).toHaveLength(TOSS_TIMELINE.frames);
    exposures.forEach((poses, k) => {
      expect(poses).toHaveLength(8);
      // Over 1/60 s an acceleration a moves the mean by a / 24 / 60^2: 0.1 mm in flight, 2 mm at the hardest touch here.
      const mean = (i: number): number => poses.reduce((sum, pose) => sum + pose[i] / poses.length, 0);
      for (let i = 0; i < 3; i++) expect(Math.abs(mean(i) - positions[3 * k + i])).toBeLessThan(2e-3);
      for (let i = 0; i < 4; i++) expect(Math.abs(mean(3 + i) - orientations[4 * k + i])).toBeLessThan(1e-2);
    });
    // As long as the shutter is open, less one of eight parts: the body does move in it.
    const [first, last] = [exposures[5][0], exposures[5][7]];
    const speed = (30 / 2) * Math.hypot(...[0, 1, 2].map((i) => positions[18 + i] - positions[12 + i]));
    const way = Math.hypot(...[0, 1, 2].map((i) => last[i] - first[i]));
    expect(way / ((speed * 0.5 * 7) / 8 / 30)).toBeCloseTo(1, 1);
  });

  it('are refused if the shutter is open for more than a frame, or sampled at no instant', async () => {
    const motion = {
      rate: 960,
      poses: [[0, 0, 0, 0, 0, 0, 1]],
      velocity: [0, 0, 0],
      angularVelocity: [0, 0, 0],
    };
    expect(() => exposuresOf(motion, { open: 1.5, instants: 8 })).toThrow('open for 1.5 of a frame');
    expect(() => exposuresOf(motion, { open: 0.5, instants: 0 })).toThrow('exposure of 0 instants');
  });
});

describe('the record beside a film', () => {
  it('restores the toss; a missing or malformed one is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gradsim-record-'));
    try {
      const { record } = besideFilm(join(folder, 'toss.webm'));
      expect(besideFilm(join(folder, 'toss'))).toEqual(besideFilm(join(folder, 'toss', '%04d.png')));
      const written = recordOf(toss, lookNumber(0), { open: 0.5, instants: 8 });
      await writeFile(record, JSON.stringify(written));
      // All but the name of the mesh.
      expect(toss).toMatchObject(tossOf(await readRecord(record), SIZE));
      const text = await readFile(record, 'utf8');
      const refusal = async (from: string | RegExp, to: string): Promise<string> => {
        await writeFile(record, text.replace(from, to));
        return readRecord(record).then(
          () => 'taken',
          (error: Error) => error.message,
        );
      };
      expect(await refusal('"frameRate":30', '"frameRate":25')).toMatch(/timeline.frameRate is 25; tosses have 30/);
      expect(await refusal(/"impulse":\[[^,]*,/, '"impulse":[')).toMatch(/push.impulse is .*; it must be 3 numbers/);
      expect(await refusal('{', '')).toMatch(/toss\.json is no JSON/);
      await rm(record);
      await expect(readRecord(record)).rejects.toThrow(/toss\.json cannot be read \(ENOENT\)/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe.skipIf(!chromium)('a film by three.js', () => {
  let photographer: Photographer;
  let exposed: (open: number, instants: number) => Pose[][];
  let expected: Float64Array[];
  /** Films a toss without exposure time, with one pose per frame. */
  let still: Film;
  const photograph = (exposures: Pose[][], look: Shot['look']): Promise<Film> => {
    const shot = shotOf(toss, exposures, look);
    // Of one colour, unlike the ground.
    const colors = shot.mesh.colors.map((_, k) => [1, 0, 0][k % 3]);
    return photographer.photograph({ ...shot, mesh: { ...shot.mesh, colors } }, TOSS_TIMELINE.frameRate);
  };
  // Light from the sky alone: what changes in the picture is the body, since there is no shadow.
  const shadowless: Look = { ...lookNumber(0), sunIntensity: 0, skyIntensity: 4 };

  beforeAll(async () => {
    photographer = await createPhotographer(chromium!);
    const motion = await recordMotion(toss, device);
    exposed = (open, instants) => {
      const all = exposuresOf(motion, { open, instants });
      return FRAMES.map((f) => all[f]);
    };
    expected = await silhouettes();
    still = await photograph(exposed(0, 1), shadowless);
  });
  afterAll(() => photographer?.dispose());

  it('shows frame k as gradsim does, not the frame before or after', async () => {
    FRAMES.forEach((frame, k) => {
      const seen = changes(still, k).map((part) => part > 0.5);
      const against = (f: number): number =>
        intersectionOverUnion(
          seen,
          Array.from(expected[f], (a) => a > 0.5),
        );
      const [here, after] = [against(frame), against(frame + 1)];
      console.info(`frame ${frame}: intersection over union ${here.toFixed(4)}, with the next ${after.toFixed(4)}`);
      expect(here).toBeGreaterThan(0.985);
      expect(after).toBeLessThan(here - 0.005);
      if (frame > 0) expect(against(frame - 1)).toBeLessThan(here - 0.005);
    });
  });

  it('as a mask shows the part of each pixel that the body covers, as gradsim does', async () => {
    const mask = toLinear((await photograph(exposed(0, 1), 'mask')).frames, 'srgb');
    FRAMES.forEach((frame, k) => {
      const parts = Array.from(frameAt(mask, k)).filter((_, at) => at % 3 === 0);
      expect(
        intersectionOverUnion(
          parts.map((part) => part > 0.5),
          Array.from(expected[frame], (a) => a > 0.5),
        ),
      ).toBeGreaterThan(0.985);
    });
  });

  it('has motion blur centred on the pose of the frame', async () => {
    const blurred = await photograph(exposed(1, 8), shadowless);
    const drift = FRAMES.map((frame, k) => {
      const [sharp, soft] = [still, blurred].map((film) => changes(film, k));
      const [a, b] = [sharp, soft].map(centreOf);
      const [c, d] = [expected[frame], expected[frame + 1]].map(centreOf);
      const way = Math.hypot(d[0] - c[0], d[1] - c[1]);
      // Partly covered pixels: where it was for a part of the time.
      const partly = [sharp, soft].map((parts) => parts.filter((part) => part > 0.1 && part < 0.6).length);
      if (way > 3) expect(partly[1]).toBeGreaterThan(1.5 * partly[0]);
      return { drift: Math.hypot(b[0] - a[0], b[1] - a[1]), way };
    });
    console.info(`centres of blurred traces: ${drift.map((d) => `${d.drift.toFixed(2)} of ${d.way.toFixed(2)} px`)}`);
    for (const { drift: off, way } of drift) expect(off).toBeLessThan(0.2 * way);
  });

  it('has a shadow of the body on the ground, darkened less in blue than in red', async () => {
    const film = await photograph(exposed(0, 1), lookNumber(0));
    const inShadow = changes(film, 1).map((part, p) => part > 0.2 && expected[FRAMES[1]][p] < 0.01);
    const places = [...inShadow.keys()].filter((p) => inShadow[p]);
    expect(places.length).toBeGreaterThan(50);
    const mean = (of: Frames, k: number, c: number): number =>
      places.reduce((sum, p) => sum + frameAt(of, k)[3 * p + c] / places.length, 0);
    const [red, , blue] = [0, 1, 2].map((c) => mean(film.frames, 1, c) / mean(film.plate, 0, c));
    expect(red).toBeLessThan(blue);
    expect(blue).toBeLessThan(0.8);
  });
});
