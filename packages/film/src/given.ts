import { ballInertia } from '@gradsim/base';
import type { FieldKey } from '@gradsim/core';
import type { GivenSpec, NamedValues, TieSpec } from '@gradsim/optim';
import { outlineRadius } from './outlines/fields.ts';

/** Standard deviations of measured lengths and angles. */
export interface Tolerances {
  /** Relative standard deviation of a measured length: 0.01 is 1 %, 0 an exact length. */
  readonly lengthTolerance: number;
  /** Standard deviation of a measured angle, degrees; 0 for an exact angle. */
  readonly angleTolerance: number;
}

/** Default tolerances: of lengths measured with a ruler, and angles by eye. */
const BY_RULER: Tolerances = { lengthTolerance: 0.01, angleTolerance: 2 };

/** Tolerances of measurements; those not stated get the values of {@link BY_RULER}. */
export const tolerancesOf = ({
  lengthTolerance = BY_RULER.lengthTolerance,
  angleTolerance = BY_RULER.angleTolerance,
}: Partial<Tolerances>): Tolerances => ({ lengthTolerance, angleTolerance });

/**
 * Given quantity for a measured length, for a problem's `given`; `ties` compute fields from it.
 *
 * ```ts
 * const given = [givenLength('radius', 0.1, measured)];
 * const ties = [{ field: outlineRadius, compute: ({ radius }) => radius }];
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
 * Given quantity for a measured angle.
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
 * Given quantities for the measured sides of a box: `length`, `height` and `width`, along its x, y and z axes.
 * @param size m.
 */
export const givenSize = (size: readonly number[], measured: Partial<Tolerances>): GivenSpec[] =>
  SIDES.map((side, k) => givenLength(side, size[k], measured));

/** Size of a box along its axes, m, from the values of {@link givenSize}. */
export const sizeIn = (values: NamedValues): [number, number, number] => [values.length, values.height, values.width];

/**
 * Given quantity and ties for a ball whose radius was measured: the ties compute its outline's radius, its inertia and
 * other fields from the radius.
 *
 * ```ts
 * const size = givenBall(0.1, measured, { inertia: Body.inertia, radius: material.radius });
 * ```
 * @param radius m.
 * @param fields of the ball, of mass 1, that depend on its radius, and the element that it is; default: the only one.
 */
export function givenBall(
  radius: number,
  measured: Partial<Tolerances>,
  fields: { readonly inertia: FieldKey; readonly radius?: FieldKey; readonly element?: number },
): { readonly given: readonly GivenSpec[]; readonly ties: readonly TieSpec[] } {
  const own = fields.element === undefined ? {} : { elements: [fields.element] };
  const radii =
    fields.radius === undefined ? [] : [{ field: fields.radius, ...own, compute: (v: NamedValues) => v.radius }];
  return {
    given: [givenLength('radius', radius, measured)],
    ties: [
      { field: outlineRadius, compute: (v) => v.radius },
      { field: fields.inertia, ...own, compute: (v) => ballInertia(v.radius) },
      ...radii,
    ],
  };
}

/** Sizes of a beam, m, and its density, kg/m^3. */
interface BeamSizes {
  readonly length: number;
  readonly thickness: number;
  readonly density: number;
}

/** Ratio of a density's relative tolerance to a length's: a density is a mass divided by three lengths. */
const DENSITY_TIMES = 2;

/**
 * Given quantities for a measured beam of length L, thickness h and density rho. Swing and sag of a slender beam depend
 * on E h^2 / (rho L^4) alone, not on its width: the model keeps the measured sizes, and multiplies Young's modulus E by
 * `stiffer`, the factor that other values of L, h and rho amount to.
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
