// A joint that follows another one, from logs whose torques follow from the one coordinate of both by closed equations.

import { standardNormal } from '@gradsim/base';
import { identifyRobot, readJointLog, readMjcf, readUrdf, unloggedJoints } from '@gradsim/robots';
import { expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';

const [RATIO, OFFSET, LENGTH, G] = [-1.5, 0.4, 0.3, 9.81];
interface Body {
  readonly mass: number;
  readonly centre: number;
  readonly inertia: number;
  readonly armature: number;
  readonly damping: number;
  readonly dry: number;
}
const UPPER: Body = { mass: 1.2, centre: 0.17, inertia: 0.012, armature: 0.02, damping: 0.15, dry: 0.2 };
const LOWER: Body = { mass: 0.7, centre: 0.12, inertia: 0.006, armature: 0.01, damping: 0.08, dry: 0.1 };

const mjcf = (upper: Body, lower: Body): string => {
  const of = ({ mass, centre, inertia, armature, damping, dry }: Body, name: string): string =>
    `<joint name="${name}" axis="0 -1 0" armature="${armature}" damping="${damping}" frictionloss="${dry}"/>
     <inertial pos="0 0 ${-centre}" mass="${mass}" diaginertia="${inertia} ${inertia} ${inertia / 3}"/>`;
  return `<mujoco><compiler angle="radian"/><worldbody><body name="upper">${of(upper, 'a')}
    <body name="lower" pos="0 0 ${-LENGTH}">${of(lower, 'b')}</body></body></worldbody>
    <equality><joint joint1="b" joint2="a" polycoef="${OFFSET} ${RATIO} 0 0 0"/></equality></mujoco>`;
};
const guess = (of: Body): Body => ({ ...of, mass: 1.3 * of.mass, inertia: 0.6 * of.inertia, damping: 0, dry: 0 });

/** Torque of both motors, by Lagrange's equation of the one coordinate. */
function needed(q: number, v: number, a: number): number {
  const [m1, m2] = [UPPER.mass, LOWER.mass];
  const turned = 1 + RATIO;
  const bent = RATIO * q + OFFSET;
  const along = 2 * m2 * LENGTH * LOWER.centre * turned;
  const rotors = UPPER.armature + RATIO ** 2 * LOWER.armature;
  const own = UPPER.inertia + m1 * UPPER.centre ** 2 + rotors;
  const mass =
    own + LOWER.inertia * turned ** 2 + m2 * (LENGTH ** 2 + (LOWER.centre * turned) ** 2) + along * Math.cos(bent);
  const weight =
    G * (m1 * UPPER.centre + m2 * LENGTH) * Math.sin(q) + G * m2 * LOWER.centre * turned * Math.sin(q + bent);
  const damping = UPPER.damping + RATIO ** 2 * LOWER.damping;
  const dry = UPPER.dry + Math.abs(RATIO) * LOWER.dry;
  return mass * a - 0.5 * along * RATIO * Math.sin(bent) * v ** 2 + weight + damping * v + dry * Math.sign(v);
}

/** Columns of a log, of which the second motor takes a part of the torque that no law has. */
function logOf(seed: number, hasSecondMotor: boolean): string[][] {
  const random = randomNumbers(seed);
  const sines = Array.from({ length: 7 }, (_, k) => [0.9 / (k + 1), (2 * Math.PI * (k + 1)) / 7.3, 6.28 * random()]);
  const noise = (): number => 0.02 * standardNormal(random);
  return Array.from({ length: 4000 }, (_, s) => {
    const t = s / 200;
    const [q, v, a] = [0, 1, 2].map((order) =>
      sines.reduce(
        (sum, [size, w, phase]) => sum + size * w ** order * Math.sin(w * t + phase + (order * Math.PI) / 2),
        0,
      ),
    );
    const second = hasSecondMotor ? 0.8 * Math.sin(3 * t) : 0;
    const first = needed(q, v, a) - RATIO * second;
    return [t, q, first + noise(), RATIO * q + OFFSET, second + noise()].map((x) => x.toFixed(7));
  });
}
const table = (rows: readonly string[][], head: string, columns: number): string =>
  [head, ...rows.map((row) => row.slice(0, columns).join(','))].join('\n');

it.each([
  ['both have motors', true, 'time,pos_a,tau_a,pos_b,tau_b', 5],
  ['the one that follows has no column', false, 'time,pos_a,tau_a', 3],
] as const)('combinations of both joints are within their bars where %s', async (_, hasSecondMotor, head, columns) => {
  const [robot, truth] = await Promise.all(
    [mjcf(guess(UPPER), guess(LOWER)), mjcf(UPPER, LOWER)].map((text) => readMjcf(text)),
  );
  const log = readJointLog(table(logOf(3, hasSecondMotor), head, columns), robot);
  expect(unloggedJoints(table(logOf(3, false), head, columns), robot)).toEqual([]);
  const found = identifyRobot(robot, [log]);
  const names = found.combinations.map(({ name }) => name).join('; ');
  expect(names).toContain(`+ ${RATIO ** 2} armature of b`);
  expect(names).toContain(`damping of a + ${RATIO ** 2} damping of b`);
  expect(names).toContain(`dryFriction of a + ${-RATIO} dryFriction of b`);
  for (const { estimate, standardError, valueFor } of found.combinations) {
    expect(Math.abs(estimate - valueFor(truth))).toBeLessThan(4 * standardError);
    expect(standardError).toBeLessThan(0.1);
  }
  const { predicted, measured, slides, inBand } = found.predictTorques(
    readJointLog(table(logOf(4, hasSecondMotor), head, columns), robot),
  );
  expect(measured).toHaveLength(1);
  const apart = predicted[0].filter((x, s) => slides[0][s] > 0 && Math.abs(x - inBand[0][s]) > 0.05);
  expect(apart.length).toBeLessThan(0.02 * predicted[0].length);
});

it('is refused where its own column does not follow, and where gains of motors are unknown', async () => {
  const robot = await readMjcf(mjcf(UPPER, LOWER));
  const rows = logOf(5, true);
  const turned = rows.map(([t, q, first, second, torque]) => [t, q, first, String(-Number(second)), torque]);
  const head = 'time,pos_a,tau_a,pos_b,tau_b';
  expect(() => readJointLog(table(turned, head, 5), robot)).toThrowCode({
    code: 'robots/log-not-following',
    element: 'b',
  });
  const log = readJointLog(table(rows, head, 5), robot);
  expect(() => identifyRobot(robot, [log], { torqueGain: 'unknown' })).toThrowCode('robots/mimic');
});

it('is fixed with the joint that it follows where a log has neither', async () => {
  const joint = (name: string, parent: string, more = ''): string =>
    `<joint name="${name}" type="continuous"><parent link="${parent}"/><child link="l${name}"/><axis xyz="0 1 0"/>${more}</joint>
     <link name="l${name}"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1"/></inertial></link>`;
  const robot = await readUrdf(
    `<robot name="r"><link name="l"/>${joint('a', 'l')}${joint('b', 'la')}${joint('c', 'lb', '<mimic joint="b"/>')}</robot>`,
  );
  expect(unloggedJoints('time,pos_a,tau_a\n0,0,0', robot)).toEqual(['b', 'c']);
});
