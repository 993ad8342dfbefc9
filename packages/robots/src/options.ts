import { refuseUnknownOptions } from '@gradsim/core';
import { RobotError } from './error.ts';
import type { RobotOptions } from './robot.ts';

const OPTIONS: Readonly<Record<keyof RobotOptions, true>> = {
  file: true,
  readFile: true,
  shapes: true,
  limitStiffness: true,
  limitDamping: true,
  frictionStiffness: true,
  implicitJoints: true,
};

/** @throws for options that a reader does not have, and RobotError for coefficients that are none. */
export function checkOptions(who: string, options: RobotOptions, others: object = {}): void {
  refuseUnknownOptions<RobotOptions>(who, options, { ...OPTIONS, ...others });
  const { limitStiffness, limitDamping, frictionStiffness, implicitJoints, shapes } = options;
  for (const [name, value] of Object.entries({ limitStiffness, limitDamping, frictionStiffness }))
    if (value !== undefined && !(value >= 0 && Number.isFinite(value)))
      throw new RobotError(`${who}: ${name} is ${value}, but must be finite and at least 0.`);
  if (implicitJoints !== undefined && typeof implicitJoints !== 'boolean')
    throw new RobotError(`${who}: implicitJoints is ${String(implicitJoints)}, but must be true or false.`);
  if (shapes !== undefined && shapes !== 'visual' && shapes !== 'collision')
    throw new RobotError(`${who}: shapes is ${String(shapes)}, but must be visual or collision.`);
}
