import type { FieldOf, Vec3 } from '@gradsim/core';
import type { NamedValues, ParameterSpec, TieSpec } from '@gradsim/optim';

/**
 * Unknown `gravity`, m/s^2 downwards, with the tie to the model's field; neither if it was measured.
 *
 * @param start gravity at which the search starts, m/s^2.
 */
export function gravityUnknown(
  field: FieldOf<Vec3>,
  measured: number | null,
  start: number,
): { readonly parameters: readonly ParameterSpec[]; readonly ties: readonly TieSpec[] } {
  if (measured !== null) return { parameters: [], ties: [] };
  return {
    parameters: [{ name: 'gravity', transform: 'log', initial: start, unit: 'm/s^2' }],
    ties: [gravityTie(field)],
  };
}

/** Tie of the model's gravity, along y, to the unknown `gravity`, which points downwards. */
export const gravityTie = (field: FieldOf<Vec3>): TieSpec => ({
  field,
  components: [1],
  of: (v: NamedValues) => -v.gravity,
});
