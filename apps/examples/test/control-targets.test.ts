// Goals of control from picture files: where the thing is in a picture of another renderer is found by its outline, key
// frames are read with the files that they name, and what is no goal is refused by name.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuDevice } from '@gradsim/core';
import type { Experiment, Stage } from '@gradsim/optim';
import { encodePng } from '@gradsim/video';
import { afterAll, beforeAll, expect, it } from 'vitest';
import clothThrow from '../src/cloth-throw.ts';
import { errorOf, goalOf, reachProblem } from '../src/control/reach.ts';
import { CONTROL_TASKS } from '../src/control/stages.ts';
import { targetOf } from '../src/control/targets.ts';
import gear from '../src/gear.ts';
import walker from '../src/walker.ts';

const device = cpuDevice();
const log = (): void => {};
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradsim-targets-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  device.dispose();
});

/** Writes a picture of a silhouette in other colours and without soft edges: dark green stripes on white. */
async function drawn(name: string, alpha: ArrayLike<number>, width: number): Promise<string> {
  const height = alpha.length / width;
  const data = Float32Array.from({ length: 3 * alpha.length }, (_, at) => {
    const [k, c] = [Math.floor(at / 3), at % 3];
    if (alpha[k] < 0.5) return 1;
    return c === 1 ? (k % 5 === 0 ? 0.65 : 0.4) : 0.05;
  });
  const file = join(folder, name);
  await writeFile(file, await encodePng({ width, height, channels: 3, frameRate: 1, data }));
  return file;
}

it.each([
  ['walker', 8],
  ['gear', 13],
] as const)('the centre of the %s in a target picture of other colours is found to 0.25 px', async (name, distance) => {
  // Metres a pixel at that distance of the camera, in pictures of 64 pixels.
  const within = 0.25 * ((2 * distance * Math.tan(Math.PI / 6)) / 64);
  const large = CONTROL_TASKS[name].make({ seed: 1, size: 160 });
  const own = await goalOf(large, device);
  const file = await drawn(`${name}.png`, own.pictures[0].image.alpha, 160);
  const task = CONTROL_TASKS[name].make({ seed: 1, size: 64 });
  const { goal, overlap } = await targetOf(task, file, device);
  expect(overlap).toBeGreaterThan(0.85);
  goal.centre!.forEach((x, axis) => expect(Math.abs(x - own.centre![axis])).toBeLessThan(within));
  // From a run that stays where it began, the error is that of the way there.
  const start = Array.from({ length: 2 }, () => [0, own.centre![1], 0]).flat();
  expect(errorOf(start, goal)).toBeCloseTo(own.centre![0] ** 2 / 3, 1);
});

it('a target picture of another object gives no centre of mass, and is refused where the goal is a state', async () => {
  const disc = Float64Array.from({ length: 128 * 128 }, (_, k) =>
    Math.hypot((k % 128) - 30, Math.floor(k / 128) - 100) < 3 ||
    Math.hypot((k % 128) - 100, Math.floor(k / 128) - 20) < 3
      ? 1
      : 0,
  );
  const file = await drawn('discs.png', disc, 128);
  const { task, goal } = await targetOf(CONTROL_TASKS.walker.make({ seed: 1, size: 64 }), file, device);
  expect(goal.centre).toBe(null);
  expect(errorOf(new Float64Array(6), goal)).toBe(null);
  expect(() => reachProblem(task, goal, 'state', 1)).toThrow(/centre of mass .* cannot be told/);
});

it('a text file of key frames names pictures beside it, and sets the frames of the run, not its duration', async () => {
  const large = CONTROL_TASKS.walker.make({ seed: 1, size: 96 });
  const { pictures } = await goalOf(large, device);
  await drawn('end.png', pictures[0].image.alpha, 96);
  const text = join(folder, 'keys.txt');
  await writeFile(text, '# half-way, and at the end\nat 2.5 s: end.png\nat 5 s: end.png\n');
  const { task, goal } = await targetOf(CONTROL_TASKS.walker.make({ seed: 1, size: 48 }), text, device);
  expect(task.timeline).toEqual({ frames: 3, frameRate: 0.4, substeps: 4800 });
  expect(goal.pictures.map(({ frame, image }) => [frame, image.width, image.name])).toEqual([
    [1, 48, 'end.png'],
    [2, 48, 'end.png'],
  ]);
});

it.each([
  ['at 2.5 s: end.png\nat 9 s: end.png', /keys\.txt: Line 2 is at 9 s, but the run ends after 5 s/],
  ['at 2.5 s: none.png', /keys\.txt, line 1: .*none\.png/],
  ['in the end end.png', /keys\.txt: Line 1 is "in the end end\.png"/],
])('an invalid text of key frames is refused with its name and line: %o', async (text, message) => {
  const file = join(folder, 'wrong-keys.txt');
  await writeFile(file, text);
  const settings = { target: file, size: '32' };
  await expect(walker.stages({ settings, device, log })).rejects.toThrow(message);
});

it('a target picture that is not square, or smaller than those of the task, is refused with its file name', async () => {
  const settings = async (name: string, width: number, height: number): Promise<Record<string, string>> => ({
    target: await drawn(name, new Float64Array(width * height).fill(1, 40, 80), width),
    size: '64',
  });
  for (const given of [await settings('wide.png', 128, 96), await settings('small.png', 32, 32)])
    await expect(walker.stages({ settings: given, device, log })).rejects.toThrow(
      /(wide|small)\.png has \d+ x \d+ pixels; for pictures of 64 x 64/,
    );
});

it('published curves are reduced to medians over runs; a file without curves of the task is refused', async () => {
  const file = join(folder, 'curves.json');
  const control_cloth = {
    'one image': [
      [4, 3, 1],
      [6, 1, 2],
      [5, 2, 9, 7],
    ],
    random: [
      [8, 8],
      [9, 9],
    ],
  };
  await writeFile(file, JSON.stringify({ control_cloth, control_fem: { random: ['none'] } }));
  const stages = async (experiment: Experiment, published = file): Promise<readonly Stage[]> =>
    experiment.stages({ settings: { published, size: '32' }, device, log });
  const [{ curves }] = await stages(clothThrow);
  expect(curves).toEqual([
    { name: 'published, one image: median of 3', distances: [5, 2, 2] },
    { name: 'published, random: median of 2', distances: [8.5, 8.5] },
  ]);
  await expect(stages(gear)).rejects.toThrow(/curves\.json has no published curves of gear.*"random" has none/);
  await expect(stages(walker)).rejects.toThrow(/no published curves of walker; there are of gear and cloth-throw/);
  await expect(stages(gear, join(folder, 'none.json'))).rejects.toThrow(/none\.json is no file of published/);
});
