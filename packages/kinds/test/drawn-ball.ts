// Films of a ball that are drawn here, by a path that is given, and what the kind finds in them.
import { cpuDevice } from '@gradsim/core';
import type { Estimate } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { createFrames, encodeFrames, type FilmSource, fromLinear } from '@gradsim/video';
import { ball } from '../src/ball/index.ts';
import { type Kind, measuredOf } from '../src/index.ts';

const device = cpuDevice();

/** What a kind finds in a film. Gravity is unknown. */
export async function found(
  video: FilmSource,
  measured: Readonly<Record<string, string>>,
  kind: Kind = ball as unknown as Kind,
): Promise<Estimate> {
  const texts = { video: 'a.mp4', gravity: 'null', ...measured };
  const context = { device, video, log: () => {}, fileOf: (path: string) => path };
  const [{ problem }] = await kind.stages(measuredOf(kind, texts), context);
  return estimate(problem, { device });
}

const SIZE = { width: 320, height: 240 };
/** Rate of the usual frames, 1/s, and the part of their interval in which the shutter is open. */
export const RATE = 30;
const [SHUTTER, INSTANTS] = [0.25, 8];
/** Distance of the ball from the camera, radius, height above the floor, m, and speed to the side, m/s. */
const AWAY = 3;
export const [RADIUS, HEIGHT, SPEED] = [0.1, 0.75, 0.7];
export const [G, RESTITUTION] = [9.81, 0.72];
export const FIELD_OF_VIEW = 40;
const PIXELS = SIZE.height / 2 / Math.tan((FIELD_OF_VIEW * Math.PI) / 360) / AWAY;

/** Step of the integration, s. */
const STEP = 1e-5;

/**
 * Path of a ball that air brakes by `drag` times its squared speed, and that bounces at height 0, by small steps of its
 * equation of motion, which share nothing with the model.
 *
 * @returns a function from time, s, to how far it is to the side, and its lowest point's height, m.
 */
export function pathInAir(
  drag: number,
  start: { readonly height: number; readonly velocity: readonly [number, number] },
  seconds: number,
): (time: number) => readonly [number, number] {
  let [x, y, vx, vy] = [0, start.height, ...start.velocity];
  const places: [number, number][] = [[x, y]];
  while (places.length * STEP < seconds + 0.1) {
    const speed = Math.hypot(vx, vy);
    const [ax, ay] = [-drag * speed * vx, -G - drag * speed * vy];
    x += STEP * (vx + (STEP * ax) / 2);
    y += STEP * (vy + (STEP * ay) / 2);
    vx += STEP * ax;
    vy += STEP * ay;
    if (y < 0 && vy < 0) [y, vy] = [-RESTITUTION * y, -RESTITUTION * vy];
    places.push([x, y]);
  }
  return (time) => places[Math.round(time / STEP)];
}

/**
 * Pictures of the ball at given times, s, with the blur of an open shutter, as WebM with these time stamps.
 *
 * @param placeAt how far it is to the side at a time, and its lowest point above the floor, m.
 */
export function filmed(
  times: readonly number[],
  placeAt: (time: number) => readonly [number, number],
): Promise<Uint8Array> {
  const film = { ...createFrames({ ...SIZE, channels: 3, frameRate: RATE }, times.length), times };
  const { width, height } = SIZE;
  const r = RADIUS * PIXELS;
  times.forEach((time, f) => {
    const cover = new Float32Array(width * height);
    for (let i = 0; i < INSTANTS; i++) {
      const t = Math.max(0, time + (SHUTTER / RATE) * ((i + 0.5) / INSTANTS - 0.5));
      const [side, height] = placeAt(t);
      const x = width / 2 + PIXELS * (side - 0.5);
      const y = SIZE.height / 2 - PIXELS * (RADIUS + height - 0.45);
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
