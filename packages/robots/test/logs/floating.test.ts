import { sum } from '@gradsim/base';
import { identifyRobot, readJointLog, readMjcf, readUrdf } from '@gradsim/robots';
import { describe, expect, it } from 'vitest';
import { anglesOf } from '../../src/logs/floating/floated.ts';
import { hopLog, type LeggedBody, legged } from '../support/hop.ts';

const RIGHT: LeggedBody = {
  base: 6,
  height: 0.05,
  ahead: 0.02,
  hip: 0.5,
  thigh: 0.6,
  shank: 0.25,
  armature: 0.01,
  damping: 0.05,
  friction: 0.1,
};
/** Robot as a file might have it: masses a third off, a base of another shape, no motors. */
const GIVEN: LeggedBody = {
  base: 8,
  height: 0.08,
  ahead: 0,
  hip: 0.4,
  thigh: 0.8,
  shank: 0.3,
  armature: 0,
  damping: 0,
  friction: 0,
};
const options = { torqueBand: 25, motionBand: 40 };

describe('a robot on a floating base', () => {
  // By MuJoCo, which shares no code; noise of motion capture, or gyroscope and accelerometer, of encoders and torques.
  it.each([
    ['pose', 0.85],
    ['inertial', 0.8],
  ] as const)(
    'is known from twelve hops with columns of its base, %s: masses, inertias, friction and rotors within their bars',
    async (base, least) => {
      const [robot, right] = [await readMjcf(legged(GIVEN)), await readMjcf(legged(RIGHT))];
      const logs = Array.from({ length: 12 }, (_, k) => hopLog(legged(RIGHT), 100 + k, base));
      const read = logs.map((log, k) => readJointLog(log, robot, `hop${k}.csv`));
      const found = identifyRobot(robot, read, options);
      const errors = found.combinations.map((one) => Math.abs(one.estimate - one.valueFor(right)) / one.standardError);
      expect(errors.length).toBeGreaterThan(60);
      const within = (bars: number): number => errors.filter((error) => error < bars).length / errors.length;
      expect(within(2)).toBeGreaterThan(least);
      expect(within(4)).toBeGreaterThan(0.97);
      const mass = sum(found.robot.links.map(({ values }) => values.mass));
      expect(Math.abs(mass / sum(right.links.map(({ values }) => values.mass)) - 1)).toBeLessThan(0.01);
      expect(found.robot.links.map(({ name }) => name)).toEqual(robot.links.map(({ name }) => name));
      for (const { name } of [...found.combinations, ...found.undetermined])
        expect(name).not.toMatch(/base (x|y|z|yaw)/);
      // Torques of its own joints alone, of a hop that was not fitted.
      const { predicted, inBand, slides, noise } = found.predictTorques(
        readJointLog(hopLog(legged(RIGHT), 200, base), robot, 'other.csv'),
      );
      expect(predicted.length).toBe(6);
      // White noise of 0.02 N m at 500 samples a second is 0.0058 in a band of 25 Hz, and impacts, of 0.1 to 1, do not count.
      for (const of of noise) {
        expect(of).toBeGreaterThan(0.004);
        expect(of).toBeLessThan(0.02);
      }
      predicted.forEach((torque, j) => {
        const rms = (of: (s: number) => number): number =>
          Math.sqrt(sum(Array.from(torque, (_, s) => slides[j][s] * of(s) ** 2)) / sum(slides[j]));
        expect(rms((s) => torque[s] - inBand[j][s])).toBeLessThan(0.03 * rms((s) => inBand[j][s]));
      });
    },
  );

  it('needs the pose of its base in each log, whole and of rotations', async () => {
    const robot = await readMjcf(legged(GIVEN));
    const log = hopLog(legged(RIGHT), 1);
    const changed = (change: (cells: string[]) => string[]): string =>
      log
        .split('\n')
        .map((line) => change(line.split(',')).join(','))
        .join('\n');
    const without = changed((cells) => cells.filter((_, k) => k < 1 || k > 8));
    expect(() => identifyRobot(robot, [readJointLog(without, robot)])).toThrowCode('robots/log-base-missing');
    const unit = hopLog(legged(RIGHT), 1, 'inertial');
    const ofGravity = unit
      .split('\n')
      .map((line, row) => line.split(',').map((cell, k) => (row > 0 && k > 3 && k < 7 ? Number(cell) / 9.81 : cell)))
      .join('\n');
    expect(() => readJointLog(ofGravity, robot)).toThrowCode({
      code: 'robots/log-unit-unclear',
      values: ['base_acc_x'],
    });
    expect(readJointLog(ofGravity.replace(/base_acc_./g, '$& [g]'), robot).inertial?.accelerations[2][0]).toBeCloseTo(
      (Number(unit.split('\n')[1].split(',')[6]) * 9.80665) / 9.81,
      6,
    );
    const ofDegrees = unit
      .split('\n')
      .map((line, row) => line.split(',').map((x, k) => (row > 0 && k > 0 && k < 4 ? (Number(x) * 180) / Math.PI : x)))
      .join('\n');
    expect(() => readJointLog(ofDegrees, robot)).toThrowCode({
      code: 'robots/log-unit-unclear',
      values: ['base_gyro_x'],
    });
    expect(readJointLog(ofDegrees.replace(/base_gyro_./g, '$& [deg/s]'), robot).inertial?.rates[1][50]).toBeCloseTo(
      Number(unit.split('\n')[51].split(',')[2]),
      9,
    );
    const half = changed((cells) => cells.filter((_, k) => k !== 2));
    expect(() => readJointLog(half, robot)).toThrowCode({ code: 'robots/log-column-missing', values: ['base_y'] });
    const long = changed((cells) => cells.map((cell, k) => (k === 7 && cell !== 'base_qw' ? '2' : cell)));
    expect(() => readJointLog(long, robot)).toThrowCode('robots/log-no-rotation');
    const steep = log.replace(/((?:[^,\n]+,){4})[^,\n]+,[^,\n]+,[^,\n]+,[^,\n]+,(?=[01],)/, '$10,0.7071,0,0.7071,');
    expect(() => identifyRobot(robot, [readJointLog(steep, robot)])).toThrowCode('robots/log-base-steep');
    expect(() => identifyRobot(robot, [readJointLog(log, robot)], { torqueBias: 'unknown' })).toThrowCode(
      'robots/floating-option',
    );
  });

  it('has the angles of R = Rz Ry Rx', () => {
    const half = (angle: number): [number, number] => [Math.sin(angle / 2), Math.cos(angle / 2)];
    const [yaw, pitch, roll] = [2.5, -0.7, 0.4];
    const [[sz, cz], [sy, cy], [sx, cx]] = [half(yaw), half(pitch), half(roll)];
    // Quaternion product of the three.
    const q = [
      sx * cy * cz - cx * sy * sz,
      cx * sy * cz + sx * cy * sz,
      cx * cy * sz - sx * sy * cz,
      cx * cy * cz + sx * sy * sz,
    ] as const;
    const found = anglesOf([...q]);
    [yaw, pitch, roll].forEach((angle, k) => expect(found[k]).toBeCloseTo(angle, 12));
  });

  it('is one of URDF that is read with a free base', async () => {
    const text = `<robot name="r"><link name="body"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1"/></inertial></link>
      <link name="leg"><inertial><origin xyz="0 0 -.1"/><mass value=".2"/><inertia ixx=".01" iyy=".01" izz=".01"/></inertial></link>
      <joint name="hip" type="continuous"><parent link="body"/><child link="leg"/><axis xyz="0 1 0"/></joint></robot>`;
    const robot = await readUrdf(text, { base: 'free' });
    const rows = Array.from({ length: 100 }, (_, k) => {
      const t = k / 100;
      return [t, 0, 0, -4.905 * t * t, 0, 0, 0, 1, Math.sin(5 * t), Math.cos(5 * t)].join(',');
    });
    const log = ['time,base_x,base_y,base_z,base_qx,base_qy,base_qz,base_qw,pos,tau', ...rows].join('\n');
    const read = readJointLog(log, robot);
    expect(read.base?.position[2][50]).toBeCloseTo(-1.22625, 9);
    expect(read.touches).toBe(undefined);
    const withUnit = text.replace(
      '</robot>',
      '<link name="imu_link"/><joint name="fix" type="fixed"><parent link="body"/><child link="imu_link"/><origin xyz=".1 0 .2"/></joint></robot>',
    );
    const columns = log
      .replace(/base_[^,]*,/g, '')
      .replace('pos,tau', 'base_gyro_x,base_gyro_y,base_gyro_z,base_acc_x [g],base_acc_y [g],base_acc_z [g],pos,tau')
      .replace(/^([\d.e-]+),(?:[^,\n]+,){7}/gm, '$1,0,0,0,0,0,1,');
    const inertial = readJointLog(columns, await readUrdf(withUnit, { base: 'free' }));
    expect(inertial.inertial?.accelerations[2][50]).toBeCloseTo(9.80665, 9);
    expect(inertial.readingNotes).toContain('inertial unit of the base at "imu_link"');
    expect(() => readJointLog(columns.replace('base_acc_x [g]', 'base_acc_x [deg]'), robot)).toThrowCode(
      'robots/log-unit-unknown',
    );
  });
});
