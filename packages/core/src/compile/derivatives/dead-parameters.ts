import type { Model } from '../../model/model.ts';
import type { FieldKey } from '../../model/references.ts';
import { Fields } from '../steps/fields.ts';
import { listSteps } from '../steps/list-steps.ts';
import { activeFields } from './active-fields.ts';
import type { DeadParameter } from './why-dead.ts';
import { deadParameter } from './why-dead.ts';

/**
 * Finds the parameters with respect to which no output has a derivative, whatever the values; returns the reason by
 * key. It needs no device and compiles nothing.
 *
 * ```ts
 * const dead = deadParameters(model, { parameters: ['world.threshold'], outputs: ['motes.position'] });
 * dead.get('world.threshold')?.note; // '... Kernel heat (phase force) compares motes.age with world.threshold (lt).'
 * ```
 * @param outputs fields that the loss depends on: states, and frame fields.
 */
export function deadParameters(
  model: Model,
  given: { readonly parameters: readonly FieldKey[]; readonly outputs: readonly FieldKey[] },
): Map<string, DeadParameter> {
  const keys = (of: readonly FieldKey[]): string[] => of.map((field) => model.keyOf(field));
  const [parameters, outputs] = [keys(given.parameters), keys(given.outputs)];
  const steps = listSteps(new Fields(model), outputs, true);
  const active = activeFields(steps, parameters, outputs);
  return new Map(parameters.filter((key) => !active.has(key)).map((key) => [key, deadParameter(steps, key, outputs)]));
}
