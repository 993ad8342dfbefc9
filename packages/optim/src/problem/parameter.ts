import type { Field, FieldKey } from '@gradsim/core';
import { describeValue, GradsimError, refuseUnknownChoice, refuseUnknownOptions } from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';

/**
 * Transform from an unknown's value to the optimiser's coordinate: none, natural logarithm, or a map of a bounded
 * range.
 */
export type Transform = 'identity' | 'log' | 'bounded';

/** Properties that single unknowns and arrays of unknowns have in common. */
interface UnknownSpec {
  /** Name of the unknown in results. */
  readonly name: string;
  /** Numbers of the field's elements that the unknown sets. Default: all. */
  readonly elements?: readonly number[];
  /**
   * Transform to the optimiser's coordinate. `log` requires positive values, `bounded` a `range`. Default `identity`.
   */
  readonly transform?: Transform;
  /** Lower and upper limit of the values; starting points are drawn between them. */
  readonly range?: readonly [number, number];
  /**
   * Length of a natural step, a typical change, in the transformed coordinate. Default 1 for `log` and `bounded`, else
   * max(|initial|, 1).
   */
  readonly scale?: number;
  readonly unit?: string;
}

/** A single unknown: a number written to one or many places of a field; for a field over time, at all times. */
export interface ParameterSpec extends UnknownSpec {
  /** Field that the unknown sets: `Body.mass`, or `bodies.mass`. Without a field, {@link TieSpec}s use the unknown. */
  readonly field?: FieldKey;
  /** Index of the field's component: required for vectors, 0 for scalar fields. */
  readonly component?: number;
  /**
   * `none`: the unknown is found by values alone, since losses have no derivative with respect to it, as for a
   * threshold that acts only through comparisons. The search covers its `range`, which is required, and fits the other
   * unknowns at each value; its interval comes from the profile of the loss. A problem may have one such unknown.
   */
  readonly derivative?: 'none';
  readonly initial: number;
  /**
   * Value at which the search starts, if it differs from `initial`: for example a rough estimate made before. Default
   * `initial`.
   */
  readonly start?: number;
  /** True value if known, only for reports. */
  readonly truth?: number;
  /**
   * Prior knowledge as a normal distribution of the value, in its unit; enters least squares as one more observation.
   * With `isLogNormal` it is of ln(value / mean), as where little but the order of magnitude is known: then `transform` is `log`.
   */
  readonly prior?: ScalarPrior;
  /** Range in which the value usually lies: an estimate outside, by more than its standard errors, is questioned. */
  readonly usual?: Usual;
}

/** Normal distribution of a value, or of ln(value / mean). */
export interface ScalarPrior {
  readonly mean: number;
  readonly standardDeviation: number;
  readonly isLogNormal?: boolean;
}

/** What is usual of an unknown, as of gravity on the Earth. */
export interface Usual {
  readonly range: readonly [number, number];
  /** What the range is of: `the Earth's`. */
  readonly of: string;
  /** What may be wrong where the estimate lies elsewhere, and how to say that it is right: sentences. */
  readonly question: string;
}

/**
 * An array of unknowns, up to thousands: every value of a field individually, such as the velocity of each particle or
 * a control at each substep. The values are flat, [element][component], or for a field over time [frame or
 * substep][element][component], of the chosen elements and components; values that are tied, or share a window of time,
 * appear once.
 *
 * ```ts
 * const velocity: ArraySpec = { name: 'velocity', field: 'particles.velocity', initial: 0, unit: 'm/s' };
 * // One force for all particles, another one every 8 substeps.
 * const push: ArraySpec = { name: 'push', field: 'particles.push', tied: ['elements'], window: 8, initial: 0 };
 * // A body's vertices, moved by how much of each of 12 smooth displacements.
 * const modes = smoothModes(mesh.triangles, { vertices: 42, count: 4 });
 * const shape: ArraySpec = { name: 'shape', field: 'bodyVertices.local', modes, initial: 0 };
 * ```
 */
