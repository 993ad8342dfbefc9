// Films of a ball, drawn by closed forms, and what a kind finds in them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuDevice } from '@gradsim/core';
import type { Estimate } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { createFrames, encodeFrames, type FilmSource, fromLinear } from '@gradsim/video';
import { type Kind, measuredOf } from '../../src/index.ts';

export const SIZE = { width: 320, height: 240 };
/** Rate of the usual frames, 1/s, and the part of their interval in which the shutter is open. */
const [SHUTTER, INSTANTS] = [0.25, 8];
export const RATE = 30;

/** Middle of a ball in the picture at a time, s, and its radius, px, or that by the time; of something flat or long, half of its width. */
export interface Disc {
  readonly radius: number | ((time: number) => number);
  /** Height over width. Default 1. */
  readonly flat?: number;
  /** Part of the light behind it that a shadow leaves, 0 to 1. */
  readonly shadow?: number;
  /** Its colour: red, green and blue light. Default: another for each of a film's things. */
  readonly color?: readonly number[];
  /** Half of its length, px, if it is a bar, and its angle from upright at a time, rad, anticlockwise. */
  readonly bar?: { readonly half: number; readonly angle: (time: number) => number };
  readonly at: (time: number) => readonly [x: number, y: number];
}

/** Points of a line in the picture at a time, s, and half of its width, px. */
export interface Line {
  readonly radius: number;
  readonly line: (time: number) => readonly (readonly [x: number, y: number])[];
}

/** Corners in the picture at a time, s, of something flat and convex, clockwise; and the part of a frame that the shutter is open. */
export interface Flat {
  readonly corners: (time: number) => readonly (readonly [x: number, y: number])[];
  readonly shutter: number;
}

/** Light of the ground at a pixel. */
const groundAt = (p: number): number =>
  0.35 + 0.15 * ((p % SIZE.width) / SIZE.width) + (0.1 * p) / SIZE.width / SIZE.height;

/** Path of a picture of the ground alone. */
export async function emptyScene(): Promise<string> {
  const ground = createFrames({ ...SIZE, channels: 3, frameRate: RATE }, 1);
  ground.data.forEach((_, at) => {
    ground.data[at] = groundAt(Math.floor(at / 3));
  });
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-ground-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'ground.png');
  writeFileSync(file, await encodeFrames(fromLinear(ground, 'srgb'), 'png'));
  return file;
}

/** Colours of the things of a film, in their order. */
const COLORS = [
  [0.9, 0.25, 0.1],
  [0.1, 0.25, 0.8],
  [0.1, 0.6, 0.15],
];

/** Pictures of balls at given times, s, with the blur of an open shutter, as WebM with these time stamps. */
export function filmed(times: readonly number[], ...things: readonly (Disc | Line | Flat)[]): Promise<Uint8Array> {
  const film = { ...createFrames({ ...SIZE, channels: 3, frameRate: RATE }, times.length), times };
  times.forEach((time, f) => {
    const size = 3 * SIZE.width * SIZE.height;
    for (let at = 0; at < size; at++) film.data[f * size + at] = groundAt(Math.floor(at / 3));
    things.forEach((thing, k) => draw(film.data, f, time, thing, ('color' in thing && thing.color) || COLORS[k]));
  });
  // Light adds up, not what is stored.
  return encodeFrames(fromLinear(film, 'srgb'), 'webm');
}

/** Draws a thing over a frame. */
function draw(data: Float32Array, f: number, time: number, thing: Disc | Line | Flat, color: readonly number[]): void {
  const { width, height } = SIZE;
  const cover = new Float32Array(width * height);
  for (let i = 0; i < INSTANTS; i++) {
    const open = 'shutter' in thing ? thing.shutter : SHUTTER;
    const moment = Math.max(0, time + (open / RATE) * ((i + 0.5) / INSTANTS - 0.5));
    const { from, to, beyond } = coveredBy(thing, moment);
    for (let row = Math.floor(from[1]); row < to[1]; row++)
      for (let column = Math.floor(from[0]); column < to[0]; column++)
        cover[row * width + column] += Math.min(Math.max(0.5 - beyond(column + 0.5, row + 0.5), 0), 1) / INSTANTS;
  }
  cover.forEach((part, p) => {
    for (let c = 0; c < 3; c++) {
      const here = (f * width * height + p) * 3 + c;
      const own = 'shadow' in thing ? thing.shadow! * data[here] : color[c];
      data[here] += part * (own - data[here]);
    }
  });
}

