import type { GivenSpec, NamedValues } from '@gradsim/optim';

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

const SIDES = ['length', 'height', 'width'] as const;

/**
 * The sides of a box that were measured: `length`, `height` and `width`, along its x, y and z.
 * @param size m.
 */
export const givenSize = (size: readonly number[], measured: Partial<Tolerances>): GivenSpec[] =>
  SIDES.map((side, k) => givenLength(side, size[k], measured));

/** The size of a box by the values of {@link givenSize}. */
export const sizeIn = (values: NamedValues): [number, number, number] => [values.length, values.height, values.width];