export interface ArraySpec extends UnknownSpec {
  /** Field that the unknowns set: `Body.mass`, or `bodies.mass`. */
  readonly field: FieldKey;
  /** Indices of the components that are unknown, for vector fields. Default: all. */
  readonly components?: readonly number[];
  /** Axes along which all chosen places share one value: elements, components, or both. Default none. */
  readonly tied?: readonly ('elements' | 'components')[];
  /** Number of consecutive frames or substeps that share a value, for a field over time. Default 1. */
  readonly window?: number;
  /**
   * Modes, if the unknowns are amplitudes, one per mode: each mode adds its amplitude times these numbers, flat
   * [element][component] of the chosen elements and components, to the field's values. For example, a shape is
   * described by a few modes of its vertices.
   */
  readonly modes?: readonly ArrayLike<number>[];
  /** Initial values: one number for all, or a number for each. */
  readonly initial: number | ArrayLike<number>;
  /**
   * Values at which the search starts, if they differ from `initial`: for example a rough estimate made before. Default
   * `initial`.
   */
  readonly start?: number | ArrayLike<number>;
  /** True values if known, only for reports. */
  readonly truth?: ArrayLike<number>;
  /** Prior knowledge as independent normal distributions of the values, all with one standard deviation. */
  readonly prior?: { readonly mean: number | ArrayLike<number>; readonly standardDeviation: number };
}

/** Conversion between a value and the optimiser's coordinate. */
export interface Coordinate {
  readonly toValue: (x: number) => number;
  readonly toCoordinate: (value: number) => number;
  /** Returns d value / d coordinate at a coordinate. */
  readonly derivative: (x: number) => number;
  /** Returns the second derivative of the value divided by the first. */
  readonly bend: (x: number) => number;
}

/** Properties of an unknown that determine its coordinate. */
type Transformed = Pick<UnknownSpec, 'transform' | 'range'> & {
  /** Name of the unknown in messages. */
  readonly what: string;
  /** Field that the unknown sets, if known. */
  readonly field?: FieldKey | Field;
};

/**
 * Makes the coordinate of a single unknown. @throws for an unknown transform, an initial value or range that does not
 * suit it, or a scale that is not above 0.
 */
export function coordinateOf(spec: ParameterSpec): Coordinate {
  const what = `The parameter ${spec.name}`;
  const coordinate = transformOf({ ...spec, what });
  refuseStart({ ...spec, what }, spec.initial);
  refusePrior(spec.name, spec.prior);
  refuseLogNormal(spec);
  refuseScale(what, spec.scale);
  return coordinate;
}

/** Checks the length of a natural step. @throws if it is not a positive number. */
function refuseScale(what: string, scale = 1): void {
  if (flawOf(scale, { scalar: 'f32', range: 'positive' }))
    throw new GradsimError('optim/option-out-of-range', `${what} has the scale ${scale}.`, {
      hint: 'It must be a number above 0.',
    });
}

const UNKNOWN_KEYS = {
  name: true,
  field: true,
  elements: true,
  transform: true,
  range: true,
  scale: true,
  unit: true,
  initial: true,
  start: true,
  truth: true,
  prior: true,
};
const PARAMETER_KEYS = { ...UNKNOWN_KEYS, component: true, derivative: true, usual: true };
const ARRAY_KEYS = { ...UNKNOWN_KEYS, components: true, tied: true, window: true, modes: true };

/** Checks the options of a single unknown and returns its name for messages. @throws for unknown options. */
export function checkedParameter(spec: ParameterSpec): string {
  const what = `The parameter ${spec.name}`;
  refuseUnknownOptions<ParameterSpec>(what, spec, PARAMETER_KEYS);
  if (spec.derivative !== undefined) {
    refuseUnknownChoice(`${what}: derivative`, spec.derivative, ['none']);
    if (!spec.range)
      throw new GradsimError(
        'optim/range-missing',
        `${what} has \`derivative: 'none'\` and no \`range\`: by values alone the search goes over a range, so give one.`,
      );
  }
  refuseScale(what, spec.scale);
  return what;
}
/** Checks the options of an array and returns its name for messages. @throws for unknown options. */
export function checkedArray(spec: ArraySpec): string {
  const what = `The array ${spec.name}`;
  refuseUnknownOptions<ArraySpec>(what, spec, ARRAY_KEYS);
  refuseScale(what, spec.scale);
  return what;
}

