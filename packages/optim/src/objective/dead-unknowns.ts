import type { Model } from '@gradsim/core';
import { deadParameters, GradsimError } from '@gradsim/core';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Objective } from './objective.ts';

/**
 * Fields that derivatives are requested for: those that unknowns set, except unknowns that are found by values alone,
 * and fields with respect to which nothing recorded has a derivative.
 *
 * @param recorded keys of the fields that losses use; without any, all fields are returned.
 */
export function fieldsWithDerivatives(
  model: Model,
  unknowns: Unknowns,
  recorded: readonly string[],
): readonly string[] {
  const parameters = unknowns.fieldsOfDerivatives;
  if (recorded.length === 0) return parameters;
  const dead = deadParameters(model, { parameters, outputs: recorded });
  return parameters.filter((key) => !dead.has(key));
}

/**
 * Refuses unknowns without a derivative, unless they are to be found by values alone, before anything runs.
 * @throws naming the unknown, the reason, and what to do.
 */
export function refuseDeadUnknowns(model: Model, unknowns: Unknowns, objective: Objective): void {
  if (objective.fields.length === 0) return;
  const dead = deadParameters(model, { parameters: unknowns.fields, outputs: objective.fields });
  for (const { name, isArray, isByValues } of unknowns.blocks) {
    const keys = unknowns.fieldsOf(name);
    const reasons = keys.map((key) => (objective.direct.includes(key) ? undefined : dead.get(key)));
    if (reasons.some((reason) => reason === undefined)) continue;
    const what = `The ${isArray ? 'array' : 'parameter'} ${name} sets ${keys.join(' and ')}.`;
    const notes = reasons.map((reason) => reason!.note).join(' ');
    if (reasons.every((reason) => reason!.reaches === 'nothing'))
      throw new GradsimError('optim/dead-unknown', `${what} ${notes} Leave it out, or observe what depends on it.`);
    if (isByValues) continue;
    const instead = isArray
      ? 'Give it values, or put a smooth step in place of the comparison.'
      : "Give it `derivative: 'none'` and a `range`, to have it found by values alone; or put a smooth step in place of the comparison.";
    throw new GradsimError('optim/dead-unknown', `${what} ${notes} ${instead}`);
  }
}
