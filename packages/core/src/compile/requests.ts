import { GradsimError } from '@gradsim/base';
import type { Fields } from './steps/fields.ts';
import type { Role } from './steps/roles.ts';
import type { Step, Steps } from './steps/step.ts';
import { allPasses, allSteps, madeBy } from './steps/step.ts';

/** Results requested of a run. */
export interface Requests {
  /** Keys of the fields with respect to which gradients or tangents are requested. */
  readonly parameters: readonly string[];
  /** Keys of the fields of which every frame is kept: frame fields and states. */
  readonly record: readonly string[];
  /** Fields at which adjoints are seeded: recorded fields and states. */
  readonly outputs: readonly string[];
  readonly derivative: 'none' | 'adjoint' | 'tangent';
}

/**
 * @throws where a gradient is requested with respect to a field that nothing depends on, or a requested field does not
 * exist.
 */
export function checkRequests(
  fields: Fields,
  { parameters, record, outputs, derivative }: Requests,
  roles: ReadonlyMap<string, Role>,
  steps: Steps,
): void {
  const all = allPasses([...steps.setup, ...steps.physics, ...steps.frame]);
  for (const key of parameters) {
    const field = fields.field(key);
    if (field.scalar !== 'f32')
      throw new GradsimError('core/wrong-type', `The parameter ${key} is a field of ${field.scalar}.`, {
        field: key,
        hint: 'Only f32 fields have derivatives.',
      });
    if (!all.some((p) => p.reads.has(key)) && roles.get(key) !== 'state') {
      const searching = allPasses(steps.search).find((p) => p.reads.has(key));
      if (searching)
        throw new GradsimError(
          'core/found-by-search',
          `The parameter ${key} is read in phase search alone, by kernel ${searching.kernel.name}, and what a search finds counts as constant, so there is no derivative with respect to it.`,
          { field: key, hint: 'Leave it out of the parameters; set() still changes it.' },
        );
      throw new GradsimError(
        'core/idle-parameter',
        `The parameter ${key} is read by no pass, so nothing can depend on it.`,
        { field: key, hint: 'Leave it out, or add the plugin that uses it.' },
      );
    }
    if (isOverwritten(key, steps.setup)) {
      throw new GradsimError(
        'core/not-an-input',
        `The parameter ${key} is made in setup, so nothing depends on the value that it is given.`,
        { field: key, hint: 'Name what it is made from.' },
      );
    }
    if (roles.get(key) === 'scratch' || roles.get(key) === 'frame') {
      throw new GradsimError(
        'core/not-an-input',
        `The parameter ${key} is computed by the simulation in every step; a parameter must be an input.`,
        { field: key },
      );
    }
  }
  for (const key of record) {
    const role = roles.get(fields.field(key).key);
    if (role !== 'frame' && role !== 'state')
      throw new GradsimError(
        'core/not-recordable',
        `${key} cannot be recorded: it is neither a state nor made in every frame (phases pose, render, observe).`,
        { field: key },
      );
  }
  for (const key of outputs) {
    const role = roles.get(fields.field(key).key);
    if (role !== 'state' && !(role === 'frame' && record.includes(key))) {
      throw new GradsimError(
        'core/not-an-output',
        `${key} cannot be an output: outputs are states and recorded frame fields, and it is ${role === 'frame' ? 'not recorded' : `of role ${role}`}.`,
        {
          field: key,
          hint:
            role === 'frame'
              ? `Name it in \`record: ['${key}']\`.`
              : 'Have a pass of phase observe copy it to a field, and name that in `record`.',
        },
      );
    }
  }
  if (derivative === 'adjoint' && parameters.length > 0 && outputs.length === 0)
    throw new GradsimError(
      'core/nothing-to-differentiate',
      `A gradient with respect to ${parameters.join(', ')} needs something to start from.`,
      { hint: 'Name states or recorded frame fields in `outputs`, or fields in `record`.' },
    );
}

/** Returns whether setup overwrites a field without reading the value that was set. */
function isOverwritten(key: string, setup: readonly Step[]): boolean {
  const isWritten = allSteps(setup).some((s) => madeBy(s).some((v) => v.field.key === key));
  return isWritten && !allPasses(setup).some((s) => s.reads.get(key)?.number === 0);
}
