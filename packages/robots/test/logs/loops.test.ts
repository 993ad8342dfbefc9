// Closed loops of links, from logs of MuJoCo's WebAssembly.

import { standardNormal } from '@gradsim/base';
import { identifyRobot, readJointLog, readMjcf, unloggedJoints } from '@gradsim/robots';
import loadMujoco from '@mujoco/mujoco';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';

const mujoco = await loadMujoco();
/** Step of MuJoCo, s, steps in a sample of a log, and length of one, s. */
const [STEP, EVERY, SECONDS] = [5e-4, 20, 24];
const [POSITION_NOISE, TORQUE_NOISE] = [1e-5, 0.005];

interface Wanted {
  readonly text: string;
  /** Names of the joints in MuJoCo's order, and of those with motors. */
  readonly joints: readonly string[];
  readonly motors: readonly string[];
  /** Greatest angle of a reference about the file's, rad. */
  readonly size: number;
}

/** Rows of a log in which controllers lead the motors along sines of random phases. */
function logOf({ text, joints, motors, size }: Wanted, seed: number): string {
  const random = randomNumbers(seed);
  const model = mujoco.MjModel.from_xml_string(text)!;
  model.opt.timestep = STEP;
  const data = new mujoco.MjData(model);
  const series = motors.map(() =>
    Array.from({ length: 7 }, (_, k) => [size / (k + 1) ** 0.7 / 3, (2 * Math.PI * (k + 1)) / 7.7, 6.28 * random()]),
  );
  const at = motors.map((motor) => joints.indexOf(motor));
  const rows: string[] = [];
  for (let k = 0; k * STEP < SECONDS; k++) {
    const t = k * STEP;
    const torques = motors.map((_, m) => {
      const reach = Math.min(t, 1);
      const goal = reach * series[m].reduce((sum, [a, w, phase]) => sum + a * Math.sin(w * t + phase), 0);
      return 25 * (goal - data.qpos[at[m]]) - 1.5 * data.qvel[at[m]];
    });
    for (const [m, torque] of torques.entries()) data.qfrc_applied[at[m]] = torque;
    if (k % EVERY === 0) {
      const q = [...data.qpos].map((x) => x + POSITION_NOISE * standardNormal(random));
      const logged = torques.map((x) => x + TORQUE_NOISE * standardNormal(random));
      rows.push([t, ...at.map((j) => q[j]), ...logged].map((x) => x.toFixed(7)).join(','));
    }
    mujoco.mj_step(model, data);
  }
  data.delete();
  model.delete();
  return [['time', ...motors.map((m) => `pos_${m}`), ...motors.map((m) => `tau_${m}`)].join(','), ...rows].join('\n');
}

const STIFF = 'solref="0.001 1" solimp="0.9999 0.9999 0.001"';
const mjcf = (bodies: string, equality: string, motors: readonly string[]): string =>
  `<mujoco><compiler angle="radian"/><worldbody>${bodies}</worldbody><equality>${equality}</equality>
   <actuator>${motors.map((joint) => `<motor joint="${joint}"/>`).join('')}</actuator></mujoco>`;
const inertial = (mass: number, x: number, z: number, inertia: number): string =>
  `<inertial pos="${x} 0 ${z}" mass="${mass}" diaginertia="${inertia} ${inertia} ${inertia}"/>`;

/** A crank, a coupler and a rocker on the ground; `by` are factors of masses and damping. */
const fourBar = ([crank, coupler, rocker, damping]: readonly number[]): string =>
  mjcf(
    `<body pos="0 0 1"><joint name="a" axis="0 1 0" damping="${0.3 * damping}" armature=".02"/>${inertial(0.8 * crank, 0.01, 0.11, 0.004)}
       <body name="coupler" pos="0 0 .2"><joint name="b" axis="0 1 0" damping="${0.04 * damping}"/>${inertial(1.1 * coupler, 0.28, 0.03, 0.03)}</body></body>
     <body name="rocker" pos=".5 0 .8"><joint name="c" axis="0 1 0" damping="${0.1 * damping}"/>${inertial(0.9 * rocker, 0.06, 0.21, 0.02)}</body>`,
    `<connect body1="coupler" body2="rocker" anchor=".6 0 0" ${STIFF}/>`,
    ['a'],
  );

/** Two cranks that lead a point, as delta robots and SCARA arms of five bars do. */
const fiveBar = ([crank, coupler, rocker, damping]: readonly number[]): string =>
  mjcf(
    `<body pos="0 0 0"><joint name="a" axis="0 1 0" damping="${0.3 * damping}" armature=".02"/>${inertial(0.7 * crank, 0.01, -0.12, 0.004)}
       <body name="left" pos="0 0 -.3"><joint name="b" axis="0 1 0"/>${inertial(0.5 * coupler, 0.1, -0.12, 0.006)}</body></body>
     <body pos=".4 0 0"><joint name="c" axis="0 1 0" damping="${0.2 * damping}" armature=".03"/>${inertial(0.8 * rocker, -0.01, -0.13, 0.005)}
       <body name="right" pos="0 0 -.3"><joint name="d" axis="0 1 0" damping="${0.05 * damping}"/>${inertial(0.6 * coupler, -0.1, -0.1, 0.007)}</body></body>`,
    `<connect body1="left" body2="right" anchor=".2 0 -.25" ${STIFF}/>`,
    ['a', 'c'],
  );

