// Clearance of links, compared with the distances that MuJoCo's WebAssembly finds between boxes.

import { readMjcf } from '@gradsim/robots';
import loadMujoco from '@mujoco/mujoco';
import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { areApart } from '../../src/excitation/apart.ts';
import { clearanceOf } from '../../src/excitation/clearance.ts';

const mujoco = await loadMujoco();
const SEED = seedOfRun('clearance');
const LEAST = 0.02;
const BOXES = Array.from({ length: 10 }, (_, k) => k);

const arm = (random: () => number): string => {
  const between = (from: number, to: number): number => from + (to - from) * random();
  const box = (at: number): string =>
    `<geom type="box" size="${between(0.02, 0.06)} ${between(0.02, 0.06)} ${between(0.06, 0.1)}" pos="${between(-0.03, 0.03)} 0 ${at}" euler="${between(-0.3, 0.3)} 0 ${between(-1, 1)}"/>`;
  const link = (name: string, axis: string, inner: string): string =>
    `<body name="${name}" pos="0 0 .25"><joint name="j${name}" axis="${axis}"/>${box(0.12)}${box(0.2)}${inner}</body>`;
  return `<mujoco><compiler angle="radian"/><worldbody>
    ${link('a', '0 0 1', link('b', '0 1 0', link('c', '1 0 0', link('d', '0 1 0', link('e', '1 0 0', '')))))}</worldbody></mujoco>`;
};

it(`is free where MuJoCo finds no boxes nearer, seed ${SEED}`, async () => {
  const random = randomNumbers(SEED);
  let [free, touching] = [0, 0];
  for (let k = 0; k < 6; k++) {
    const text = arm(random);
    const model = mujoco.MjModel.from_xml_string(text)!;
    const data = new mujoco.MjData(model);
    const robot = await readMjcf(text, { shapes: 'collision' });
    const { isFree, uncheckedPairs } = clearanceOf(robot, [0, 0, 0, 0, 0], LEAST);
    if (uncheckedPairs.length > 0) continue;
    for (let n = 0; n < 60; n++) {
      const q = Array.from({ length: 5 }, () => 2.8 * (2 * random() - 1));
      data.qpos.set(q);
      mujoco.mj_kinematics(model, data);
      // Two boxes a body; bodies next to each other are not told apart.
      const distances = BOXES.flatMap((i) =>
        BOXES.filter((g) => Math.floor(g / 2) > Math.floor(i / 2) + 1).map((g) =>
          mujoco.mj_geomDistance(model, data, i, g, 1, null),
        ),
      );
      const isTouching = Math.min(...distances) < LEAST;
      if (!isTouching) free++;
      else touching++;
      expect(isFree(q), `${q}`).toBe(!isTouching);
    }
    data.delete();
    model.delete();
  }
  expect(Math.min(free, touching)).toBeGreaterThan(10);
});

it('says which links are nearer at rest, whose hulls it does not tell apart', async () => {
  const bar = (name: string, at: string, inner = ''): string =>
    `<body name="${name}" pos="${at}"><joint axis="0 1 0"/><geom type="box" size=".1 .05 .05"/>${inner}</body>`;
  const robot = await readMjcf(
    `<mujoco><worldbody>${bar('a', '0 0 1', bar('b', '.3 0 0', bar('c', '-.2 0 0')))}</worldbody></mujoco>`,
    { shapes: 'collision' },
  );
  expect(clearanceOf(robot, [0, 0, 0], 0.01).uncheckedPairs).toEqual([['a', 'c']]);
});

it('takes hulls as apart by more than a distance, also of points, edges and flat faces', () => {
  const square = [0, 1].flatMap((x) => [0, 1].map((y): [number, number, number] => [x, y, 0]));
  const above = (z: number) => square.map(([x, y]): [number, number, number] => [x, y, z]);
  expect(areApart(square, above(0.5), 0.499)).toBe(true);
  expect(areApart(square, above(0.5), 0.501)).toBe(false);
  expect(areApart(square, square, 0)).toBe(false);
  expect(areApart([[3, 0.5, 0]], square, 1.999)).toBe(true);
  expect(areApart([[3, 0.5, 0]], square, 2.001)).toBe(false);
  expect(areApart([[2, 2, 0]], square, Math.SQRT2 - 1e-6)).toBe(true);
  expect(areApart([[2, 2, 0]], square, Math.SQRT2 + 1e-6)).toBe(false);
});
