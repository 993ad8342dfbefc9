// The gradient of a weighted regressor against differences of the regressor, which is written in other axes.

import { readUrdf } from '@gradsim/robots';
import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { pullBack } from '../../src/excitation/pull-back.ts';
import { type Motion, rigidRegressor } from '../../src/logs/regressor.ts';

const SEED = seedOfRun('pull-back');

it('derivatives by coordinates, rates and accelerations are those of the regressor, whatever the tree', async () => {
  const random = randomNumbers(SEED);
  const draw = (size = 1): number => size * (2 * random() - 1);
  const names = ['a', 'b', 'c', 'd', 'e'];
  const joints = names.map((name, k) => {
    const parent = k === 0 ? 'base' : names[Math.floor(random() * k)];
    const type = ['continuous', 'continuous', 'prismatic', 'fixed'][Math.floor(random() * (k === 0 ? 3 : 4))];
    return `<joint name="j${k}" type="${type}"><parent link="${parent}"/><child link="${name}"/>
      <origin xyz="${draw(0.3)} ${draw(0.3)} ${draw(0.3)}" rpy="${draw()} ${draw()} ${draw()}"/>
      ${type === 'fixed' ? '' : `<axis xyz="${draw()} ${draw()} ${1 + random()}"/>`}
      ${type === 'prismatic' ? '<limit lower="-1" upper="1" effort="1" velocity="1"/>' : ''}</joint>`;
  });
  const links = names.map(
    (name) => `<link name="${name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>`,
  );
  const robot = await readUrdf(`<robot name="tree"><link name="base"/>${links.join('')}${joints.join('')}</robot>`);
  const count = robot.links.filter(({ values }) => values.joint !== 'fixed').length;
  const motion: Motion = { q: [], v: [], a: [] };
  for (const of of [motion.q, motion.v, motion.a]) for (let j = 0; j < count; j++) (of as number[]).push(draw(2));
  const gravity = [draw(3), draw(3), -9.81] as const;
  const rows = rigidRegressor(robot, motion, gravity);
  const weights = rows.map((row) => row.map(() => draw()));
  const value = (at: Motion): number =>
    rigidRegressor(robot, at, gravity).reduce(
      (sum, row, j) => sum + row.reduce((s, y, p) => s + y * weights[j][p], 0),
      0,
    );
  const gradient = pullBack(robot, motion, weights, gravity);
  const h = 1e-5;
  for (const of of ['q', 'v', 'a'] as const)
    for (let j = 0; j < count; j++) {
      const moved = (by: number): Motion => ({ ...motion, [of]: motion[of].map((x, i) => (i === j ? x + by : x)) });
      const difference = (value(moved(h)) - value(moved(-h))) / (2 * h);
      // Rounding over the step is some 1e-9 of values of a hundred.
      expect(Math.abs(gradient[of][j] - difference), `${of} of joint ${j}, seed ${SEED}`).toBeLessThan(
        1e-6 * (1 + Math.abs(difference)),
      );
    }
});