/** A crank, a rod and a slider on a rail, welded by its pin to the rod. */
const slider = ([crank, rod, piston, damping]: readonly number[]): string =>
  mjcf(
    `<body pos="0 0 0"><joint name="a" axis="0 1 0" damping="${0.3 * damping}" armature=".02"/>${inertial(0.8 * crank, 0.02, 0.08, 0.004)}
       <body name="rod" pos="0 0 .2"><joint name="b" axis="0 1 0"/>${inertial(0.6 * rod, 0.2, -0.05, 0.01)}</body></body>
     <body pos=".5 0 0" euler="0 .1 0"><joint name="s" type="slide" axis="1 0 0" damping="${2 * damping}"/>${inertial(1.5 * piston, 0.05, 0, 0.001)}
       <body name="pin"><joint name="p" axis="0 1 0"/>${inertial(0.01, 0, 0, 1e-5)}</body></body>`,
    `<weld body1="pin" body2="rod" anchor=".5 0 -.2" ${STIFF}/>`,
    ['a'],
  );

const CASES = {
  'a four-bar': { text: fourBar, joints: ['a', 'b', 'c'], motors: ['a'], size: 1.1 },
  'a five-bar': { text: fiveBar, joints: ['a', 'b', 'c', 'd'], motors: ['a', 'c'], size: 0.6 },
  'a slider': { text: slider, joints: ['a', 'b', 's', 'p'], motors: ['a'], size: 1 },
} as const;
const RIGHT = [1, 1, 1, 1];
const GUESS = [1.4, 0.7, 1.3, 0];

describe.each(Object.entries(CASES))('%s', (_, { text, ...wanted }) => {
  const truth = { ...wanted, text: text(RIGHT) };

  it('has combinations of masses within their bars, from angles and torques of its motors alone', async () => {
    const [robot, right] = await Promise.all([GUESS, RIGHT].map((by) => readMjcf(text(by))));
    const log = logOf(truth, 4);
    expect(unloggedJoints(log, robot)).toEqual([]);
    const found = identifyRobot(robot, [readJointLog(log, robot)]);
    const bars = found.combinations.map(
      ({ estimate, standardError, valueFor }) => (estimate - valueFor(right)) / standardError,
    );
    expect(bars.length).toBeGreaterThan(9);
    expect(bars.filter((x) => Math.abs(x) < 2).length).toBeGreaterThanOrEqual(0.9 * bars.length);
    expect(Math.max(...bars.map(Math.abs))).toBeLessThan(4);
    // The model as given is far off what is determined.
    const off = found.combinations.map(
      ({ standardError, valueFor }) => Math.abs(valueFor(robot) - valueFor(right)) / standardError,
    );
    expect(Math.max(...off)).toBeGreaterThan(20);
    expect(Math.max(...found.trials().map(({ gain }) => gain))).toBeLessThan(0.06);
    // What moves across the plane, and masses that no weight and no turn tells, are said not to be known.
    const names = found.undetermined.map(({ name }) => name);
    expect(names).toContain(`m cy of ${robot.links[1].name}`);
    expect(names.filter((name) => / [+-] /.test(name)).length).toBeGreaterThan(1);
  });
});

describe('a loop', () => {
  const { joints, motors, size } = CASES['a four-bar'];
  const wanted = { text: fourBar(RIGHT), joints, motors, size };
  it('is told by joint and place where logged angles do not close it, and where its own column is not what it follows', async () => {
    const robot = await readMjcf(fourBar(RIGHT).replace('pos=".5 0 .8"', 'pos="1.2 0 .8"'));
    expect(() => readJointLog(logOf(wanted, 1), robot)).toThrowCode('robots/loop-open');
    const right = await readMjcf(wanted.text);
    const [head, ...rows] = logOf(wanted, 1).split('\n');
    const column = (of: (angle: number) => number): string =>
      [`${head},pos_c`, ...rows.map((row) => `${row},${of(Number(row.split(',')[1]))}`)].join('\n');
    expect(() =>
      readJointLog(
        column((angle) => -angle),
        right,
      ),
    ).toThrowCode({
      code: 'robots/log-not-following',
      element: 'c',
    });
  });
  it('has no unknown zeros, gains or biases', async () => {
    const robot = await readMjcf(wanted.text);
    const log = readJointLog(logOf(wanted, 1), robot);
    expect(() => identifyRobot(robot, [log], { torqueBias: 'unknown' })).toThrowCode('robots/closed-loop');
  });
});
