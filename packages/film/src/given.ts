import type { GivenSpec } from '@gradsim/optim';

/** How well lengths and angles were measured: standard deviations. */
export interface Tolerances {
  /** Of lengths, a part of each: 0.01 is 1 %. */
  readonly lengthTolerance: number;
  /** Of angles, degrees. */
  readonly angleTolerance: number;
}

/** What a person measures to with a ruler and by eye. */
const BY_RULER: Tolerances = { lengthTolerance: 0.01, angleTolerance: 2 };

/** Tolerances, by a ruler and by eye where none are given. */
export const tolerancesOf = ({
  lengthTolerance = BY_RULER.lengthTolerance,
  angleTolerance = BY_RULER.angleTolerance,
}: Partial<Tolerances>): Tolerances => ({ lengthTolerance, angleTolerance });

/**
 * A length that was measured, for a problem's `given`; `ties` say what follows from it.
 *
 * ```ts
 * const given = [givenLength('radius', 0.1, measured)];
 * const ties = [{ field: outlineRadius, of: ({ radius }) => radius }];
 * ```
 * @param value m.
 */
export const givenLength = (name: string, value: number, measured: Partial<Tolerances>): GivenSpec => ({
  name,
  value,
  tolerance: tolerancesOf(measured).lengthTolerance * Math.abs(value),
  unit: 'm',
});

/**
 * An angle that was measured.
 * @param value degrees.
 */
export const givenAngle = (name: string, value: number, measured: Partial<Tolerances>): GivenSpec => ({
  name,
  value,
  tolerance: tolerancesOf(measured).angleTolerance,
  unit: 'degrees',
});
