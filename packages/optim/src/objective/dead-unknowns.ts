import type { Model } from '@gradsim/core';
import { deadParameters, GradsimError } from '@gradsim/core';
import type { Unknowns } from '../unknowns/unknowns.ts';
import type { Objective } from './objective.ts';

/**
 * Keys of the fields for which derivatives are requested: those that unknowns set, except fields set only by unknowns
 * found by values alone, and fields on which nothing recorded depends differentiably.
 *
 * @param recorded keys of the fields that losses use; if empty, nothing is excluded for the latter reason.
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
 * Checks that losses have derivatives with respect to all unknowns, except one found by values alone.
 * @throws before anything runs, naming the unknown, the reason, and a remedy.
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
