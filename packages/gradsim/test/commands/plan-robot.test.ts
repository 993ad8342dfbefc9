// A plan of a robot's motion from the outside: bounds of the file, refusals, and a table that logs can be commanded by.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTable } from '@gradsim/base/tables';
import { readTableFile } from '@gradsim/recordings/files';
import { readJointLog, readUrdf, withFixedJoints } from '@gradsim/robots';
import { expect, it } from 'vitest';
import { gradsim, temporaryFolder } from '../support.ts';

const URDF = `<robot name="arm"><link name="base"/>
  <link name="upper"><inertial><origin xyz="0 0 -0.2"/><mass value="1.2"/><inertia ixx="0.02" iyy="0.02" izz="0.001"/></inertial></link>
  <link name="slider"><inertial><origin xyz="0.1 0 0"/><mass value="0.5"/><inertia ixx="0.002" iyy="0.002" izz="0.001"/></inertial></link>
  <link name="finger"><inertial><mass value="0.05"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><limit lower="-0.6" upper="1.4" velocity="2" effort="9"/></joint>
  <joint name="slide" type="prismatic"><parent link="upper"/><child link="slider"/><origin xyz="0 0 -0.4"/><axis xyz="1 0 0"/><limit lower="-0.1" upper="0.2" velocity="0.5" effort="20"/></joint>
  <joint name="grip" type="prismatic"><parent link="slider"/><child link="finger"/><axis xyz="0 1 0"/><limit lower="0" upper="0.02" velocity="0" effort="5"/></joint>
</robot>`;

const settings = ['torqueNoise=0.05,0.2', 'seconds=12', 'fixed=grip', 'rate=100', 'starts=1', 'format=mcap'];
const given = settings.flatMap((setting) => ['--set', setting]);

/** A new folder with the arm, where its plan is to go, and the command line for it. */
function arm() {
  const folder = temporaryFolder();
  const [model, out] = [join(folder, 'arm.urdf'), join(folder, 'plan')];
  writeFileSync(model, URDF);
  return { folder, out, args: ['plan', model, '--out', out] };
}

it('gradsim plan ROBOT.urdf refuses settings that its file or its time does not allow', async () => {
  const { folder, out, args } = arm();
  const refused = async (...more: string[]): Promise<string> => {
    const { code, stderr } = await gradsim([...args, ...more]);
    expect(code).toBe(1);
    return stderr.at(-2) + stderr.at(-1)!;
  };
  expect(await refused()).toContain('needs --set torqueNoise=N');
  expect(await refused('--set', 'torqueNoise=0.05')).toContain('"grip" has no limit of its speed');
  expect(await refused(...given, '--set', 'torque=0.5', '--set', 'range=1.2,1.4,-0.1,0.2')).toContain(
    'do not hold it still',
  );
  expect(await refused(...given, '--set', 'speed=1,2,3')).toContain('2, one for each joint');
  expect(await refused(...given, '--set', 'range=3,4')).toContain('within the limits of "shoulder"');
  expect(await refused('--set', 'torqueNoise=0.05', '--set', 'seconds=2')).toContain('4 to 1000 s with frequency=1');
  expect(await refused('--set', 'torqueNoise=0.05', '--set', 'rate=5')).toContain('10 to');
  expect(await refused(...given, '--from', 'x')).toContain('--from is for plans of experiments');
  expect(await refused(...given.map((one) => one.replace('grip', 'gripper')))).toContain('no joint "gripper"');
  expect(await refused(...given, '--set', 'payload=1')).toContain('payloadCentre');
  expect(existsSync(out)).toBe(false);

  const floating = join(folder, 'floating.urdf');
  writeFileSync(floating, URDF.replace('name="grip" type="prismatic"', 'name="grip" type="floating"'));
  const { stderr: said } = await gradsim(['plan', floating, '--set', 'torqueNoise=0.05', '--set', 'speed=1']);
  expect(said.at(-1)).toContain('joint "grip" is free');
});

