import { GradsimError } from '@gradsim/core';
import type { Point } from '../posterior/found.ts';
import type { Problem } from './problem.ts';

/**
 * Copy of a problem whose search starts at a point; unknowns that it leaves out start where they did.
 * @throws for names that the problem does not have.
 */
export function startedAt(problem: Problem, { parameters = {}, arrays = {} }: Point): Problem {
  for (const [what, own, given] of [
    ['parameter', problem.parameters ?? [], parameters],
    ['array', problem.arrays ?? [], arrays],
  ] as const) {
    const known: readonly string[] = own.map(({ name }) => name);
    const other = Object.keys(given).find((name) => !known.includes(name));
    if (other !== undefined)
      throw new GradsimError(
        'optim/parameter-missing',
        `The point has a value of ${other}, and the problem no such ${what}.`,
        {
          hint: `It has ${known.join(', ') || 'none'}.`,
        },
      );
  }
  return {
    ...problem,
    parameters: problem.parameters?.map((spec) => ({
      ...spec,
      start: parameters[spec.name] ?? spec.start ?? spec.initial,
    })),
    arrays: problem.arrays?.map((spec) => ({ ...spec, start: arrays[spec.name] ?? spec.start ?? spec.initial })),
  };
}
