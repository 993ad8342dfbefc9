// Films of a ball, drawn by closed forms, and what a kind finds in them.
import { cpuDevice } from '@gradsim/core';
import type { Estimate } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { createFrames, encodeFrames, type FilmSource, fromLinear } from '@gradsim/video';
import { type Kind, measuredOf } from '../../src/index.ts';

export const SIZE = { width: 320, height: 240 };
/** Rate of the usual frames, 1/s, and the part of their interval in which the shutter is open. */
const [SHUTTER, INSTANTS] = [0.25, 8];
export const RATE = 30;

/** Middle of a ball in the picture at a time, s, and its radius, px. */
export interface Disc {
  readonly radius: number;
  readonly at: (time: number) => readonly [x: number, y: number];
}

/** Pictures of a ball at given times, s, with the blur of an open shutter, as WebM with these time stamps. */
export function filmed(times: readonly number[], { radius: r, at }: Disc): Promise<Uint8Array> {
  const film = { ...createFrames({ ...SIZE, channels: 3, frameRate: RATE }, times.length), times };
  const { width, height } = SIZE;
  times.forEach((time, f) => {
    const cover = new Float32Array(width * height);
    for (let i = 0; i < INSTANTS; i++) {
      const [x, y] = at(Math.max(0, time + (SHUTTER / RATE) * ((i + 0.5) / INSTANTS - 0.5)));
      for (let row = Math.floor(y - r - 1); row < y + r + 1; row++)
        for (let column = Math.floor(x - r - 1); column < x + r + 1; column++)
          cover[row * width + column] +=
            Math.min(Math.max(r + 0.5 - Math.hypot(column + 0.5 - x, row + 0.5 - y), 0), 1) / INSTANTS;
    }
    cover.forEach((part, p) => {
      const ground = 0.35 + 0.15 * ((p % width) / width) + 0.1 * (p / width / height);
      for (let c = 0; c < 3; c++)
        film.data[(f * width * height + p) * 3 + c] = ground + part * ([0.9, 0.25, 0.1][c] - ground);
    });
  });
  // Light adds up, not what is stored.
  return encodeFrames(fromLinear(film, 'srgb'), 'webm');
}

/** Evenly spaced times of frames, s. */
export const evenTimes = (seconds: number): number[] =>
  Array.from({ length: Math.round(seconds * RATE) + 1 }, (_, frame) => frame / RATE);

/** What a kind finds in a film, by measurements as of `--set`. */
export async function found(
  kind: Kind,
  video: FilmSource,
  measured: Readonly<Record<string, string>>,
): Promise<Estimate> {
  const device = cpuDevice();
  const context = { device, video, log: () => {}, fileOf: (path: string) => path };
  const [{ problem }] = await kind.stages(measuredOf(kind, { video: 'a.mp4', ...measured }) as never, context);
  return estimate(problem, { device });
}
