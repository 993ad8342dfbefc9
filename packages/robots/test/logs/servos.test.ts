// Servos of MJCF from what they are told: logs without torques, of an arm that MuJoCo moves.

import { median, standardNormal } from '@gradsim/base';
import { type Identified, identifyByReplay, identifyRobot, readJointLog, readMjcf } from '@gradsim/robots';
import loadMujoco from '@mujoco/mujoco';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import { once } from '../../../../scripts/vitest/once.ts';

const mujoco = await loadMujoco();

/** Armature, damping and dry friction of both joints. */
const JOINTS = [
  { armature: 0.02, damping: 0.06, dryFriction: 0.08 },
  { armature: 0.008, damping: 0.03, dryFriction: 0.05 },
] as const;

/** An arm of two links in a vertical plane, as it is or as a file has it, without friction, and with a part of its rotors. */
function armOf(actuators: string, { isGiven = false, rotors = 1 } = {}): string {
  const joint = (name: string, { armature, damping, dryFriction }: (typeof JOINTS)[number]): string =>
    `<joint name="${name}" axis="0 1 0" armature="${rotors * armature}" ${isGiven ? '' : `damping="${damping}" frictionloss="${dryFriction}" solreffriction="0.004 1" solimpfriction="0.9999 0.9999 0.001"`}/>`;
  return `<mujoco><compiler angle="radian"/><option timestep="0.001" integrator="RK4"><flag contact="disable"/></option><worldbody>
<body>${joint('shoulder', JOINTS[0])}<inertial pos="0 0 -.2" mass=".5" diaginertia=".005 .005 .001"/>
<body pos="0 0 -.3">${joint('elbow', JOINTS[1])}<inertial pos="0 0 -.12" mass=".3" diaginertia=".002 .002 .0005"/></body></body>
</worldbody><actuator>${actuators}</actuator></mujoco>`;
}

const [STEP, SAMPLE, SECONDS] = [1e-3, 5e-3, 24];
/** Standard deviation of the noise of encoders, rad. */
const NOISE = 3e-4;

/** Log of positions and of what the servos are told, in time before it acts. */
function logOf(text: string, column: string, size: readonly number[], seed: number, noise = NOISE): string {
  const random = randomNumbers(seed);
  const series = size.map((most) =>
    Array.from({ length: 8 }, () => {
      const frequency = 0.1 + 1.1 * random();
      return {
        size: (most * (0.5 + 0.5 * random())) / 8 / frequency ** 0.5,
        w: 6.283 * frequency,
        phase: 6.283 * random(),
      };
    }),
  );
  const told = (t: number): number[] =>
    series.map((own) => own.reduce((sum, { size, w, phase }) => sum + size * Math.sin(w * t + phase), 0));
  const model = mujoco.MjModel.from_xml_string(text)!;
  const data = new mujoco.MjData(model);
  const lines = [['time', 'pos_shoulder', 'pos_elbow', `${column}_shoulder`, `${column}_elbow`].join(',')];
  try {
    for (let k = 0; k * STEP < SECONDS; k++) {
      const time = k * STEP;
      if (k % Math.round(SAMPLE / STEP) === 0)
        lines.push(
          [
            time.toFixed(4),
            ...[...data.qpos].map((q) => (q + noise * standardNormal(random)).toFixed(7)),
            ...told(time).map((x) => x.toFixed(7)),
          ].join(','),
        );
      data.ctrl.set(told(time - DELAY + STEP / 2).slice(0, data.ctrl.length));
      mujoco.mj_step(model, data);
    }
    return lines.join('\n');
  } finally {
    data.delete();
    model.delete();
  }
}

/** Errors in standard errors of what is known of the joints, by true values with names as in `armature of shoulder`. */
const barsOf = (found: readonly Identified[], truth: (name: string, joint: 0 | 1) => number | undefined): number[] =>
  found.flatMap(({ name, estimate, standardError }) => {
    const [, what, joint] = /^(.+) of (shoulder|elbow)$/.exec(name) ?? [];
    const right = what === undefined ? undefined : truth(what, joint === 'shoulder' ? 0 : 1);
    return right === undefined ? [] : [Math.abs(estimate - right) / standardError];
  });

