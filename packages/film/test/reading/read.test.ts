import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Camera, pinholeOf, projectPoint } from '@gradsim/cameras';
import { buildModel, createScene } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { LookAtCamera, layoutOf, PinholeCamera, Pixel, render, toRows } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { createFrames, encodeFrames, type Frames, turnFrames } from '@gradsim/video';
import { describe, expect, it, onTestFinished } from 'vitest';
import { filmCamera, observedOutlines, readFilm, strokesOf } from '../../src/index.ts';
import { strokeText } from '../../src/reading/stroke.ts';

const SIZE = { width: 48, height: 32 };

/** Film of a red disc of radius 5 px that flies over a grey gradient, 8 bits per channel. */
function thrown(count = 12, hasDisc = true): Frames {
  const film = createFrames({ ...SIZE, channels: 3, frameRate: 25 }, count);
  film.data.forEach((_, i) => {
    const p = Math.floor(i / 3);
    const [x, y, f] = [p % 48, Math.floor(p / 48) % 32, Math.floor(p / (48 * 32))];
    const a = !hasDisc ? 0 : Math.min(Math.max(5.5 - Math.hypot(x + 0.5 - place(f)[0], y + 0.5 - place(f)[1]), 0), 1);
    const ground = 0.45 + (0.2 * x) / 48;
    film.data[i] = Math.round(255 * ((1 - a) * ground + a * [0.8, 0.15, 0.1][i % 3])) / 255;
  });
  return film;
}
const place = (f: number): [number, number] => [7 + 3 * f, 24 - 3 * f + 0.25 * f * f];
const bytes = (film: Frames): Promise<Uint8Array> => encodeFrames(film, 'gif');
const pictures = (size: { width: number; height: number }) => {
  const scene = createScene([rigid(), render({ ...size, camera: LookAtCamera })]);
  scene.add(Body, { mesh: box(), mass: 1 });
  scene.add(LookAtCamera, { eye: [0, 0, 3] });
  return buildModel(scene);
};

