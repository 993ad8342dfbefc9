/**
 * A two-joint arm in a vertical plane with motors, in plain double precision: closed equations of motion, classical
 * Runge-Kutta, and laws of friction, elasticity and backlash of its own. It shares no code with the packages. Angles
 * count from straight down, that of the second joint from the first link; SI units.
 */
export interface Arm {
  /** Masses, distances of centres from the joints, inertias about the centres. */
  readonly mass: readonly [number, number];
  readonly centre: readonly [number, number];
  readonly inertia: readonly [number, number];
  readonly armature: readonly [number, number];
  readonly viscous: readonly [number, number];
  readonly dry: readonly [number, number];
  /** Distance between both joints. */
  readonly length: number;
  readonly physics: Physics;
}

/** Physics that a model of rigid links with viscous and dry friction is without. */
export interface Physics {
  /** Breakaway friction in excess of the dry one, as a part of it, and the rate over which it falls, rad/s. */
  readonly stribeck?: { readonly excess: number; readonly width: number };
  /** Dry friction as a part of the torque that the joint carries. */
  readonly load?: number;
  /** Relative difference of dry friction between both directions, halved. */
  readonly direction?: number;
  /** Stiffness between motor and link, N m/rad; positions are logged at the motor. */
  readonly stiffness?: readonly [number, number];
  /** Play between motor and link, rad. */
  readonly play?: readonly [number, number];
}

/** Rates, positions and torques at the times of a log. */
export interface Motion {
  readonly time: readonly number[];
  /** Angles of the motors: [joint][sample]. */
  readonly positions: readonly (readonly number[])[];
  readonly torques: readonly (readonly number[])[];
}

/** Reference angle of each joint at a time. */
export type Reference = (time: number) => readonly [number, number];

const GRAVITY = 9.81;
const RATE = 500;
/** Steps of Runge-Kutta in a sample. */
const STEPS = 20;
/** Rate over which dry friction turns around, rad/s. */
const TURN = 0.005;
/** Gains of the controller, N m/rad and N m s/rad, by joint. */
const GAINS = [
  [80, 6],
  [25, 1.5],
] as const;
/** Stiffness of teeth in contact, N m/rad, and damping of any coupling relative to the square root of its stiffness. */
const TEETH = 1500;
const DAMPING = 0.03;

/** A servo at each joint: gains, N m/rad and N m s/rad, greatest torque, N m, and delay of commands, s. */
export interface Servo {
  readonly kp: readonly [number, number];
  readonly kd: readonly [number, number];
  readonly limit: readonly [number, number];
  readonly delay: number;
  /** `velocity`: it is told rates, and kd acts on their error. Default: positions. */
  readonly feedback?: 'velocity';
}

/**
 * Lets a controller drive the arm along a reference for so many seconds; torques are held from sample to sample.
 * @param servo follows the reference faster than samples come; for rigid arms. Without it a controller drives the arm that
 * follows its rate, too.
 */
export function drive(arm: Arm, reference: Reference, seconds: number, servo?: Servo): Motion {
  const isCoupled = arm.physics.stiffness !== undefined || arm.physics.play !== undefined;
  const [first, second] = reference(0);
  let state = isCoupled ? [first, second, first, second, 0, 0, 0, 0] : [first, second, 0, 0];
  const derivative = isCoupled ? coupled : rigid;
  const count = Math.round(seconds * RATE);
  const time: number[] = [];
  const positions: number[][] = [[], []];
  const torques: number[][] = [[], []];
  for (let s = 0; s < count; s++) {
    const t = s / RATE;
    const motor = isCoupled ? [state[2], state[3], state[6], state[7]] : state;
    const [goal, before] = [reference(t), reference(t - 1 / RATE)];
    const torque = [0, 1].map((j) => {
      const rate = (goal[j] - before[j]) * RATE;
      return GAINS[j][0] * (goal[j] - motor[j]) + GAINS[j][1] * (rate - motor[2 + j]);
    });
    time.push(t);
    for (const j of [0, 1]) {
      positions[j].push(motor[j]);
      torques[j].push(torque[j]);
    }
    for (let k = 0; k < STEPS; k++) {
      const late = t + k / (RATE * STEPS) - (servo?.delay ?? 0);
      const own = servo ? servoTorques(servo, reference(late), ratesOf(reference, late), state) : torque;
      state = step((x) => derivative(arm, x, own), state, 1 / (RATE * STEPS));
    }
  }
  return { time, positions, torques };
}