/** Two bars hold 95 % of right errors: of seven all but two, with a chance of 4e-3 each time; the draws are the same in each run. */
function expectWithin(bars: readonly number[]): void {
  expect(bars.filter((x) => x < 2).length).toBeGreaterThanOrEqual(bars.length - 2);
  expect(Math.max(...bars)).toBeLessThan(4);
}

const both = (of: (joint: string) => string): string => ['shoulder', 'elbow'].map(of).join('');

/** Delay of what servos are told, s. */
const DELAY = 0.012;
const SERVOS = {
  'position with dampratio': [
    'target_pos',
    [2, 2],
    both((j) => `<position joint="${j}" kp="12" dampratio="0.7"/>`),
    { 'proportional gain': 12 },
  ],
  'position that saturates': [
    'target_pos',
    [1.6, 1.6],
    both((j) => `<position joint="${j}" kp="20" kv="0.4" forcerange="-1.2 1.2"/>`),
    { 'proportional gain': 20, 'derivative gain': 0.4 },
  ],
  'pid of positions': [
    'target_pos',
    [2, 2],
    both((j) => `<pid joint="${j}" kp="12" kv="0.3" input="pos"/>`),
    { 'proportional gain': 12, 'derivative gain': 0.3 },
  ],
  velocity: ['target_vel', [5, 5], both((j) => `<velocity joint="${j}" kv="0.8"/>`), { 'velocity gain': 0.8 }],
  'voltage of a dcmotor': [
    'voltage',
    [12, 8],
    both((j) => `<dcmotor joint="${j}" motorconst="0.4" resistance="1.5"/>`),
    { 'torque gain': 1.5 / 0.4, 'back-EMF': 0.4 ** 2 / 1.5 },
  ],
  'voltage of a dcmotor by its data sheet, with a gear': [
    'voltage',
    [9, 6],
    both((j) => `<dcmotor joint="${j}" gear="3" nominal="12 1.5 40" saturation="0.9"/>`),
    { 'torque gain': 12 / 1.5 / 3, 'back-EMF': (9 * 1.5) / 40 },
  ],
} as const;

describe.each(Object.entries(SERVOS))('a log of %s, without torques', (_, [column, size, actuators, gains]) => {
  it('gives friction, rotors and delay within their bars by the law in the file', async () => {
    const robot = await readMjcf(armOf(actuators, { isGiven: true, rotors: actuators.includes('dampratio') ? 1 : 0 }));
    const log = readJointLog(logOf(armOf(actuators), column, size, 60), robot);
    const { combinations, delay } = identifyRobot(robot, [log]);
    const bars = barsOf(combinations, (what, j) => JOINTS[j][what as 'armature']);
    // A rotor of the first joint is told from no inertia of its link.
    expect(bars).toHaveLength(5);
    expectWithin(bars);
    expect(Math.abs(delay.estimate)).toBeCloseTo(DELAY, 3);
  });

  it('gives friction and gains within their bars by the masses of the model, and what gains absorb with its name', async () => {
    const robot = await readMjcf(armOf(actuators, { isGiven: true, rotors: 1 }));
    const log = readJointLog(logOf(armOf(actuators), column, size, 61), robot);
    const { combinations, torqueSensors } = identifyRobot(robot, [log], { torqueGain: 'unknown' });
    const absorbs: string = column === 'target_vel' ? '' : column === 'voltage' ? 'back-EMF' : 'derivative gain';
    const bars = [
      ...barsOf(torqueSensors, (what) => gains[what as keyof typeof gains]),
      ...barsOf(combinations, (what, j) => {
        const own =
          absorbs === '' || !what.includes(absorbs) ? 0 : (gains[absorbs as keyof typeof gains] as number | undefined);
        if (what.startsWith('damping')) return own === undefined ? undefined : JOINTS[j].damping + own;
        return JOINTS[j][what as 'armature'];
      }),
    ];
    expect(bars.length).toBeGreaterThanOrEqual(5);
    expectWithin(bars);
    const named = combinations.some(({ name }) => absorbs !== '' && name.startsWith(`damping and ${absorbs} of `));
    expect(named).toBe(absorbs !== '');
  });
});

