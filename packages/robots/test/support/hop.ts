import { standardNormal } from '@gradsim/base';
import loadMujoco from '@mujoco/mujoco';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';

const mujoco = await loadMujoco();

/** Legs: name, and place of the hip on the base, m. */
const LEGS = [
  ['left', 0, 0.12],
  ['right', 0, -0.12],
] as const;

/** Masses and shapes of a robot of two legs with three joints each: as it is, or as its file has it. */
export interface LeggedBody {
  readonly base: number;
  /** Height of the base's box, m, which moves its inertia, and how far its centre of mass is ahead, m. */
  readonly height: number;
  readonly ahead: number;
  readonly hip: number;
  readonly thigh: number;
  readonly shank: number;
  readonly armature: number;
  readonly damping: number;
  readonly friction: number;
}

/** MJCF of a robot of two legs on a floating base. */
export const legged = (of: LeggedBody): string => `<mujoco model="hopper">
<compiler angle="radian" autolimits="true"/>
<option timestep="0.001" integrator="Euler"/>
<default><geom contype="0" conaffinity="0"/><joint armature="${of.armature}" damping="${of.damping}" frictionloss="${of.friction}" solreffriction="0.004 1" solimpfriction="0.9999 0.9999 0.001"/></default>
<worldbody><geom name="ground" type="plane" size="5 5 .1" contype="1" conaffinity="1"/>
<body name="base" pos="0 0 0.5"><freejoint name="root"/>
<geom type="box" size=".25 .1 ${of.height}" pos="${of.ahead} 0 0" mass="${of.base}"/>
<site name="imu" pos="-.08 .03 .04" quat=".9 .1 -.2 .3"/>
${LEGS.map(
  ([name, x, y]) => `<body name="${name}_hip" pos="${x} ${y} 0"><joint name="${name}_roll" axis="1 0 0"/>
<geom type="sphere" size=".04" pos="0 ${Math.sign(y) * 0.02} 0" mass="${of.hip}"/>
<body name="${name}_thigh" pos="0 ${Math.sign(y) * 0.05} 0"><joint name="${name}_pitch" axis="0 1 0"/>
<geom type="capsule" size=".03" fromto="0 0 0 0 0 -.2" mass="${of.thigh}"/>
<body name="${name}_shank" pos="0 0 -.2"><joint name="${name}_knee" axis="0 1 0"/>
<geom type="capsule" size=".02" fromto="0 0 0 0 0 -.2" mass="${of.shank}"/>
<geom type="sphere" size=".025" pos="0 0 -.2" mass="0.02" contype="1" conaffinity="1" friction="1.2"/>
</body></body></body>`,
).join('\n')}
</body></worldbody>
<actuator>${LEGS.flatMap(([name]) => ['roll', 'pitch', 'knee'].map((j) => `<motor name="${name}_${j}" joint="${name}_${j}"/>`)).join('')}</actuator>
<sensor><gyro site="imu"/><accelerometer site="imu"/></sensor>
</mujoco>`;

/** Joints in the order of the file. */
export const JOINTS = LEGS.flatMap(([name]) => ['roll', 'pitch', 'knee'].map((j) => `${name}_${j}`));

const [SECONDS, SAMPLE] = [0.8, 2e-3];
/** Time in which the legs push, s. */
const PUSH = [0.05, 0.3] as const;
/** Standard deviations of the noise: motion capture, m and rad; gyroscope, rad/s; accelerometer, m/s^2; encoders, rad; torques, N m. */
const NOISE = { base: 1e-5, turn: 1e-5, gyro: 2e-3, acceleration: 0.02, joint: 1e-5, torque: 0.02 };

/**
 * Log of a hop as CSV, by MuJoCo: torques by a controller that crouches, jumps, swings its legs in the air, and lands. The base is
 * measured by motion capture, or by an inertial unit.
 */
export function hopLog(text: string, seed: number, base: 'pose' | 'inertial' = 'pose'): string {
  const random = randomNumbers(seed);
  const noisy = (x: number, deviation: number): string => (x + deviation * standardNormal(random)).toFixed(7);
  const model = mujoco.MjModel.from_xml_string(text)!;
  const data = new mujoco.MjData(model);
  const swings = JOINTS.map(() => [0.8 + 1.4 * random(), 6.28 * random(), 0.3 + 0.3 * random()]);
  const head = [
    'time',
    ...(base === 'pose'
      ? ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw']
      : ['gyro_x', 'gyro_y', 'gyro_z', 'acc_x', 'acc_y', 'acc_z']
    ).map((of) => `base_${of}`),
    'contact',
    ...JOINTS.flatMap((name) => [`pos_${name}`, `tau_${name}`]),
  ];
  const lines = [head.join(',')];
  const stance = [0, 0.7, -1.4];
  const home = JOINTS.map((_, j) => stance[j % 3]);
  const sensed = (): number[] => {
    mujoco.mj_forward(model, data);
    return [...data.sensordata];
  };
  try {
    data.qpos.set([0, 0, 0.36, 1, 0, 0, 0, ...home]);
    let airborne = 0;
    for (let k = 0; k * 1e-3 < SECONDS; k++) {
      const time = k * 1e-3;
      const [q, v] = [data.qpos, data.qvel];
      // Who records a fall stops.
      if (Math.hypot(q[4], q[5], q[6]) > 0.45) break;
      const touching = data.ncon > 0;
      airborne = touching ? 0 : airborne + 1e-3;
      const pushes = touching && time > PUSH[0] && time < PUSH[1];
      const torques = JOINTS.map((_, j) => {
        const [amount, speed] = [q[7 + j], v[6 + j]];
        let wanted = home[j];
        if (pushes) wanted = [0, 0.15, -0.3][j % 3];
        else if (!touching && airborne > 0.02) {
          // A swing that ends before the ground comes.
          const part = Math.min(airborne / 0.05, 1) * Math.min(Math.max((0.42 - airborne) / 0.08, 0), 1);
          const [frequency, start, size] = swings[j];
          wanted += part * size * Math.sin(6.28 * frequency * time + start);
        }
        const [kp, kd] = pushes ? [180, 4] : touching ? [120, 5] : [60, 1.5];
        return Math.max(-60, Math.min(60, kp * (wanted - amount) - kd * speed));
      });
      data.ctrl.set(torques);
      const isLogged = k % Math.round(SAMPLE / 1e-3) === 0;
      const cells = [
        touching ? 1 : 0,
        ...JOINTS.flatMap((_, j) => [noisy(q[7 + j], NOISE.joint), noisy(torques[j], NOISE.torque)]),
      ];
      const pose = [
        ...[q[0], q[1], q[2]].map((x) => noisy(x, NOISE.base)),
        ...[q[4], q[5], q[6], q[3]].map((x) => noisy(x, NOISE.turn / 2)),
      ];
      const before = isLogged && base === 'inertial' ? sensed() : [];
      mujoco.mj_step(model, data);
      if (!isLogged) continue;
      // By semi-implicit steps rates are those of half a step ago, at which no sensor would measure them.
      const rates =
        base === 'inertial'
          ? sensed()
              .slice(0, 3)
              .map((x, i) => noisy((before[i] + x) / 2, NOISE.gyro))
          : [];
      const unit = [...rates, ...before.slice(3).map((x) => noisy(x, NOISE.acceleration))];
      lines.push([time.toFixed(4), ...(base === 'pose' ? pose : unit), ...cells].join(','));
    }
    return lines.join('\n');
  } finally {
    data.delete();
    model.delete();
  }
}