/** Corners of what a thing covers in the picture, and the distance of a point beyond its rim, px. */
interface Covered {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly beyond: (x: number, y: number) => number;
}

function coveredBy(thing: Disc | Line | Flat, moment: number): Covered {
  if ('line' in thing) return lineAt(thing, moment);
  return 'corners' in thing ? flatAt(thing, moment) : discAt(thing, moment);
}

function flatAt({ corners }: Flat, moment: number): Covered {
  const points = corners(moment);
  const [xs, ys] = [0, 1].map((c) => points.map((point) => point[c]));
  const edges = points.map(([x, y], k) => {
    const [u, v] = points[(k + 1) % points.length];
    const length = Math.hypot(u - x, v - y);
    // Outwards, to the left of each edge, since y points down.
    return { x, y, right: (v - y) / length, down: (x - u) / length };
  });
  return {
    from: [Math.min(...xs) - 1, Math.min(...ys) - 1],
    to: [Math.max(...xs) + 1, Math.max(...ys) + 1],
    beyond: (px, py) => Math.max(...edges.map(({ x, y, right, down }) => (px - x) * right + (py - y) * down)),
  };
}

function discAt({ radius, flat = 1, bar, at }: Disc, moment: number): Covered {
  const [x, y] = at(moment);
  const r = typeof radius === 'number' ? radius : radius(moment);
  const reach = r + (bar?.half ?? 0) + 1;
  return {
    from: [x - reach, y - reach],
    to: [x + reach, y + reach],
    beyond: (px, py) => {
      const [u, v] = [px - x, py - y];
      if (!bar) return Math.hypot(u, v / flat) - r;
      const [c, s] = [Math.cos(bar.angle(moment)), Math.sin(bar.angle(moment))];
      return Math.max(Math.abs(u * c - v * s) - r, Math.abs(u * s + v * c) - bar.half);
    },
  };
}

function lineAt({ radius, line }: Line, moment: number): Covered {
  const points = line(moment);
  const corner = (of: (...all: number[]) => number, more: number): [number, number] => [
    of(...points.map(([x]) => x)) + more,
    of(...points.map(([, y]) => y)) + more,
  ];
  return {
    from: corner(Math.min, -radius - 1),
    to: corner(Math.max, radius + 1),
    beyond: (px, py) =>
      Math.min(
        ...points.slice(1).map(([x, y], k) => {
          const [u, v] = [x - points[k][0], y - points[k][1]];
          const along = Math.min(Math.max(((px - x) * u + (py - y) * v) / (u * u + v * v) + 1, 0), 1);
          return Math.hypot(px - points[k][0] - along * u, py - points[k][1] - along * v);
        }),
      ) - radius,
  };
}

/** Evenly spaced times of frames, s. */
export const evenTimes = (seconds: number): number[] =>
  Array.from({ length: Math.round(seconds * RATE) + 1 }, (_, frame) => frame / RATE);

/** What a kind finds in a film, by measurements as of `--set`. */
export async function found(
  kind: Kind,
  video: FilmSource,
  measured: Readonly<Record<string, string>>,
  log: (line: string) => void = () => {},
): Promise<Estimate> {
  const device = cpuDevice();
  const context = { device, video, log, fileOf: (path: string) => path };
  const [{ problem }] = await kind.stages(measuredOf(kind, { video: 'a.mp4', ...measured }) as never, context);
  return estimate(problem, { device });
}
