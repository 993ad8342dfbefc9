import type { Robot, RobotLink } from '../../robot.ts';
import type { Identification } from '../identification.ts';
import { jointUnits } from '../parameter-names.ts';

/** A number of a robot as simulators take it, and the range in which robots that the logs allow have it. */
export interface ParameterRange {
  /** Name of the link or of the joint. */
  readonly of: string;
  readonly parameter: RangedParameter;
  readonly unit: string;
  readonly calibrated: number;
  /** Ends of the middle 95 % of the drawn robots. */
  readonly low: number;
  readonly high: number;
  /** False if the motion does not determine it alone, so that it follows from the model and the range around it. */
  readonly isDetermined: boolean;
}

export type RangedParameter = keyof typeof BODY | keyof typeof JOINT;

type Values = RobotLink['values'];
/** Numbers of a body, with the names of what the motion must determine for each. */
const BODY = {
  mass: { unit: 'kg', of: ({ mass }: Values) => mass, needs: ['m'] },
  'centre x': { unit: 'm', of: ({ centre }: Values) => centre[0], needs: ['m', 'm cx'] },
  'centre y': { unit: 'm', of: ({ centre }: Values) => centre[1], needs: ['m', 'm cy'] },
  'centre z': { unit: 'm', of: ({ centre }: Values) => centre[2], needs: ['m', 'm cz'] },
  'inertia xx': { unit: 'kg m^2', of: ({ inertia }: Values) => inertia[0], needs: ['m', 'm cy', 'm cz', 'Jxx'] },
  'inertia yy': { unit: 'kg m^2', of: ({ inertia }: Values) => inertia[4], needs: ['m', 'm cx', 'm cz', 'Jyy'] },
  'inertia zz': { unit: 'kg m^2', of: ({ inertia }: Values) => inertia[8], needs: ['m', 'm cx', 'm cy', 'Jzz'] },
} as const;
/** Coefficients of a joint. */
const JOINT = {
  armature: ({ armature = 0 }: Values) => armature,
  damping: ({ damping = 0 }: Values) => damping,
  dryFriction: ({ dryFriction = 0 }: Values) => dryFriction,
} as const;
/** Part of the drawn robots beyond either end of a range. */
const TAIL_SHARE = 0.025;

/** Ranges of the masses, centres, inertias about them, and coefficients of the joints, of robots that the logs allow. */
export function rangesOf({ robot, parameters }: Identification, drawnRobots: readonly Robot[]): ParameterRange[] {
  const known = new Set(
    parameters.flatMap(({ name, standardError }) => (Number.isFinite(standardError) ? [name] : [])),
  );
  return robot.links.flatMap(({ name, jointName, values }, k) => {
    const range = (of: (values: Values) => number): Pick<ParameterRange, 'calibrated' | 'low' | 'high'> => {
      const all = drawnRobots.map(({ links }) => of(links[k].values)).sort((a, b) => a - b);
      const beyond = Math.floor(TAIL_SHARE * all.length);
      return { calibrated: of(values), low: all[beyond], high: all[all.length - 1 - beyond] };
    };
    const { position, torque } = jointUnits(values.joint);
    const units = {
      armature: values.joint === 'prismatic' ? 'kg' : 'kg m^2',
      damping: `${torque} s/${position}`,
      dryFriction: torque,
    };
    const body = values.mass > 0 ? (Object.keys(BODY) as (keyof typeof BODY)[]) : [];
    const joint =
      values.joint === 'fixed' || values.joint === 'free' ? [] : (Object.keys(JOINT) as (keyof typeof JOINT)[]);
    return [
      ...body.map((parameter) => ({
        of: name,
        parameter,
        unit: BODY[parameter].unit,
        ...range(BODY[parameter].of),
        isDetermined: BODY[parameter].needs.every((own) => known.has(`${own} of ${name}`)),
      })),
      ...joint.map((parameter) => ({
        of: jointName,
        parameter,
        unit: units[parameter],
        ...range(JOINT[parameter]),
        isDetermined: known.has(`${parameter} of ${jointName}`),
      })),
    ];
  });
}
