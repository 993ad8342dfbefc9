import { GradsimError } from '@gradsim/base';
import type { CompiledModel } from '../compile/compiled-model.ts';
import type { Settings } from './options.ts';

// What a simulation refuses because of how it was made.

/** @throws for a simulation without tangents, and for a tangent that does not exist. */
export function refuseWithoutTangents(caller: string, tangent: number, { derivative, tangents = 1 }: Settings): void {
  if (derivative !== 'tangent')
    throw new GradsimError(
      'core/no-tangents',
      `${caller} needs a simulation made with \`derivative: 'tangent'\`; this one has none.`,
    );
  if (!Number.isInteger(tangent) || tangent < 0 || tangent >= tangents)
    throw new GradsimError(
      'core/no-tangents',
      `${caller}: there is no tangent ${tangent}; each world has ${tangents}, from 0 on.`,
    );
}

/**
 * @throws for a step beyond the last frame, if frames have times of their own, a gradient is kept or an input over time
 * has no further values.
 */
export function refuseBehindEnd(
  { fields, roles }: CompiledModel,
  { derivative, frames = 1, frameTimes }: Settings,
): void {
  if (frameTimes)
    throw new GradsimError(
      'core/no-more-frames',
      `step(): this simulation has times for ${frames} frame${frames > 1 ? 's' : ''}, and all have run.`,
      { field: 'frameTimes', hint: 'Give the times of more frames, or a frameRate.' },
    );
  if (derivative === 'adjoint')
    throw new GradsimError(
      'core/no-more-frames',
      `step(): this simulation keeps a gradient of ${frames} frame${frames > 1 ? 's' : ''}, and all have run.`,
      { hint: 'Raise `frames`, or leave `parameters` out.' },
    );
  for (const field of fields.values()) {
    if (!field.variesBy || roles.get(field.key) !== 'input') continue;
    throw new GradsimError(
      'core/no-more-frames',
      `step(): ${field.key} has values for the ${frames} frame${frames > 1 ? 's' : ''} of the simulation, and all have run.`,
      { field: field.key, hint: 'Raise `frames`; or make it a field without `variesBy`, and set it before each step.' },
    );
  }
}

/** @throws for a parameter that is a state at the start of a run and from which setup derives something. */
export function refuseMixedGradients({ roles, readAtStart, active }: CompiledModel, { parameters }: Settings): void {
  for (const key of parameters) {
    if (roles.get(key) === 'state' && readAtStart.has(key) && active.has(key))
      throw new GradsimError(
        'core/mixed-gradients',
        `continueFrom(): ${key} is a parameter, and setup derives something from its initial value (a rest shape, say), so a gradient of a run that begins elsewhere would be of two things.`,
        { field: key, hint: 'Leave it out of `parameters`.' },
      );
  }
}
