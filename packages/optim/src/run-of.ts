import { clockOf } from '@gradsim/core';
import type { Problem } from './problem/problem.ts';
import type { Run } from './problem/run.ts';
import { Unknowns } from './unknowns/unknowns.ts';

/**
 * The run of a problem's model at which its search starts: where its unknowns are, if they start at an estimate.
 *
 * ```ts
 * const { model, values, ...timeline } = runOf(problem);
 * ```
 * @throws for unknowns of fields or elements that do not exist, or out of range.
 */
export function runOf(problem: Problem): Run {
  const { model, frames, substeps, values } = problem;
  const unknowns = new Unknowns(problem);
  const start = unknowns.initial();
  const found = unknowns.fields.map((key) => [key, unknowns.fieldValues(key, start, { frames, substeps })]);
  return { model, frames, ...clockOf(problem), substeps, values: { ...values, ...Object.fromEntries(found) } };
}
