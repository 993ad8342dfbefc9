import { GradsimError } from '@gradsim/core';
import { givenLength, type Swing } from '@gradsim/film';
import type { MeasuredBy } from '@gradsim/kinds/define';
import type { GivenSpec, NamedValues, ParameterSpec } from '@gradsim/optim';
import type { measures } from './measures.ts';

export const GYRATION = 'radius of gyration';
/** Least squared radius of gyration at which a search starts, in squared lengths; and the one of a rod held at its end. */
const [LEAST, OF_ROD] = [0.02, 1 / 3];

/** Inertia of a rod, and the gravity that turns it: one of them given, or both. */
interface RodInertia {
  /** Values at which the search starts, m and m/s^2. */
  readonly gyration: number;
  readonly pull: number;
  readonly parameters: readonly ParameterSpec[];
  readonly given: readonly GivenSpec[];
}

/**
 * Radius of gyration k as an unknown, or as given. By the period of the swing, a point at the distance l of the centre of mass
 * would show the gravity g l^2 / (l^2 + k^2).
 * @throws where neither it nor gravity was measured.
 */
export function rodInertia(measured: MeasuredBy<typeof measures>, { length, pull: shown }: Swing): RodInertia {
  const { gyration: known, gravity } = measured;
  if (known === null && gravity === null)
    throw new GradsimError('kinds/one-of-two', 'rod: gyration and gravity are both null.', {
      field: 'gyration',
      hint: 'A film shows one period: give the radius of gyration to find gravity, or gravity to find it.',
    });
  const square = gravity === null || shown === null ? OF_ROD : Math.max(LEAST, gravity / shown - 1);
  const gyration = known ?? length * Math.sqrt(square);
  return {
    gyration,
    pull: gravity ?? (shown === null ? 9.81 : shown * (1 + (gyration / length) ** 2)),
    parameters: known === null ? [{ name: GYRATION, initial: gyration, transform: 'log', unit: 'm' }] : [],
    given: known === null ? [] : [givenLength(GYRATION, known, measured)],
  };
}

/** Inertia about the pivot over the mass, m^2. */
export const momentOf = (v: NamedValues): number => v.length ** 2 + v[GYRATION] ** 2;

/** Inertia tensor of a mass of 1 of this radius of gyration, m^2, of which the turn uses one axis. */
export const inertiaOf = (k: number): number[] => Array.from({ length: 9 }, (_, at) => (at % 4 === 0 ? k ** 2 : 0));
