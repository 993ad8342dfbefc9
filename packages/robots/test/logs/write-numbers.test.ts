import { identifyRobot, readJointLog, readMjcf, readUrdf, writeCalibrated } from '@gradsim/robots';
import { expect, it } from 'vitest';
import { PLANAR, simulatedLog } from './support.ts';

const URDF = `<robot name="arm">
  <link name="base"/>
  <!-- the arm -->
  <link name="arm"><inertial><origin xyz="0 0 -0.1" rpy="0.1 0 0"/><mass value="0.4"/>
    <inertia ixx="0.003" iyy="0.003" izz="0.001"/></inertial></link>
  <joint name="pivot" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 -1 0"/></joint>
</robot>
`;

it('writes a calibrated MJCF and URDF that read as the calibrated robot, with other lines as they were', async () => {
  const model = await readMjcf(PLANAR);
  const text = await simulatedLog(model);
  const found = identifyRobot(model, [readJointLog(text, model)], { delay: 0 });
  const written = writeCalibrated(PLANAR, found);
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

  // One joint of the same log, as a URDF of a body that is not placed as the file says.
  const arm = await readUrdf(URDF);
  const single = text.replaceAll('pos_elbow', 'pos_pivot').replaceAll('tau_elbow', 'tau_pivot');
  const pivot = identifyRobot(arm, [readJointLog(single, arm)], { delay: 0 });
  const body = (await readUrdf(writeCalibrated(URDF, pivot))).links[1].values;
  expect(body.mass).toBeCloseTo(pivot.robot.links[1].values.mass, 8);
  expect(body.dryFriction).toBeCloseTo(pivot.robot.links[1].values.dryFriction as number, 8);
  for (let i = 0; i < 9; i++) expect(body.inertia[i]).toBeCloseTo(pivot.robot.links[1].values.inertia[i], 8);
});
