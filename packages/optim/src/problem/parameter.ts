import type { Field, FieldKey } from '@gradsim/core';
import { GradsimError, refuseUnknownChoice, refuseUnknownOptions } from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';

/** Transform of a value to the optimiser's coordinate: none, logarithmic, or bounded. */
export type Transform = 'identity' | 'log' | 'bounded';

/** Common part of single unknowns and arrays. */
interface UnknownSpec {
  /** Its name in results. */
  readonly name: string;
  /** Elements of the field that it sets. Default all. */
  readonly elements?: readonly number[];
  /** Default `identity`. `log` needs positive values, `bounded` needs `range`. */
  readonly transform?: Transform;
  /** Range that its values stay within, and that starts are drawn from. */
  readonly range?: readonly [number, number];
  /** Length of one natural step, in transformed coordinates; default 1 for log and bounded, else max(|initial|, 1). */
  readonly scale?: number;
  readonly unit?: string;
}

/** An unknown: one number that sets one or many places of a field, of a field over time at all times. */
export interface ParameterSpec extends UnknownSpec {
  /** Field that it sets: `Body.mass`, or `bodies.mass`. Without one, {@link TieSpec}s compute fields from it. */
  readonly field?: FieldKey;
  /** Component of the field: required for vectors, 0 for fields of one number. */
  readonly component?: number;
  /**
   * `none`: found by values alone, for an unknown without a derivative, such as a threshold that acts only through
   * comparisons: the search covers its `range`, which is required, and fits the others at each value; one unknown of a
   * problem can be so. Its interval is that of the profile of the loss.
   */
  readonly derivative?: 'none';
  readonly initial: number;
  /** Value at which the search starts if a rougher estimate was made from `initial` before; default `initial`. */
  readonly start?: number;
  /** True value if known, only for reports. */
  readonly truth?: number;
  /** Prior knowledge of the value, with its standard deviation: enters least squares as one more observation. */
  readonly prior?: { readonly mean: number; readonly standardDeviation: number };
}

/**
 * Unknowns by the thousand: every value of a field individually, such as the velocity of each particle or a control at
 * each substep. Its values are [element][component], of a field over time [frame or substep][element][component], of
 * the chosen elements and components; values that are tied, or share a window of time, appear once.
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
  /** Field that it sets: `Body.mass`, or `bodies.mass`. */
  readonly field: FieldKey;
  /** Components of the field, for vectors. Default all. */
  readonly components?: readonly number[];
  /** Axes along which values are shared: all those elements, all those components, or both. Default none. */
  readonly tied?: readonly ('elements' | 'components')[];
  /** Number of consecutive frames or substeps that share a value, for a field over time. Default 1. */
  readonly window?: number;
  /**
   * Modes: the unknowns are then amplitudes, one a mode, and each mode adds its amplitude times these numbers to the
   * field's values, [element][component] of the chosen elements and components. A shape as a few modes of its vertices,
   * say.
   */
  readonly modes?: readonly ArrayLike<number>[];
  /** Initial values: one number for all, or one each. */
  readonly initial: number | ArrayLike<number>;
  /** Values at which the search starts if a rougher estimate was made before; default `initial`. */
  readonly start?: number | ArrayLike<number>;
  /** True values if known, only for reports. */
  readonly truth?: ArrayLike<number>;
  /** Prior knowledge of the values, with the standard deviation of each. */
  readonly prior?: { readonly mean: number | ArrayLike<number>; readonly standardDeviation: number };
}

/** Conversion between a value and the optimiser's coordinate. */
export interface Coordinate {
  readonly toValue: (x: number) => number;
  readonly toCoordinate: (value: number) => number;
  /** d value / d coordinate. */
  readonly derivative: (x: number) => number;
}

/** Data that a coordinate is built from. */
type Transformed = Pick<UnknownSpec, 'transform' | 'range'> & {
  /** Name in messages. */
  readonly what: string;
  /** Field that it sets, if known. */
  readonly field?: FieldKey | Field;
};

