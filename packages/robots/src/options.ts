import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';

import type { RobotOptions } from './robot.ts';

const OPTIONS: Readonly<Record<keyof RobotOptions, true>> = {
  file: true,
  readFile: true,
  shapes: true,
  actuators: true,
  limitStiffness: true,
  limitDamping: true,
  frictionStiffness: true,
  implicitJoints: true,
};

/** Checks the options of a robot reader. @throws for unknown ones, and GradsimError for invalid values. */
export function checkOptions(caller: string, options: RobotOptions, otherOptions: object = {}): void {
  refuseUnknownOptions<RobotOptions>(caller, options, { ...OPTIONS, ...otherOptions });
  const { limitStiffness, limitDamping, frictionStiffness, implicitJoints, shapes, actuators } = options;
  for (const [name, value] of Object.entries({ limitStiffness, limitDamping, frictionStiffness }))
    if (value !== undefined && !(value >= 0 && Number.isFinite(value)))
      throw new GradsimError(
        'robots/option-out-of-range',
        `${name} is ${describeValue(value)}, but must be finite and at least 0.`,
        {
          field: name,
          element: caller,
        },
      );
  for (const [name, value] of Object.entries({ implicitJoints, actuators }))
    if (value !== undefined && typeof value !== 'boolean')
      throw new GradsimError('robots/unknown-choice', `${name} is ${String(value)}, but must be true or false.`, {
        field: name,
        element: caller,
      });
  if (shapes !== undefined && !['visual', 'collision', 'none'].includes(shapes))
    throw new GradsimError(
      'robots/unknown-choice',
      `shapes is ${String(shapes)}, but must be visual, collision or none.`,
      {
        field: 'shapes',
        element: caller,
      },
    );
}