describe('encoders with noise of 1e-3 rad', () => {
  it('leave estimates within their bars, which are little more than half as wide, where commands are replayed by a simulation', async () => {
    const [column, size, actuators] = SERVOS['position that saturates'];
    const robot = await readMjcf(armOf(actuators, { isGiven: true, rotors: 1 }));
    const log = readJointLog(logOf(armOf(actuators), column, size, 62, 1e-3), robot);
    const found = await identifyByReplay(robot, [log]);
    const before = identifyRobot(robot, [log]);
    expect(found.replay).toEqual({ isFitted: true });
    expectWithin(barsOf(found.combinations, (what, j) => JOINTS[j][what as 'armature']));
    const narrower = found.combinations.map((one, i) => one.standardError / before.combinations[i].standardError);
    expect(median(narrower)).toBeLessThan(0.6);
    expect(found.delay.estimate).toBeCloseTo(DELAY, 3);
  });

  it('leave gains within their bars alike, of commanded velocities', async () => {
    const [column, size, actuators, gains] = SERVOS.velocity;
    const robot = await readMjcf(armOf(actuators, { isGiven: true, rotors: 1 }));
    const log = readJointLog(logOf(armOf(actuators), column, size, 63, 1e-3), robot);
    const { combinations, torqueSensors, replay } = await identifyByReplay(robot, [log], { torqueGain: 'unknown' });
    expect(replay).toEqual({ isFitted: true });
    expectWithin([
      ...barsOf(torqueSensors, (what) => gains[what as keyof typeof gains]),
      ...barsOf(combinations, (what, j) => JOINTS[j][what as 'armature']),
    ]);
  });

  it('leave rotors, friction and delay within their bars alike, of voltages', async () => {
    const [column, size, actuators] = SERVOS['voltage of a dcmotor'];
    const robot = await readMjcf(armOf(actuators, { isGiven: true, rotors: 1 }));
    const log = readJointLog(logOf(armOf(actuators), column, size, 64, 1e-3), robot);
    const { combinations, delay, replay } = await identifyByReplay(robot, [log]);
    expect(replay).toEqual({ isFitted: true });
    expectWithin(barsOf(combinations, (what, j) => JOINTS[j][what as 'armature']));
    // Voltages are logged before the motion.
    expect(Math.abs(delay.estimate + DELAY)).toBeLessThan(2 * delay.standardError);
  });
});

describe('a servo whose joint leads another one', () => {
  const follows = (text: string): string =>
    text.replace(
      '</worldbody>',
      '</worldbody><equality><joint joint1="elbow" joint2="shoulder" polycoef="0 -1.2 0 0 0" solref="0.004 1" solimp="0.9999 0.9999 0.001"/></equality>',
    );
  const actuators = '<position joint="shoulder" kp="14" kv="0.3"/>';
  // The columns of the joint that follows are left out.
  const trial = once(async () => {
    const robot = await readMjcf(follows(armOf(actuators, { isGiven: true, rotors: 1 })));
    const text = logOf(follows(armOf(actuators)), 'target_pos', [2, 0], 65, 1e-3)
      .split('\n')
      .map((line) =>
        line
          .split(',')
          .filter((_, k) => k !== 2 && k !== 4)
          .join(','),
      )
      .join('\n');
    return { robot, log: readJointLog(text, robot) };
  });

  it('needs no columns of that one, and gives combinations of both within their bars', async () => {
    const { robot, log } = await trial();
    const truth = await readMjcf(follows(armOf(actuators)));
    const { combinations, replay } = await identifyByReplay(robot, [log]);
    expect(replay).toEqual({ isFitted: true });
    const bars = combinations.map(
      ({ estimate, standardError, valueFor }) => Math.abs(estimate - valueFor(truth)) / standardError,
    );
    expect(bars.length).toBeGreaterThan(4);
    expectWithin(bars);
  });

  it('is not replayed with friction that grows with load, and says so', async () => {
    const { robot, log } = await trial();
    const { replay } = await identifyByReplay(robot, [log], { loadFriction: true });
    expect(replay?.isFitted).toBe(false);
    expect(replay?.cause).toContain('load of a joint');
  });
});
