import type { Robot } from '../robot.ts';
import { JOINT_PARAMETERS, LINK_PARAMETERS } from './regressor.ts';

/** A parameter of a robot, in the order of the regressor's columns. */
export interface Parameter {
  /** Name for people, as in `m cx of upper`. */
  readonly name: string;
  /** Unit, as in `kg m^2`; `1` of a ratio. */
  readonly unit: string;
}

const LABELS: Readonly<Record<string, string>> = { hx: 'm cx', hy: 'm cy', hz: 'm cz' };

/** Names and units of all parameters, in the order of the regressor's columns. */
export function parametersNamed({ links }: Robot): Parameter[] {
  const unitOfLink = (p: string): string => (p === 'm' ? 'kg' : p.startsWith('h') ? 'kg m' : 'kg m^2');
  const moved = links.filter(({ values }) => values.joint !== 'fixed');
  return [
    ...links.flatMap(({ name }) =>
      LINK_PARAMETERS.map((p) => ({ name: `${LABELS[p] ?? p} of ${name}`, unit: unitOfLink(p) })),
    ),
    ...moved.flatMap(({ jointName, values: { joint } }) =>
      JOINT_PARAMETERS.map((p) => ({ name: `${p} of ${jointName}`, unit: UNITS[p][joint === 'prismatic' ? 1 : 0] })),
    ),
  ];
}

/** Units of the coefficients of a joint that turns, and of one that slides. */
const UNITS: Readonly<Record<(typeof JOINT_PARAMETERS)[number], readonly [string, string]>> = {
  armature: ['kg m^2', 'kg'],
  damping: ['N m s/rad', 'N s/m'],
  dryFriction: ['N m', 'N'],
  loadFriction: ['1', '1'],
};

/** Names of all parameters, in the order of the regressor's columns. */
export const parameterNames = (robot: Robot): string[] => parametersNamed(robot).map(({ name }) => name);

/** Units of a joint's coordinate and of its torque or force. */
export const jointUnits = (joint: string): { readonly position: string; readonly torque: string } =>
  joint === 'prismatic' ? { position: 'm', torque: 'N' } : { position: 'rad', torque: 'N m' };