it('gradsim plan ROBOT.urdf foretells standard errors and writes a motion within the limits of the file', async () => {
  const { out, args } = arm();
  const payload = ['payload=0.5', 'payloadCentre=0.1,0,0', 'payloadLink=slider'].flatMap((one) => ['--set', one]);
  const { code, stdout, stderr } = await gradsim([...args, ...given, ...payload, '--json']);
  expect(code, stderr.join('\n')).toBe(0);
  const told = JSON.parse(stdout[0]);
  expect(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8'))).toEqual(told);
  const names: string[] = told.parameters.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['dryFriction of shoulder', 'damping of slide']));
  for (const { name, standardError, twice } of told.parameters) {
    expect(standardError, name).toBeGreaterThan(0);
    // Twice the samples, and twice the blocks.
    expect(standardError / twice, name).toBeGreaterThan(1.4);
    expect(standardError / twice, name).toBeLessThan(1.8);
  }
  expect(told.gains).toHaveLength(2);
  for (const gain of told.gains) expect(gain).toBeLessThan(0.2);
  expect(stderr.join('\n')).toContain('are not all checked: the file has no collision shape of any link');

  // Read as the recording of the robot that follows it would be.
  const robot = withFixedJoints(await readUrdf(URDF), ['grip']);
  const [recorded, planned] = [
    await readTableFile(join(out, 'motion.mcap'), 'joints'),
    readFileSync(join(out, 'motion.csv'), 'utf8'),
  ];
  const [sent, log] = [readJointLog(recorded, robot), readJointLog(planned, robot)];
  expect(sent.time.map((t) => t - sent.time[0])[700]).toBeCloseTo(log.time[700], 8);
  for (const j of [0, 1]) {
    expect(sent.positions[j][700]).toBeCloseTo(log.positions[j][700], 5);
    expect(sent.torques[j][700]).toBeCloseTo(log.torques[j][700], 5);
  }

  const table = readTable(readFileSync(join(out, 'motion.csv'), 'utf8'), { name: 'motion.csv' });
  const columns = Object.fromEntries(
    table.headings.map(({ title, column: at }) => [title, table.rows.map(({ cells }) => Number(cells[at]))]),
  );
  const within = (column: string, low: number, high: number): void => {
    const least = Math.min(...columns[column]);
    const most = Math.max(...columns[column]);
    expect(least, column).toBeGreaterThan(low);
    expect(most, column).toBeLessThan(high);
  };
  within('pos_shoulder', -0.6, 1.4);
  within('pos_slide', -0.1, 0.2);
  within('vel_shoulder', -2, 2);
  within('acc_shoulder', -10, 10);
  within('vel_slide', -0.5, 0.5);
  within('tau_shoulder', -9, 9);
  // Something is at its bound, less a twentieth; the motion begins and ends at rest, and rates are those of positions.
  const taken = [
    columns.vel_shoulder.map((x) => x / 2),
    columns.tau_shoulder.map((x) => x / 9),
    columns.acc_shoulder.map((x) => x / 10),
  ];
  expect(Math.max(...taken.flat().map(Math.abs))).toBeGreaterThan(0.85);
  for (const column of ['vel_shoulder', 'acc_shoulder', 'vel_slide', 'acc_slide']) {
    expect(columns[column][0]).toBeCloseTo(0, 6);
    expect(columns[column].at(-1)).toBeCloseTo(0, 6);
  }
  for (let s = 1; s + 1 < columns.time.length; s++)
    expect((columns.pos_shoulder[s + 1] - columns.pos_shoulder[s - 1]) * 50).toBeCloseTo(columns.vel_shoulder[s], 2);

  // The table, for a person, in place of the plan before.
  const again = await gradsim([...args, ...given, '--force']);
  expect(again.code, again.stderr.join('\n')).toBe(0);
  expect(again.stdout.join('\n')).toMatch(/standard error of +planned +run twice +chirp +unit/);
  expect(again.stdout.join('\n')).toContain('A chirp of all joints at once');
});