/** @throws when the transform is unknown, the initial value or range does not suit it, or the scale is not above 0. */
export function coordinateOf(spec: ParameterSpec): Coordinate {
  const what = `The parameter ${spec.name}`;
  const coordinate = transformOf({ ...spec, what });
  refuseStart({ ...spec, what }, spec.initial);
  refusePrior(spec.name, spec.prior);
  refuseScale(what, spec.scale);
  return coordinate;
}

/** @throws when a natural step has no length. */
function refuseScale(what: string, scale = 1): void {
  if (flawOf(scale, { scalar: 'f32', range: 'positive' }))
    throw new GradsimError('optim/option-out-of-range', `${what} has the scale ${scale}.`, {
      hint: 'It must be a number above 0.',
    });
}

const UNKNOWN = {
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
const PARAMETER = { ...UNKNOWN, component: true, derivative: true };
const ARRAY = { ...UNKNOWN, components: true, tied: true, window: true, modes: true };

/** Name of an unknown in messages. @throws for unknown options. */
export function checkedParameter(spec: ParameterSpec): string {
  const what = `The parameter ${spec.name}`;
  refuseUnknownOptions<ParameterSpec>(what, spec, PARAMETER);
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
/** Name of an array in messages. @throws for unknown options. */
export function checkedArray(spec: ArraySpec): string {
  const what = `The array ${spec.name}`;
  refuseUnknownOptions<ArraySpec>(what, spec, ARRAY);
  refuseScale(what, spec.scale);
  return what;
}

/** @throws when the range does not suit the transform. */
export function transformOf({ what, transform = 'identity', range }: Transformed): Coordinate {
  if (range && (range.length !== 2 || range.some((end) => flawOf(end, { scalar: 'f32' }))))
    throw new GradsimError('optim/range-wrong', `${what} has the range ${JSON.stringify(range)}.`, {
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
      return { toValue: kept(Math.exp, range), toCoordinate: Math.log, derivative: Math.exp };
    case 'bounded': {
      if (!range) throw new GradsimError('optim/range-missing', `${what} is bounded, but has no range.`);
      const [low, high] = range;
      // value = low + (high - low) / (1 + exp(-x))
      const share = (x: number): number => 1 / (1 + Math.exp(-x));
      return {
        toValue: kept((x) => low + (high - low) * share(x), range),
        toCoordinate: (v) => Math.log((v - low) / (high - v)),
        derivative: (x) => (high - low) * share(x) * (1 - share(x)),
      };
    }
    case 'identity':
      return { toValue: kept((x) => x, range), toCoordinate: (v) => v, derivative: () => 1 };
    default:
      throw new GradsimError(
        'optim/unknown-choice',
        `${what} has the transform ${JSON.stringify(transform)}; there are identity, log and bounded.`,
      );
  }
}

/** Clamps values to the range, whatever the rounding at its ends. */
const kept = (toValue: Coordinate['toValue'], range?: readonly [number, number]): Coordinate['toValue'] =>
  range ? (x) => Math.min(Math.max(toValue(x), range[0]), range[1]) : toValue;

/** @throws when a value cannot be where a search starts. */
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

/** @throws for a prior without information. */
export function refusePrior(
  name: string,
  prior: { readonly mean: number | ArrayLike<number>; readonly standardDeviation: number } | undefined,
): void {
  if (prior === undefined) return;
  refuseUnknownOptions(`The prior of ${name}`, prior, { mean: true, standardDeviation: true });
  const means = typeof prior.mean === 'number' ? [prior.mean] : Array.from(prior.mean ?? [Number.NaN]);
  if (!(prior.standardDeviation > 0 && means.every(Number.isFinite)))
    throw new GradsimError(
      'optim/option-out-of-range',
      `The prior of ${name} has the standard deviation ${prior.standardDeviation}.`,
      { hint: 'It must be above 0, and the mean a finite number.' },
    );
}
