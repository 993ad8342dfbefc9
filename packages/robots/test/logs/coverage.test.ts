import type { JointLog, Robot } from '@gradsim/robots';
import { coverageOf, foretellTorques, identifyRobot, readMjcf } from '@gradsim/robots';
import { beforeAll, describe, expect, it } from 'vitest';
import { PLANAR } from './support.ts';

let robot: Robot;
beforeAll(async () => {
  robot = await readMjcf(PLANAR);
});

/** Angles by time, without torques: what logs cover does not depend on these. */
function logOf(angles: (t: number) => readonly [number, number], isKept = (_t: number): boolean => true): JointLog {
  const time = Array.from({ length: 2000 }, (_, s) => s / 200).filter(isKept);
  const positions = [0, 1].map((j) => time.map((t) => angles(t)[j]));
  return { name: 'a', time, positions, torques: positions.map((own) => own.map(() => 0)) };
}
const RICH = (t: number): readonly [number, number] => [
  0.8 * Math.sin(2 * t) + 0.3 * Math.sin(5 * t),
  0.7 * Math.sin(2.7 * t + 1) + 0.2 * Math.sin(6.1 * t),
];

describe('coverage of logs', () => {
  it('has rates, ranges, speeds and turns of a motion that is known', () => {
    const swing = logOf((t) => [0.9 * Math.sin(2 * Math.PI * t), 0.2]);
    const { logs, joints } = coverageOf(robot, [{ ...logOf(RICH), name: 'b' }, swing]);
    const [{ seconds, rate, gap }] = logs;
    expect([seconds, rate, gap.seconds].map((x) => Number(x.toFixed(6)))).toEqual([9.995, 200, 0.005]);
    expect(joints[1].stillIn).toEqual(['a']);
    const [alone] = coverageOf(robot, [swing]).joints;
    expect(alone.from).toBeCloseTo(-0.9, 2);
    expect(alone.to).toBeCloseTo(0.9, 2);
    expect(alone.fastest).toBeCloseTo(0.9 * 2 * Math.PI, 1);
    expect(alone.usual).toBeCloseTo((0.9 * 2 * Math.PI) / Math.SQRT2, 1);
    // The rate is 0 twice a second.
    expect(alone.turns).toBe(20);
    expect(Math.abs(alone.forward - alone.back)).toBeLessThan(0.02);
  });

  it('tells where samples are missing', () => {
    const { gap } = coverageOf(robot, [logOf(RICH, (t) => t < 3 || t > 3.5)]).logs[0];
    expect(gap.from).toBeCloseTo(2.995, 6);
    expect(gap.seconds).toBeCloseTo(0.51, 6);
  });

  it('names what an estimate from the same motion names as undetermined', () => {
    const log = logOf(RICH);
    const torques = foretellTorques(robot, log).predicted.map((own) => Array.from(own));
    expect(torques[0]).toHaveLength(log.time.length);
    const { undetermined } = identifyRobot(robot, [{ ...log, torques }], { delay: 0 });
    const covered = coverageOf(robot, [log]);
    const parametersOf = (names: readonly string[]): string[] => names.map((name) => name.split(/ [+-] /)[0]);
    expect(parametersOf(covered.undetermined)).toEqual(parametersOf(undetermined.map(({ name }) => name)));
    expect(covered.weak).toEqual([]);
  });

  it('names what joints that move alike hardly tell apart', () => {
    const alike = (t: number): readonly [number, number] => {
      const x = RICH(t)[0];
      return [x, 0.6 * x + 0.01 * Math.sin(3 * t)];
    };
    const { weak } = coverageOf(robot, [logOf(alike)]);
    expect(weak.length).toBeGreaterThan(0);
    expect(weak[0].part).toBeLessThan(0.02);
  });
});