describe('readFilm', () => {
  it('finds the moving disc to 0.15 px, and takes the frame rate of the file', async () => {
    const film = await readFilm(await bytes(thrown()));
    expect({ ...film.size, count: film.count }).toEqual({ ...SIZE, count: 12 });
    expect(film.frameRate).toBeCloseTo(25, 6);
    const [ball, ...others] = film.tracks;
    expect(others).toEqual([]);
    for (const { frame, x, y, time } of ball.points) {
      expect(Math.hypot(x - place(frame)[0], y - place(frame)[1])).toBeLessThan(0.15);
      expect(time).toBeCloseTo(frame / 25, 8);
    }
  });

  it('corrects masks by strokes: added area, a removed disc, and frames in which the disc touches what is ignored', async () => {
    const disc = Math.PI * 25;
    const [[u, v], [x, y]] = [place(3), place(8)].map((at) => at.map(Math.round));
    // Numbers of frames are those of the file.
    const text = `remove 4 r9 ${place(4).join(',')}; add 5-6 r3 2,2; ignore all r1 ${x},0 ${x},${y}`;
    expect(strokesOf(text).map(strokeText).join('; ')).toBe(text);
    const film = await readFilm(await bytes(thrown()), { first: 1, without: [3], retouch: strokesOf(text) });
    const points = film.tracks.flatMap((track) => track.points);
    const at = (frame: number) => points.filter((point) => point.frame === frame - 1);
    expect(at(3)).toEqual([]);
    expect(at(4)).toEqual([]);
    expect(film.masks.data.filter((value, k) => value > 0 && Math.floor(k / (48 * 32)) === 4).length).toBeGreaterThan(
      disc + 20,
    );
    expect(at(2).map(({ blob }) => blob!.isWhole)).toEqual([true]);
    expect(at(8).every(({ blob }) => !blob!.isWhole)).toBe(true);
    expect(observedOutlines(film)[7]).toBeUndefined();
    expect(film.masks.data.every((covered, k) => covered === 0 || film.weights.data[k] > 0)).toBe(true);
    for (const wrong of ['paint all r3 1,1', 'add 4-2 r3 1,1', 'add all r0 1,1', `add all r3 ${u};${v}`])
      expect(() => strokesOf(wrong)).toThrowCode('film/no-stroke');
  });

  it('crops and scales the given camera like the pictures, and refuses one of another shape or without a file', async () => {
    const camera: Camera = {
      width: 96,
      height: 64,
      focalLength: [100, 98],
      principalPoint: [50, 30],
      distortion: [-0.1, 0, 0, 0, 0],
      pose: { rotation: [1, 0, 0, 0], translation: [0, 0, 3] },
    };
    const bytesOf = await bytes(thrown(4));
    const film = await readFilm(bytesOf, {
      camera,
      region: { x: 8, y: 4, width: 32, height: 24 },
      mask: 'none',
    });
    const [seen] = [await filmCamera(PinholeCamera, pinholeOf(film.camera), film.size)];
    const [x, y] = projectPoint(camera, [0.4, 0.3, -0.2]);
    // Half as many pixels as the camera's own pictures, then cut.
    const [u, v] = seen.project([0.4, 0.3, -0.2]);
    expect(u).toBeCloseTo((x + 0.5) / 2 - 8, 5);
    expect(v).toBeCloseTo((y + 0.5) / 2 - 4, 5);
    const small = film.resized({ width: 16, height: 12 });
    expect(
      (await filmCamera(PinholeCamera, pinholeOf(small.camera), small.size)).project([0.4, 0.3, -0.2])[0],
    ).toBeCloseTo(u / 2, 5);
    await expect(readFilm(bytesOf, { camera: { ...camera, height: 80 } })).rejects.toThrowCode('cameras/other-shape');
    await expect(readFilm(bytesOf, { camera: 'none.json' })).rejects.toThrowCode({
      code: 'film/file-unreadable',
      values: ['none.json'],
    });
    const without = await readFilm(bytesOf, { mask: 'none' });
    expect(() => without.camera).toThrowCode('film/no-camera');
  });

  it('refuses misspelt options, naming a similar one, invalid values, and a missing film', async () => {
    const film = await bytes(thrown(3));
    const refused = (options: object) => expect(readFilm(film, options)).rejects;
    await refused({ framerate: 25 }).toThrowCode({
      code: 'base/unknown-option',
      values: ['"framerate"', '"frameRate"', 'readFilm'],
    });
    await refused({ mask: { shadow: true } }).toThrowCode({ code: 'base/unknown-option', values: ['"shadows"'] });
    await refused({ region: { x: 0, y: 0, w: 4, height: 4 } }).toThrowCode({
      code: 'base/unknown-option',
      values: ['"w"', 'readFilm'],
    });
    await refused({ mask: 'movin' }).toThrowCode({ code: 'base/unknown-choice', values: ['"movin"', 'readFilm'] });
    await refused({ size: { width: 20, height: 20 } }).toThrowCode({ code: 'film/other-shape', values: [20] });
    await refused({ upright: 45 }).toThrowCode({ code: 'film/option-out-of-range', field: 'upright', values: [45] });
    await refused({ without: [7] }).toThrowCode({ code: 'film/no-such-frame', field: 'without', values: [7, 0, 2] });
    await expect(readFilm(undefined)).rejects.toThrowCode('film/no-film');
  });

  it(`refuses a frame rate unlike that of the time stamps, and takes it with clock: "wrong"`, async () => {
    const film = await bytes(thrown(4));
    await expect(readFilm(film, { frameRate: 100 })).rejects.toThrowCode({
      code: 'film/other-frame-rate',
      values: [25, 100, 'frameRate'],
    });
    const slow = await readFilm(film, { frameRate: 100, clock: 'wrong', mask: 'none' });
    expect([slow.frameRate, slow.clockTolerance]).toEqual([100, undefined]);
    const near = await readFilm(film, { frameRate: 25.1, mask: 'none' });
    expect(near.clockTolerance).toBeCloseTo(0.004, 6);
    const some = await readFilm(film, { frameRate: 25, every: 2, mask: 'none' });
    expect([some.frameRate, some.count]).toEqual([12.5, 2]);
    await expect(readFilm(film, { clock: 'wrong' })).rejects.toThrowCode({
      code: 'film/frame-rate-missing',
      values: ['frameRate'],
    });
  });

  it('rotates a film by the angle `upright`, then crops the region of the rotated picture', async () => {
    const upright = thrown(4);
    const region = { x: 3, y: 5, width: 30, height: 20 };
    const straight = await readFilm(await bytes(upright), { region, mask: 'none' });
    for (const turn of [90, 180, 270] as const) {
      const lying = turnFrames(upright, ((360 - turn) % 360) as 90 | 180 | 270);
      const film = await readFilm(await bytes(lying), { upright: turn, region, mask: 'none' });
      expect(film.size).toEqual({ width: 30, height: 20 });
      expect(film.frames.data).toEqual(straight.frames.data);
    }
  });

  it('takes an image file, a picture in memory, or a range of frames of the film as the background', async () => {
    const film = thrown(6);
    const empty = thrown(1, false);
    const ways = [{ file: await encodeFrames(empty, 'png') }, empty];
    for (const background of ways) {
      const [ball] = (await readFilm(await bytes(film), { background })).tracks;
      expect(Math.abs(ball.points[2].x - place(2)[0])).toBeLessThan(0.2);
    }
    const late = { ...film, data: Float32Array.from([...empty.data, ...film.data]) };
    const seen = await readFilm(await bytes(late), { background: { frames: [0, 0] } });
    expect(seen.background.data).toEqual(empty.data);
    expect(seen.tracks[0].points.map(({ frame }) => frame)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('a film', () => {
  it('is converted to target masks or colours for a model of half its size, without the frames left out', async () => {
    const film = await readFilm(await bytes(thrown()), { without: [3] });
    const model = pictures({ width: 24, height: 16 });
    const { field, target, frames, weights } = film.observation(model, { doubleSided: false });
    expect([field, weights]).toEqual([Pixel.alpha, undefined]);
    expect(frames).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
    const rows = toRows(layoutOf(model), Float32Array.from(target), 1);
    const area = rows.subarray(0, 24 * 16).reduce((sum, part) => sum + part, 0);
    expect(Math.abs((4 * area) / film.tracks[0].points[0].area! - 1)).toBeLessThan(1e-3);
    const both = film.observation(model);
    expect(both.target[0]).toBeCloseTo(1 - (1 - target[0]) ** 2, 6);
    const colours = film.observation(model, { by: 'colours' });
    expect([colours.field, colours.weights]).toEqual([Pixel.rgba, [1, 1, 1, 0]]);
    expect(film.timeline(12, 3)).toEqual({ frames: 36, frameRate: expect.closeTo(75, 6), substeps: 4 });
  });

  it('refuses a model of another aspect ratio, unknown options, substeps not divisible by instants, and tracks without a mask', async () => {
    const film = await readFilm(await bytes(thrown()));
    expect(() => film.observation(pictures({ width: 32, height: 32 }))).toThrowCode({
      code: 'film/other-shape',
      values: [48, 32],
    });
    expect(() => film.observation(pictures(SIZE), { instant: 2 } as object)).toThrowCode({
      code: 'base/unknown-option',
      values: ['"instants"'],
    });
    expect(() => film.timeline(10, 3)).toThrowCode({
      code: 'film/option-out-of-range',
      field: 'substeps',
      values: [10, 3],
    });
    const bare = await readFilm(await bytes(thrown()), { mask: 'none' });
    expect(() => bare.tracks).toThrowCode('film/no-mask');
  });
});

describe('filmCamera', () => {
  it('projects the target to the middle, and other points by the vertical field of view', async () => {
    const camera = await filmCamera(LookAtCamera, { eye: [0, 1, 4], target: [0, 1, 0], fieldOfView: 0.8 }, SIZE);
    expect(camera.project([0, 1, 0])).toEqual([24, 16]);
    const [x, y] = camera.project([0.5, 1.5, 0]);
    const scale = 16 / Math.tan(0.4);
    expect(x).toBeCloseTo(24 + (scale * 0.5) / 4, 9);
    expect(y).toBeCloseTo(16 - (scale * 0.5) / 4, 9);
  });
});

const encoders = spawnSync('ffmpeg', ['-hide_banner', '-encoders'], { encoding: 'utf8' }).stdout ?? '';
const missing = !encoders.includes('libx264');
if (missing) console.warn('skipped: films with two video tracks, since no ffmpeg here writes H.264');

it.skipIf(missing)('readFilm reads the requested video track, with its own count, rate and size', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-film-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'two.mp4');
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=64x48:r=10:d=1'],
    ...['-f', 'lavfi', '-i', 'testsrc=s=48x32:r=8:d=1', '-map', '0', '-map', '1', '-pix_fmt', 'yuv420p', path],
  ]);
  for (const [track, width, count] of [
    [1, 64, 10],
    [2, 48, 8],
  ]) {
    const film = await readFilm(path, { track, mask: 'none' });
    expect([film.size.width, film.count]).toEqual([width, count]);
    expect(film.frameRate).toBeCloseTo(count, 6);
  }
});
