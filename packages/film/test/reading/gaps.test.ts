import { buildModel, createScene } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { LookAtCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { Body, rigid } from '@gradsim/rigid';
import { createFrames, encodeFrames, type Frames } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { readFilm, unevenTimes } from '../../src/index.ts';

const SIZE = { width: 48, height: 32 };
const SHAPE = { ...SIZE, channels: 3, frameRate: 25 } as const;
const BACKGROUND: Frames = { ...createFrames(SHAPE, 1), data: new Float32Array(3 * 48 * 32).fill(0.4) };

/** Column of a disc that moves evenly, px, at a time, s. */
const columnAt = (time: number): number => 6 + 40 * time;

/** A GIF of a disc at given times, s, whose delays are hundredths. */
function filmed(times: readonly number[]): Promise<Uint8Array> {
  const film = { ...createFrames(SHAPE, times.length), times };
  film.data.forEach((_, i) => {
    const pixel = Math.floor(i / 3) % (48 * 32);
    const away = Math.hypot(
      (pixel % 48) + 0.5 - columnAt(times[Math.floor(i / 3 / 48 / 32)]),
      Math.floor(pixel / 48) - 15,
    );
    const part = Math.min(Math.max(5.5 - away, 0), 1);
    film.data[i] = 0.4 + part * ([0.9, 0.2, 0.1][i % 3] - 0.4);
  });
  return encodeFrames(film, 'gif');
}

const even = (count: number): number[] => Array.from({ length: count }, (_, k) => k / 25);
/** 24 frames, of which the ninth, and the 13th to the 20th, are missing: a gap that is longer than tracks bear unseen. */
const DROPPED = even(24).filter((_, k) => k !== 8 && (k < 12 || k > 19));
const LATER_SLOWER = [...even(10), ...Array.from({ length: 6 }, (_, k) => 0.36 + 0.06 * (k + 1))];

const close = (found: readonly number[], right: readonly number[]): void => {
  expect(found.length).toBe(right.length);
  right.forEach((value, k) => expect(Math.abs(found[k] - value)).toBeLessThan(1e-9));
};

function model() {
  const scene = createScene([
    rigid(),
    render({ ...SIZE, camera: LookAtCamera }),
    softRas({ drawings: ['silhouette'] }),
  ]);
  scene.add(Body, { mesh: box(), mass: 1 });
  scene.add(LookAtCamera, { eye: [0, 0, 4], target: [0, 0, 0] });
  return buildModel(scene);
}

describe('a film of which frames are missing', () => {
  it('has frames without a picture in their places, at even times, which are not compared', async () => {
    const film = await readFilm(await filmed(DROPPED), { background: BACKGROUND });
    expect(film.count).toBe(24);
    expect(film.isUneven).toBe(false);
    expect(film.frameRate).toBeCloseTo(25, 6);
    const compared = DROPPED.map((time) => Math.round(25 * time));
    expect([...Array(24).keys()].filter((frame) => film.isCompared(frame))).toEqual(compared);
    expect(film.timeline(4)).toMatchObject({ frames: 24, substeps: 4 });
    expect(film.tracks).toHaveLength(1);
    expect(film.tracks[0].points.map(({ frame }) => frame)).toEqual(compared);
    for (const { x, time } of film.tracks[0].points) expect(Math.abs(x - columnAt(time))).toBeLessThan(0.1);
    const observation = film.observation(model());
    expect(observation.frames).toEqual(compared);
    expect(observation.target).toHaveLength(24 * 48 * 32);
    expect(unevenTimes(film.info)).toBe('25 a second, of which 9 are missing');
    const { problem } = film.stage(model(), { name: 'look', substeps: 2, parameters: [] });
    expect(problem.unevenTimes).toBe('25 a second, of which 9 are missing');
    expect(problem.clockTolerance).toBe(0);
  });

  it('counts frames as its file does', async () => {
    // Number 9 in the file is that at 10 / 25 s.
    const film = await readFilm(await filmed(DROPPED), { background: BACKGROUND, first: 5, last: 12, without: [9] });
    const frames = [...Array(film.count).keys()].filter((frame) => film.isCompared(frame));
    close(
      frames.map((frame) => film.times[frame] + 0.2),
      DROPPED.slice(5, 13).filter((_, k) => k !== 4),
    );
    await expect(
      readFilm(await filmed(DROPPED), { background: BACKGROUND, first: 5, without: [4] }),
    ).rejects.toThrowCode({ code: 'film/no-such-frame', values: [4, 5, 14] });
  });
});

describe('a film whose rate changes', () => {
  it('has its frames at the times that it states', async () => {
    const film = await readFilm(await filmed(LATER_SLOWER), { background: BACKGROUND });
    expect(film.isUneven).toBe(true);
    // Intervals of 1.5 usual ones are two frames.
    const times = [...even(10), ...Array.from({ length: 12 }, (_, k) => 0.36 + 0.03 * (k + 1))];
    close(film.times, times);
    const { frames, frameTimes, frameRate } = film.timeline(4);
    expect([frames, frameRate]).toEqual([22, undefined]);
    close(frameTimes!, times);
    for (const { frame, time, x } of film.tracks[0].points) {
      expect(time).toBe(film.times[frame]);
      expect(Math.abs(x - columnAt(time))).toBeLessThan(0.1);
    }
    expect(unevenTimes(film.info)).toBe('25 then 16.7 a second');
    // Instants of exposures are those of the usual interval, or of a shorter one.
    const instants = film.timeline(4, 2).frameTimes!;
    close(instants.slice(0, 6), [0, 0.02, 0.04, 0.06, 0.08, 0.1]);
    close(instants.slice(18, 24), [0.36, 0.375, 0.39, 0.405, 0.42, 0.435]);
    expect(film.resized({ width: 24, height: 16 }).times).toEqual(film.times);
  });

  it('is even in a part in which it does not, and slower or faster as a whole by a rate that is given', async () => {
    const part = await readFilm(await filmed(LATER_SLOWER), { background: BACKGROUND, last: 8 });
    expect(part.isUneven).toBe(false);
    const slow = await readFilm(await filmed(LATER_SLOWER), { background: BACKGROUND, frameRate: 100, clock: 'wrong' });
    const film = await readFilm(await filmed(LATER_SLOWER), { background: BACKGROUND });
    close(
      slow.times.map((time) => (time * 100) / film.info.frameRate!),
      film.times,
    );
  });
});