/** Makes the conversion between value and coordinate. @throws if the range does not suit the transform. */
export function transformOf({ what, transform = 'identity', range }: Transformed): Coordinate {
  if (range && (range.length !== 2 || range.some((end) => flawOf(end, { scalar: 'f32' }))))
    throw new GradsimError('optim/range-wrong', `${what} has the range ${describeValue(range)}.`, {
      hint: 'It must be two finite numbers.',
    });
  if (range && !(range[0] < range[1]))
    throw new GradsimError(
      'optim/range-wrong',
      `${what} has the range ${range[0]} to ${range[1]}; the first must be below the second.`,
    );
  switch (transform) {
    case 'log':
      if (range && range[0] <= 0)
        throw new GradsimError(
          'optim/log-not-positive',
          `${what} is on a log scale, so its values must be above 0, not ${range[0]}.`,
        );
      return { toValue: withKnownKeys(Math.exp, range), toCoordinate: Math.log, derivative: Math.exp, bend: () => 1 };
    case 'bounded': {
      if (!range) throw new GradsimError('optim/range-missing', `${what} is bounded, but has no range.`);
      const [low, high] = range;
      // value = low + (high - low) / (1 + exp(-x))
      const share = (x: number): number => 1 / (1 + Math.exp(-x));
      return {
        toValue: withKnownKeys((x) => low + (high - low) * share(x), range),
        toCoordinate: (v) => Math.log((v - low) / (high - v)),
        derivative: (x) => (high - low) * share(x) * (1 - share(x)),
        bend: (x) => 1 - 2 * share(x),
      };
    }
    case 'identity':
      return { toValue: withKnownKeys((x) => x, range), toCoordinate: (v) => v, derivative: () => 1, bend: () => 0 };
    default:
      throw new GradsimError(
        'optim/unknown-choice',
        `${what} has the transform ${describeValue(transform)}; there are identity, log and bounded.`,
      );
  }
}

/** Clamps converted values to the range, which rounding might exceed. */
const withKnownKeys = (toValue: Coordinate['toValue'], range?: readonly [number, number]): Coordinate['toValue'] =>
  range ? (x) => Math.min(Math.max(toValue(x), range[0]), range[1]) : toValue;

/** Checks a value at which a search starts. @throws if the transform, range or field does not allow it. */
export function refuseStart({ what, transform, range, field }: Transformed, value: number): void {
  const own = typeof field === 'object' && 'scalar' in field ? field : undefined;
  const must = flawOf(value, own ?? { scalar: 'f32' });
  if (must)
    throw new GradsimError('optim/start-outside', `${what} starts at ${value}; ${own?.key ?? 'it'} must ${must}.`);
  if (transform === 'log' && value <= 0)
    throw new GradsimError(
      'optim/log-not-positive',
      `${what} is on a log scale, so its values must be above 0, not ${value}.`,
    );
  if (!range) return;
  const [low, high] = range;
  if (value < low || value > high)
    throw new GradsimError(
      'optim/start-outside',
      `${what} starts at ${value}, which is outside of its range, ${low} to ${high}.`,
    );
  if (transform === 'bounded' && (value === low || value === high))
    throw new GradsimError(
      'optim/start-outside',
      `${what} starts at ${value}, which is not inside of ${low} to ${high}.`,
    );
}

/** Checks a prior. @throws if its mean is not finite or its standard deviation not above 0. */
export function refusePrior(
  name: string,
  prior: (Omit<ScalarPrior, 'mean'> & { readonly mean: number | ArrayLike<number> }) | undefined,
): void {
  if (prior === undefined) return;
  refuseUnknownOptions(`The prior of ${name}`, prior, { mean: true, standardDeviation: true, isLogNormal: true });
  const means = typeof prior.mean === 'number' ? [prior.mean] : Array.from(prior.mean ?? [Number.NaN]);
  if (!(prior.standardDeviation > 0 && means.every(Number.isFinite)))
    throw new GradsimError(
      'optim/option-out-of-range',
      `The prior of ${name} has the standard deviation ${prior.standardDeviation}.`,
      { hint: 'It must be above 0, and the mean a finite number.' },
    );
}

/** @throws for a prior of the logarithm of values that may be negative, or whose mean is. */
function refuseLogNormal({ name, transform, prior }: ParameterSpec): void {
  if (!prior?.isLogNormal || (transform === 'log' && prior.mean > 0)) return;
  throw new GradsimError(
    'optim/option-out-of-range',
    `The prior of ${name} is of its logarithm, with the mean ${prior.mean} and the transform ${transform ?? 'identity'}.`,
    { hint: 'The mean must be above 0, and the transform log.' },
  );
}
