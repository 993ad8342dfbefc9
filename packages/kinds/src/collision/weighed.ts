import type { MeasuredBy } from '@gradsim/kinds/define';
import type { GivenSpec, NamedValues, ParameterSpec } from '@gradsim/optim';
import type { measures } from './measures.ts';

/** Masses of two things, kg: a collision shows their ratio. */
export interface GivenMasses {
  /** Ratio of the second's to the first's, at values. */
  readonly ratio: (values: NamedValues) => number;
  /** Both masses, kg, at values; undefined where none was weighed. */
  readonly masses: ((values: NamedValues) => readonly [number, number]) | undefined;
  /** The unknown, with the ratio at which the search starts. */
  readonly parameters: (start: number) => readonly ParameterSpec[];
  readonly given: readonly GivenSpec[];
}

const [RATIO, FIRST, SECOND] = ['mass ratio', 'mass of the first', 'mass of the second'];

/** Masses by what was weighed: both, one, of which the other follows, or none, and then only their ratio. */
export function givenMassesOf({ mass, secondMass, massTolerance }: MeasuredBy<typeof measures>): GivenMasses {
  const given = (name: string, value: number | null): GivenSpec[] =>
    value === null ? [] : [{ name, value, tolerance: massTolerance * value, unit: 'kg' }];
  const isRatio = mass === null && secondMass === null;
  return {
    ratio: (v) => (isRatio ? v[RATIO] : v[SECOND] / v[FIRST]),
    masses: isRatio ? undefined : (v) => [v[FIRST], v[SECOND]],
    parameters: (start) => {
      const unknown = (name: string, initial: number, unit?: string): ParameterSpec => ({
        name,
        initial,
        transform: 'log',
        ...(unit === undefined ? {} : { unit }),
      });
      if (isRatio) return [unknown(RATIO, start)];
      if (secondMass === null) return [unknown(SECOND, mass! * start, 'kg')];
      return mass === null ? [unknown(FIRST, secondMass / start, 'kg')] : [];
    },
    given: [...given(FIRST, mass), ...given(SECOND, secondMass)],
  };
}
