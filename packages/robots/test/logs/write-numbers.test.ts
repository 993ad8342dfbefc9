import type { Identification } from '@gradsim/robots';
import { identifyRobot, readJointLog, readMjcf, readUrdf, writeCalibrated } from '@gradsim/robots';
import { beforeAll, expect, it } from 'vitest';
import { apart, swungByMujoco, swungHere } from '../support/swing.ts';
import { PLANAR, simulatedLog } from './support.ts';

const URDF = `<robot name="arm">
  <link name="base"/>
  <!-- the arm -->
  <link name="arm"><inertial><origin xyz="0 0 -0.1" rpy="0.1 0 0"/><mass value="0.4"/>
    <inertia ixx="0.003" iyy="0.003" izz="0.001"/></inertial></link>
  <joint name="pivot" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 -1 0"/></joint>
</robot>
`;

let planar: { readonly found: Identification; readonly written: string };
let pivot: { readonly found: Identification; readonly written: string };

beforeAll(async () => {
  const model = await readMjcf(PLANAR);
  const text = await simulatedLog(model);
  const found = identifyRobot(model, [readJointLog(text, model)], { delay: 0 });
  planar = { found, written: writeCalibrated(PLANAR, found) };
  // One joint of the same log, as a URDF of a body that is not placed as the file says.
  const arm = await readUrdf(URDF);
  const single = text.replaceAll('pos_elbow', 'pos_pivot').replaceAll('tau_elbow', 'tau_pivot');
  const other = identifyRobot(arm, [readJointLog(single, arm)], { delay: 0 });
  pivot = { found: other, written: writeCalibrated(URDF, other) };
});

it('writes a calibrated MJCF and URDF that read as the calibrated robot, with other lines as they were', async () => {
  const { found, written } = planar;
  const again = await readMjcf(written);
  again.links.forEach(({ values }, k) => {
    const own = found.robot.links[k].values;
    expect(values.mass).toBeCloseTo(own.mass, 8);
    expect(values.damping).toBeCloseTo(own.damping as number, 8);
    expect(values.armature).toBeCloseTo(own.armature as number, 8);
    for (let i = 0; i < 3; i++) expect(values.centre[i]).toBeCloseTo(own.centre[i], 8);
    for (let i = 0; i < 9; i++) expect(values.inertia[i]).toBeCloseTo(own.inertia[i], 8);
  });
  expect(written).toContain('m cz of upper - 0.3 m of lower');
  const kept = PLANAR.split('\n').filter((line) => !/<joint|<inertial/.test(line));
  expect(kept.filter((line) => !written.split('\n').includes(line) && !line.startsWith('<mujoco'))).toEqual([]);

  const body = (await readUrdf(pivot.written)).links[1].values;
  const own = pivot.found.robot.links[1].values;
  expect(body.mass).toBeCloseTo(own.mass, 8);
  expect(body.dryFriction).toBeCloseTo(own.dryFriction as number, 8);
  for (let i = 0; i < 9; i++) expect(body.inertia[i]).toBeCloseTo(own.inertia[i], 8);
});

it('writes models that MuJoCo opens, and that move there for a second as here', async () => {
  const withFriction = (text: string, friction: number): string =>
    text.replace(/(friction(?:loss)?)="[^"]*"/g, `$1="${friction}"`);
  for (const [text, read, start] of [
    [planar.written, readMjcf, [0.8, -0.4]],
    [pivot.written, readUrdf, [0.8]],
  ] as const)
    for (const [friction, tolerance] of [
      // Both integrators, a semi-implicit Euler with implicit damping, are the same.
      [0, 1e-12],
      // Dry friction is exact here, but a constraint there that gives way with a time constant of 20 ms.
      [0.05, 0.03],
    ]) {
      const changed = withFriction(text, friction);
      const robot = await read(changed);
      expect(robot.links.at(-1)?.values.dryFriction ?? 0).toBe(friction);
      const path = await swungHere(robot, start);
      expect(apart(path, await swungByMujoco(changed, start)), changed).toBeLessThan(tolerance);
      // A constraint as stiff as MuJoCo allows with this step, which URDF cannot say.
      const stiff = changed.replace(
        /frictionloss=/g,
        'solreffriction="0.004 1" solimpfriction="0.9999 0.9999 0.001" $&',
      );
      // Where a joint turns back within a step, friction there holds for the rest of the step, and here it turns too.
      if (stiff !== changed) expect(apart(path, await swungByMujoco(stiff, start)), stiff).toBeLessThan(1e-3);
    }
});
