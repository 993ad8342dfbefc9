import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import { project } from '../src/camera.ts';
import { drawTake } from '../src/draw-take.ts';
import { writeH264 } from '../src/encode.ts';
import { cornersOf } from '../src/outline.ts';
import type { Photographer, Pictures } from '../src/photograph.ts';
import { createPhotographer } from '../src/photograph.ts';
import { rayPhotographer } from '../src/rays/photograph.ts';
import type { Actor, Shot } from '../src/shot.ts';
import { shotOf } from '../src/shot-of.ts';
import type { Kind, Recording } from '../src/take.ts';
import { KINDS } from '../src/take.ts';
import type { Vector } from '../src/vectors.ts';
import { add, rotate } from '../src/vectors.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED, NOT TESTED: films of known truth. This machine has no Chromium on its PATH.');
const hasX264 = spawnSync('ffmpeg', ['-hide_banner', '-encoders'], { encoding: 'utf8' }).stdout?.includes('libx264');
if (!hasX264) console.warn('SKIPPED, NOT TESTED: H.264. This machine has no ffmpeg with libx264 on its PATH.');

/** Indices of four instants of an exposure whose mean time is its middle. */
const FEW = [1, 4, 7, 10];

/**
 * Shot of the first and the last frame in ambient light only, so that the object changes pixels but its shadow does
 * not.
 */
function ends(take: Recording): Shot {
  const shot = shotOf(take);
  const pick = <T>(of: readonly (readonly T[])[]): T[][] =>
    [of[0], of[of.length - 1]].map((frame) => FEW.map((instant) => frame[instant]));
  const actors = shot.actors.map(
    (actor): Actor =>
      'poses' in actor ? { ...actor, poses: pick(actor.poses) } : { ...actor, bends: pick(actor.bends) },
  );
  return {
    ...shot,
    actors,
    frames: 2,
    instants: FEW.length,
    look: { ...take.look, lampIntensity: 0, skyIntensity: 4 },
  };
}

/** Positions (x, y) of pixels in a frame that differ from the empty scene, px. */
function changed({ frames, plate }: Pictures, frame: number, width: number): [x: number, y: number][] {
  const from = frame * plate.length;
  const found: [number, number][] = [];
  for (let p = 0; p < plate.length / 3; p++) {
    const far = [0, 1, 2].map((c) => Math.abs(frames[from + 3 * p + c] - plate[3 * p + c]));
    if (Math.max(...far) >= 30) found.push([(p % width) + 0.5, Math.floor(p / width) + 0.5]);
  }
  return found;
}

/** Minimum and maximum x, then minimum and maximum y, of points, px. */
function edges(points: readonly (readonly number[])[]): number[] {
  return [0, 1].flatMap((c) => [Math.min, Math.max].map((of) => of(...points.map((point) => point[c]))));
}

/** Points on the edges of what moves at a time: corners of boxes, rims of prisms, both sides of strips. */
function edgesOfMovers({ movers }: Recording['scene'], time: number): Vector[] {
  return movers.flatMap((mover) => {
    const { solid } = mover;
    if (!('poseAt' in mover)) {
      const { place } = mover;
      const half = solid.shape === 'strip' ? solid.thickness / 2 : 0;
      return mover
        .bendAt(time)
        .flatMap(([x, y]) =>
          [-half, half].map((aside) => add(place.position, rotate(place.orientation, [x, y + aside, 0]))),
        );
    }
    const pose = mover.poseAt(time);
    if (solid.shape === 'box') return cornersOf(solid.halfSizes, pose);
    if (solid.shape !== 'prism') return [];
    return Array.from({ length: solid.sides }, (_, k) => (2 * Math.PI * k) / solid.sides).flatMap((at) =>
      [-1, 1].map((side) =>
        add(
          pose.position,
          rotate(pose.orientation, [
            solid.radius * Math.cos(at),
            solid.radius * Math.sin(at),
            (side * solid.width) / 2,
          ]),
        ),
      ),
    );
  });
}

