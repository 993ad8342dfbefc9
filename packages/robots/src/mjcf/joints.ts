import type { Vector } from '@gradsim/base';
import type { Element } from '../element.ts';
import { frictionOf, limitsOf } from '../passive.ts';
import { unit } from '../pose.ts';
import type { JointLimits, LinkValues, RobotOptions } from '../robot.ts';
import type { Compiler } from './compiler.ts';

/** A joint of a body; positions and axes are in the body's axes. */
export interface BodyJoint {
  readonly name?: string;
  readonly element: Element;
  readonly position: Vector;
  /** Joint coordinate of the file (`ref`) at which the link's coordinate is 0, rad or m. */
  readonly reference?: number;
  /** Range of the total force of all actuators of the joint (`actuatorfrcrange`), N m or N. */
  readonly actuatorRange?: readonly [number, number];
  /** Range of the link's coordinate, rad or m. */
  readonly limits?: JointLimits;
  readonly values: Pick<LinkValues, 'joint'> & Partial<LinkValues>;
}

const KINDS = { hinge: 'revolute', slide: 'prismatic', ball: 'ball', free: 'free' } as const;

export function jointOf(element: Element, compiler: Compiler, options: RobotOptions, passedOver: string[]): BodyJoint {
  const own = { name: element.text('name'), element };
  if (element.name === 'freejoint') return { ...own, position: [0, 0, 0], values: { joint: 'free' } };
  const type = element.choice('type', ['hinge', 'slide', 'ball', 'free']) ?? 'hinge';
  const joint = KINDS[type];
  if (joint === 'free') {
    const lost = ['stiffness', 'damping', 'armature', 'frictionloss'].filter((name) => element.number(name));
    if (lost.length > 0)
      element.refuseUnsupported(
        `has ${lost.join(', ')}, which free joints do not have; set 0, or give a class without.`,
      );
    return { ...own, position: [0, 0, 0], values: { joint } };
  }
  const position = element.vector('pos') ?? [0, 0, 0];
  const angle = type === 'slide' ? 1 : compiler.angle;
  const passive = {
    joint,
    implicitJoint: options.implicitJoints ?? true,
    stiffness: element.notNegative('stiffness'),
    damping: element.notNegative('damping'),
    armature: element.notNegative('armature'),
    ...frictionOf(element, element.notNegative('frictionloss'), options, passedOver),
  };
  const range = rangeOf(element, compiler);
  if (joint === 'ball') {
    const limits = range ? limitsOf(element, [undefined, range[1] * angle], options, passedOver) : {};
    return { ...own, position, values: { ...passive, ...limits } };
  }
  const axis = unit(element.vector('axis') ?? [0, 0, 1]);
  if (!axis) return element.refuseValue('axis', '0 0 0', 'a vector other than 0');
  // A link's coordinate is 0 in the pose of the file; there, that of the file is `ref`.
  const from = (element.number('ref') ?? 0) * angle;
  const [low, high] = (range ?? []).map((end) => end * angle - from);
  const limits = range ? limitsOf(element, [low, high], options, passedOver) : {};
  const restCoordinate = (element.number('springref') ?? 0) * angle - from;
  const actuatorRange = rangeOf(element, compiler, ['actuatorfrcrange', 'actuatorfrclimited']);
  return {
    ...own,
    position,
    reference: from === 0 ? undefined : from,
    actuatorRange,
    ...(range && { limits: { lower: low, upper: high } }),
    values: { ...passive, ...limits, axis, restCoordinate },
  };
}

/** Returns the range of a joint or an actuator, in units of the file, or undefined if it has no limits. */
export function rangeOf(
  element: Element,
  { autoLimits }: Compiler,
  [range, limited]: readonly [string, string] = ['range', 'limited'],
): [number, number] | undefined {
  const given = element.numbers(range, 2) as [number, number] | undefined;
  const isLimited = element.choice(limited, ['true', 'false', 'auto']) ?? 'auto';
  if (isLimited === 'true') return given ?? element.refuseMissing(`has ${limited}="true" and no ${range}.`);
  if (isLimited === 'false') return undefined;
  if (given && !autoLimits)
    element.refuse(`has a ${range}, and autolimits="false" of <compiler>; say ${limited}="true" or "false".`);
  return given;
}
