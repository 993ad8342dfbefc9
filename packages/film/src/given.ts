import type { FieldKey } from '@gradsim/core';
import { ballInertia } from '@gradsim/numeric';
import type { GivenSpec, NamedValues, TieSpec } from '@gradsim/optim';
import { outlineRadius } from './outlines/fields.ts';

/** Standard deviations of measured lengths and angles. */
export interface Tolerances {
  /** Standard deviation of a length, as a part of it: 0.01 is 1 %, 0 an exact one. */
  readonly lengthTolerance: number;
  /** Standard deviation of an angle, degrees; 0 of an exact one. */
  readonly angleTolerance: number;
}

/** Tolerances of a ruler and of the eye. */
const BY_RULER: Tolerances = { lengthTolerance: 0.01, angleTolerance: 2 };

/** Tolerances, by a ruler and by eye where none are given. */
export const tolerancesOf = ({
  lengthTolerance = BY_RULER.lengthTolerance,
  angleTolerance = BY_RULER.angleTolerance,
}: Partial<Tolerances>): Tolerances => ({ lengthTolerance, angleTolerance });

/**
 * A length that was measured, for a problem's `given`; `ties` compute fields from it.
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

/**
 * A ball whose radius was measured, for a problem's `given` and `ties`: sets its outline, its inertia and other fields
 * with its radius.
 *
 * ```ts
 * const size = givenBall(0.1, measured, { inertia: Body.inertia, radius: material.radius });
 * ```
 * @param radius m.
 * @param fields of the ball of mass 1, and which element it is. Default the only one.
 */
export function givenBall(
  radius: number,
  measured: Partial<Tolerances>,
  fields: { readonly inertia: FieldKey; readonly radius?: FieldKey; readonly element?: number },
): { readonly given: readonly GivenSpec[]; readonly ties: readonly TieSpec[] } {
  const own = fields.element === undefined ? {} : { elements: [fields.element] };
  const radii = fields.radius === undefined ? [] : [{ field: fields.radius, ...own, of: (v: NamedValues) => v.radius }];
  return {
    given: [givenLength('radius', radius, measured)],
    ties: [
      { field: outlineRadius, of: (v) => v.radius },
      { field: fields.inertia, ...own, of: (v) => ballInertia(v.radius) },
      ...radii,
    ],
  };
}

/** Sizes and density of a beam: m, kg/m^3. */
interface BeamSizes {
  readonly length: number;
  readonly thickness: number;
  readonly density: number;
}

/**
 * Ratio of the tolerance assumed for a density to that of a length, both relative: a density is a mass over three
 * lengths.
 */
const DENSITY_TIMES = 2;

/**
 * A beam that was measured, for a problem's `given`. A slender beam swings and sags as E h^2 / (rho L^4) says, and its width is in
 * neither: a model keeps the sizes that were measured, and has Young's modulus times `stiffer`.
 *
 * ```ts
 * const sizes = givenBeam(size, measured);
 * const ties = beamTies(size, (v) => ({ youngsModulus: v.E * sizes.stiffer(v) }));
 * ```
 */
export function givenBeam(
  { length, thickness, density }: BeamSizes,
  measured: Partial<Tolerances>,
): { readonly given: readonly GivenSpec[]; readonly stiffer: (values: NamedValues) => number } {
  const tolerance = DENSITY_TIMES * tolerancesOf(measured).lengthTolerance * density;
  return {
    given: [
      givenLength('length', length, measured),
      givenLength('thickness', thickness, measured),
      { name: 'density', value: density, tolerance, unit: 'kg/m^3' },
    ],
    stiffer: (v) => ((v.thickness / thickness) ** 2 * density * (length / v.length) ** 4) / v.density,
  };
}