/** Distances of the visible object from its true position, px: of its four edges, or of its centre if it is a ball. */
function offAt(take: Recording, time: number, seen: readonly (readonly number[])[]): number[] {
  const { scene, camera } = take;
  const { solid } = scene.movers[0];
  const outline = solid.shape === 'sphere' || scene.kind === 'beam' ? scene.outline(time) : edgesOfMovers(scene, time);
  const points = outline.map((point) => project(camera, point));
  if (solid.shape !== 'sphere') {
    const expected = edges(points);
    return edges(seen).map((edge, i) => Math.abs(edge - expected[i]));
  }
  // The middle of what is seen around the middle of the ball's outline, its first eight corners.
  const [x, y, depth] = [0, 1, 2].map((c) => points.slice(0, 8).reduce((sum, point) => sum + point[c] / 8, 0));
  const radius = ((scene.measured.radius as number) * camera.height) / 2 / Math.tan(camera.fieldOfView / 2) / depth;
  const near = seen.filter(([u, v]) => Math.hypot(u - x, v - y) < 1.3 * radius);
  const middle = [0, 1].map((c) => near.reduce((sum, point) => sum + point[c] / near.length, 0));
  // A disc is seen from aside; blur lets the rim of a ball fade.
  expect(near.length / (Math.PI * radius ** 2)).toBeGreaterThan(0.75);
  return [Math.hypot(middle[0] - x, middle[1] - y)];
}

/** Expects what moves to be seen within 2 px of its projected position in the first and the last frame. */
async function expectInPlace(kind: Kind, photographer: Photographer): Promise<void> {
  const take = drawTake(kind, 0, 1);
  const { camera, frames, frameRate } = take;
  const pictures = await photographer.photograph(ends(take));
  [0, (frames - 1) / frameRate].forEach((time, k) => {
    const off = offAt(take, time, changed(pictures, k, camera.width));
    console.info(`${kind}, frame ${k * (frames - 1)}: off by ${off.map((o) => o.toFixed(1))} pixels`);
    expect(Math.max(...off)).toBeLessThan(2);
  });
}

/** Kinds of things that touch others, which take the ambient light from each other where the light is followed by rays. */
const TOUCHING: readonly Kind[] = ['ball', 'beam', 'collision', 'spin'];
const APART = KINDS.filter((kind) => !TOUCHING.includes(kind));

it.each(APART)('rays show the %s within 2 px of its projected position in the first and the last frame', (kind) =>
  expectInPlace(kind, rayPhotographer),
);

describe.skipIf(!chromium)('a film of known truth', () => {
  let photographer: Photographer;
  beforeAll(async () => {
    photographer = await createPhotographer(chromium!);
  });
  afterAll(() => photographer?.dispose());

  it.each(KINDS)('shows the %s within 2 px of its projected position in the first and the last frame', (kind) =>
    expectInPlace(kind, photographer),
  );

  it('has a shadow, and noise with a standard deviation between 0.2 and 8 of 255', async () => {
    const take = drawTake('ball', 1, 1);
    const shot = ends(take);
    const { frames, plate } = await photographer.photograph({ ...shot, look: take.look });
    const length = plate.length;
    // Away from ball and shadow the frames differ by noise alone.
    const corner = Array.from({ length: 3000 }, (_, k) => frames[k] - frames[length + k]);
    const spread = Math.sqrt(corner.reduce((sum, d) => sum + d * d, 0) / corner.length);
    console.info(`noise of two frames: ${spread.toFixed(2)} of 255`);
    expect(spread).toBeGreaterThan(0.2);
    expect(spread).toBeLessThan(8);
    const { frames: lit } = await photographer.photograph(shot);
    const darker = (of: Buffer): number =>
      Array.from({ length: length / 3 }, (_, p) => of[3 * p + 1] < 0.8 * of[length + 3 * p + 1]).filter(Boolean).length;
    // In the sky's light there is no shadow, which the other has beside the ball.
    expect(darker(frames)).toBeGreaterThan(1.2 * darker(lit));
  });

  it.skipIf(!hasX264)('is written as H.264 with its frame rate, number of frames and mean colour', async () => {
    const take = drawTake('disc', 0, 1);
    const { width, height } = take.camera;
    const { frames } = await photographer.photograph(ends(take));
    const folder = await mkdtemp(join(tmpdir(), 'gradsim-h264-'));
    try {
      const path = join(folder, 'disc.mp4');
      await writeH264(path, { width, height, data: frames }, 30, 18);
      const probe = ['-v', 'error', '-show_entries', 'stream=codec_name,r_frame_rate,nb_frames', '-of', 'csv=p=0'];
      expect(spawnSync('ffprobe', [...probe, path], { encoding: 'utf8' }).stdout.trim()).toBe('h264,30/1,2');
      const decode = ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'];
      const back = spawnSync('ffmpeg', decode, { maxBuffer: 1e8 }).stdout;
      const mean = (of: Buffer): number => of.reduce((sum, value) => sum + value / of.length, 0);
      expect(back.length).toBe(frames.length);
      expect(Math.abs(mean(back) - mean(frames))).toBeLessThan(1.5);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
