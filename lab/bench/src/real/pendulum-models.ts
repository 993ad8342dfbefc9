/** A published set of parameters of the double pendulum, as in the README of the data. */
interface Published {
  readonly m: readonly [number, number];
  readonly r: readonly [number, number];
  /** Inertia about each joint, kg m^2. */
  readonly inertia: readonly [number, number];
  readonly damping: readonly [number, number];
  readonly friction: readonly [number, number];
  /** Inertia of a motor's rotor, kg m^2; its gear of 6 counts squared. */
  readonly rotor: number;
}

const GEAR = 6;
const LENGTH = 0.3;

export const PUBLISHED_DOUBLE: readonly Published[] = [
  {
    m: [0.608, 0.63],
    r: [0.275, 0.166],
    inertia: [0.05472, 0.02522],
    damping: [0.081, 0],
    friction: [0.093, 0.186],
    rotor: 6.07e-5,
  },
  {
    m: [0.5594, 0.6043],
    r: [0.3, 0.1838],
    inertia: [0.05347, 0.02392],
    damping: [0.001, 0.001],
    friction: [0.093, 0.078],
    rotor: 7.66e-5,
  },
];

/** The double pendulum as one who knows its lengths alone would begin: rods of half a kilogram. */
export const DOUBLE = doubleModel({
  m: [0.5, 0.5],
  r: [0.15, 0.1],
  inertia: [0.015, 0.0067],
  damping: [0, 0],
  friction: [0, 0],
  rotor: 0,
});

export function doubleModel({ m, r, inertia, damping, friction, rotor }: Published): string {
  const joint = (k: 0 | 1, name: string): string =>
    `<joint name="${name}" axis="0 -1 0" damping="${damping[k]}" frictionloss="${friction[k]}" armature="${rotor * GEAR ** 2}"/>
    ${inertialOf(m[k], r[k], inertia[k])}`;
  return `<mujoco model="double pendulum"><option gravity="0 0 -9.81"/><worldbody>
  <body name="upper">${joint(0, 'shoulder')}
    <body name="lower" pos="0 0 ${-LENGTH}">${joint(1, 'elbow')}</body>
  </body></worldbody>
  <actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator></mujoco>`;
}

/** The torque-limited pendulum: of mass and length as they are known, or with published parameters. */
export function singleModel(centre: number, inertia: number, damping: number, friction: number): string {
  return `<mujoco model="pendulum"><option gravity="0 0 -9.81"/><worldbody><body name="arm">
  <joint name="shoulder" axis="0 -1 0" damping="${damping}" frictionloss="${friction}"/>${inertialOf(0.68, centre, inertia)}
  </body></worldbody><actuator><motor joint="shoulder"/></actuator></mujoco>`;
}

/** A body that hangs from its joint. @param inertia about the joint, kg m^2 */
function inertialOf(mass: number, r: number, inertia: number): string {
  const own = inertia - mass * r * r;
  return `<inertial pos="0 0 ${-r}" mass="${mass}" diaginertia="${own} ${own} ${own / 10}"/>`;
}
