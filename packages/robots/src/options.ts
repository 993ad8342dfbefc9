import { RobotError } from './error.ts';
import type { RobotOptions } from './robot.ts';

const NAMES = ['file', 'readFile', 'shapes', 'limitStiffness', 'limitDamping', 'frictionStiffness', 'implicitJoints'];

/** @throws RobotError for options that a reader does not have, and coefficients that are none. */
export function checkOptions(who: string, options: RobotOptions, others: readonly string[]): void {
  const names = [...NAMES, ...others];
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new RobotError(`${who} has no option ${unknown}; its options are ${names.join(', ')}.`);
  const { limitStiffness, limitDamping, frictionStiffness, implicitJoints, shapes } = options;
  for (const [name, value] of Object.entries({ limitStiffness, limitDamping, frictionStiffness }))
    if (value !== undefined && !(value >= 0 && Number.isFinite(value)))
      throw new RobotError(`${who}: ${name} is ${value}, but must be finite and at least 0.`);
  if (implicitJoints !== undefined && typeof implicitJoints !== 'boolean')
    throw new RobotError(`${who}: implicitJoints is ${String(implicitJoints)}, but must be true or false.`);
  if (shapes !== undefined && shapes !== 'visual' && shapes !== 'collision')
    throw new RobotError(`${who}: shapes is ${String(shapes)}, but must be visual or collision.`);
}