function servoTorques(
  { kp, kd, limit, feedback: of }: Servo,
  goal: readonly [number, number],
  rates: readonly [number, number],
  [q1, q2, v1, v2]: number[],
): number[] {
  const asked =
    of === 'velocity'
      ? [kd[0] * (rates[0] - v1), kd[1] * (rates[1] - v2)]
      : [kp[0] * (goal[0] - q1) - kd[0] * v1, kp[1] * (goal[1] - q2) - kd[1] * v2];
  return asked.map((x, j) => Math.max(-limit[j], Math.min(limit[j], x)));
}

/** Rates of a reference, by a difference whose error is a millionth of them. */
export function ratesOf(reference: Reference, time: number): readonly [number, number] {
  const [after, before] = [reference(time + 5e-4), reference(time - 5e-4)];
  return [(after[0] - before[0]) / 1e-3, (after[1] - before[1]) / 1e-3];
}

function step(f: (x: number[]) => number[], x: number[], h: number): number[] {
  const along = (k: number[], by: number): number[] => x.map((value, i) => value + by * k[i]);
  const k1 = f(x);
  const k2 = f(along(k1, h / 2));
  const k3 = f(along(k2, h / 2));
  const k4 = f(along(k3, h));
  return x.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
}

/** Mass matrix of the links, and torques of Coriolis forces and weight. */
function links({ mass: m, centre: c, inertia, length: l }: Arm, q: number[], v: number[]) {
  const two = inertia[1] + m[1] * c[1] ** 2;
  const both = m[1] * l * c[1];
  const one = inertia[0] + m[0] * c[0] ** 2 + m[1] * l ** 2;
  const [cos, sin] = [Math.cos(q[1]), Math.sin(q[1])];
  const low = GRAVITY * m[1] * c[1] * Math.sin(q[0] + q[1]);
  return {
    mass: [one + two + 2 * both * cos, two + both * cos, two] as const,
    rest: [
      -both * sin * v[1] * (2 * v[0] + v[1]) + GRAVITY * (m[0] * c[0] + m[1] * l) * Math.sin(q[0]) + low,
      both * sin * v[0] ** 2 + low,
    ] as const,
  };
}

function frictionOf({ viscous, dry, physics }: Arm, j: number, rate: number, load: number): number {
  const { stribeck, load: share = 0, direction = 0 } = physics;
  const excess = stribeck ? stribeck.excess * Math.exp(-((rate / stribeck.width) ** 2)) : 0;
  const way = Math.tanh(rate / TURN);
  return viscous[j] * rate + (dry[j] * (1 + excess + direction * way) + share * Math.abs(load)) * way;
}

function rigid(arm: Arm, x: number[], torque: readonly number[]): number[] {
  const [q, v] = [x.slice(0, 2), x.slice(2)];
  const { mass, rest } = links(arm, q, v);
  const m11 = mass[0] + arm.armature[0];
  const m22 = mass[2] + arm.armature[1];
  const det = m11 * m22 - mass[1] ** 2;
  let a = [0, 0];
  // Friction by load depends on the accelerations, which depend on it.
  for (let round = 0; round < (arm.physics.load ? 4 : 1); round++) {
    const load = [m11 * a[0] + mass[1] * a[1] + rest[0], mass[1] * a[0] + m22 * a[1] + rest[1]];
    const net = [0, 1].map((j) => torque[j] - rest[j] - frictionOf(arm, j, v[j], load[j]));
    a = [(m22 * net[0] - mass[1] * net[1]) / det, (m11 * net[1] - mass[1] * net[0]) / det];
  }
  return [...v, ...a];
}

/** Links and motors apart, with a spring or teeth with play between them. */
function coupled(arm: Arm, x: number[], torque: readonly number[]): number[] {
  const [q, motor, v, rate] = [x.slice(0, 2), x.slice(2, 4), x.slice(4, 6), x.slice(6)];
  const { stiffness, play = [0, 0] } = arm.physics;
  const between = [0, 1].map((j) => {
    const k = stiffness?.[j] ?? TEETH;
    const twist = motor[j] - q[j];
    const over = Math.sign(twist) * Math.max(Math.abs(twist) - play[j] / 2, 0);
    return over === 0 ? 0 : k * over + DAMPING * Math.sqrt(k) * (rate[j] - v[j]);
  });
  const { mass, rest } = links(arm, q, v);
  const det = mass[0] * mass[2] - mass[1] ** 2;
  const net = [between[0] - rest[0], between[1] - rest[1]];
  const a = [(mass[2] * net[0] - mass[1] * net[1]) / det, (mass[0] * net[1] - mass[1] * net[0]) / det];
  const ofMotors = [0, 1].map(
    (j) => (torque[j] - between[j] - frictionOf(arm, j, rate[j], between[j])) / arm.armature[j],
  );
  return [...v, ...rate, ...a, ...ofMotors];
}
