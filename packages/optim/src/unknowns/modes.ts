import type { Field } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { ArraySpec } from '../problem/parameter.ts';
import type { Places } from './places.ts';

/**
 * Places of modes in a field's values: the amplitude of every mode acts on all chosen elements and components, by
 * weights.
 *
 * @throws for no modes, modes of the wrong length or with values that are not finite, a field over time, and modes
 * combined with `tied` or `window`.
 */
export function modesOf(
  label: string,
  field: Field,
  elements: readonly number[],
  components: readonly number[],
  { modes, tied, window }: Pick<ArraySpec, 'tied' | 'window'> & { readonly modes: readonly ArrayLike<number>[] },
): Places {
  if (tied?.length || window !== undefined)
    throw new GradsimError('optim/modes-not-with', `${label} has modes, which say what moves together.`, {
      hint: 'Leave `tied` and `window` out.',
    });
  if (field.variesBy)
    throw new GradsimError(
      'optim/modes-not-with',
      `${label} has modes, but ${field.key} has values over time; modes are of values that stay.`,
      { field: field.key },
    );
  if (!Array.isArray(modes) || modes.length === 0)
    throw new GradsimError('optim/no-modes', `${label} has no modes.`, {
      hint: 'Leave `modes` out to have every value by itself.',
    });
  const perMode = elements.length * components.length;
  modes.forEach((mode, m) => {
    if (mode?.length !== perMode)
      throw new GradsimError(
        'optim/wrong-size',
        `${label}: mode ${m} has ${mode?.length ?? mode} numbers, but ${elements.length} elements x ${components.length} components are ${perMode}.`,
      );
    const bad = Array.prototype.findIndex.call(mode, (value) => !Number.isFinite(value));
    if (bad >= 0)
      throw new GradsimError('optim/value-not-finite', `${label}: number ${bad} of mode ${m} is ${mode[bad]}.`, {
        hint: 'It must be finite.',
      });
  });
  const own = Uint32Array.from(
    { length: perMode },
    (_, k) => elements[Math.floor(k / components.length)] * field.components + components[k % components.length],
  );
  const length = modes.length * perMode;
  return {
    places: Uint32Array.from({ length }, (_, p) => own[p % perMode]),
    owners: Uint32Array.from({ length }, (_, p) => Math.floor(p / perMode)),
    weights: Float64Array.from({ length }, (_, p) => modes[Math.floor(p / perMode)][p % perMode]),
    shape: [1, modes.length, 1],
  };
}
