import { sum } from '@gradsim/base';
import { readUrdf } from '@gradsim/robots';
import { expect, it } from 'vitest';
import { LINK_PARAMETERS, rigidRegressor, rigidTorques } from '../../src/logs/regressor.ts';

const link = (name: string): string =>
  `<link name="${name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>`;
/** A tree with all kinds of joints that a log covers, and one that is fixed. */
const TREE = `<robot name="tree"><link name="base"/>${['a', 'b', 'c', 'd', 'e'].map(link).join('')}
  <joint name="1" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0.1 0 0.2" rpy="0.3 -0.2 0.5"/><axis xyz="0 0.6 0.8"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="2" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0 0.3 0.1" rpy="0.4 0 -0.3"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="3" type="fixed"><parent link="b"/><child link="c"/><origin xyz="0.2 0.1 0" rpy="1 0 0"/></joint>
  <joint name="4" type="continuous"><parent link="c"/><child link="d"/><origin xyz="0 0 0.3"/><axis xyz="0 0 1"/></joint>
  <joint name="5" type="continuous"><parent link="a"/><child link="e"/><origin xyz="0.1 0.1 0.1"/><axis xyz="0 1 0"/></joint>
</robot>`;

it('torques of links are the rows of their regressor times their parameters', async () => {
  const robot = await readUrdf(TREE);
  const motion = { q: [0.4, 0.1, -0.8, 1.3], v: [1.1, -0.4, 2.3, 0.7], a: [-3, 2, 5, -1] };
  const parameters = Array.from(
    { length: robot.links.length * LINK_PARAMETERS.length },
    (_, p) => Math.sin(7 * p + 1) + 0.2,
  );
  const gravity = [1, -2, -9.81] as const;
  const rows = rigidRegressor(robot, motion, gravity);
  const torques = rigidTorques(robot, parameters, motion, gravity);
  expect(torques).toHaveLength(4);
  for (const [j, row] of rows.entries())
    expect(torques[j]).toBeCloseTo(sum(Array.from(row, (y, p) => y * parameters[p])), 10);
});
