import type { FieldOf, Vec3 } from '@gradsim/core';
import type { NamedValues, ParameterSpec, TieSpec } from '@gradsim/optim';
import type { MeasuredBy, Measures } from '../define/measure.ts';

/** Measure of the world that a film was taken on, for kinds that find gravity. */
export const worldMeasures = {
  world: {
    what: 'other if the film was not taken on the Earth, whose gravity it is else held against, where gravity is estimated.',
    type: ['earth', 'other'],
    default: 'earth',
  },
} as const satisfies Measures;

/** Measures of gravity that is known, or estimated where it is not. */
export const gravityMeasures = {
  gravity: {
    what: 'Gravity, m/s^2; null to estimate it as well.',
    type: 'positive',
    quantity: 'acceleration',
    default: 9.81,
    isOptional: true,
  },
  ...worldMeasures,
} as const satisfies Measures;

/** Gravity at sea level, m/s^2: at the equator, at the poles. */
const EARTH = [9.78, 9.83] as const;

/**
 * Unknown `gravity`, m/s^2 downwards, with the tie to the model's field; neither if it was measured. Everybody knows what it
 * is: an estimate that is not the Earth's shows that a length or the clock is wrong.
 *
 * @param start gravity at which the search starts, m/s^2.
 * @param question what is most likely wrong then, as a question: `Is the radius a radius, not a diameter?`
 */
export function gravityUnknown(
  field: FieldOf<Vec3>,
  { gravity, world }: MeasuredBy<typeof worldMeasures> & { readonly gravity: number | null },
  start: number,
  question: string,
): { readonly parameters: readonly ParameterSpec[]; readonly ties: readonly TieSpec[] } {
  if (gravity !== null) return { parameters: [], ties: [] };
  const usual = {
    range: EARTH,
    of: "the Earth's",
    question: `${question} Are all lengths right? Does the film play as fast as it was taken? If all that is well, and the film is of another world, set world to other.`,
  };
  return {
    parameters: [
      {
        name: 'gravity',
        transform: 'log',
        initial: start,
        unit: 'm/s^2',
        ...(world === 'earth' ? { usual } : {}),
      },
    ],
    ties: [gravityTie(field)],
  };
}

/** Tie of the model's gravity, along y, to the unknown `gravity`, which points downwards. */
export const gravityTie = (field: FieldOf<Vec3>): TieSpec => ({
  field,
  components: [1],
  compute: (v: NamedValues) => -v.gravity,
});
