import { randomNumbers } from '@gradsim/base';

/** Joints of the arm. */
export const JOINTS = 5;
/** Parameters of each joint and its link that are unknown; 20 in all. */
export const KINDS = ['mass', 'damping', 'armature', 'stiffness'] as const;
export type Kind = (typeof KINDS)[number];
/** True values, in the order of {@link KINDS}: kg, N m s/rad, kg m^2, N m/rad; of the joint k. */
const valuesOf = (k: number): readonly number[] => [
  0.8 - 0.12 * k,
  0.06 - 0.008 * k,
  0.012 - 0.0015 * k,
  0.5 + 0.1 * k,
];
/** All unknowns, joint by joint. */
export const TRUTH: readonly number[] = Array.from({ length: JOINTS }, (_, k) => valuesOf(k)).flat();

/** Physics step and frames of the recordings. */
export const TIMELINE = { frames: 201, frameRate: 100, substeps: 5 } as const;
export const GRAVITY = [0, 0, -9.81] as const;

/** An arm of five hinges about alternating axes, each with a rod of 0.25 m. */
export const ARM = `<mujoco model="arm"><option gravity="${GRAVITY.join(' ')}" timestep="${1 / (TIMELINE.frameRate * TIMELINE.substeps)}"/>
<worldbody>${Array.from({ length: JOINTS }, (_, k) => bodyOf(k)).join('')}${'</body>'.repeat(JOINTS)}</worldbody>
<actuator>${Array.from({ length: JOINTS }, (_, k) => `<motor joint="j${k}"/>`).join('')}</actuator></mujoco>`;

function bodyOf(k: number): string {
  const [mass, damping, armature, stiffness] = valuesOf(k);
  const axis = k % 2 === 0 ? '0 1 0' : '1 0 0';
  return `<body name="b${k}" pos="0 0 ${k === 0 ? 0 : -0.25}">
  <joint name="j${k}" axis="${axis}" damping="${damping}" armature="${armature}" stiffness="${stiffness}"/>
  <inertial pos="0.02 0.01 -0.12" mass="${mass}" diaginertia="0.004 0.004 0.0008"/>`;
}

/** Torques of the motors by frame, N m: [frame][joint]. */
export const DRIVES: readonly (readonly number[])[] = Array.from({ length: TIMELINE.frames }, (_, f) =>
  Array.from(
    { length: JOINTS },
    (__, k) => (1.2 - 0.2 * k) * Math.sin(2 * Math.PI * (0.5 + 0.35 * k) * (f / TIMELINE.frameRate) + k),
  ),
);

/** Start of a search, with every unknown within a fifth of its true value; from farther off either way finds other minima. */
export function startOf(seed: number): number[] {
  const random = randomNumbers(seed);
  return TRUTH.map((value) => value * 1.2 ** (2 * random() - 1));
}
