import type { FieldKey } from '@gradsim/core';
/** How a value moves when an optimiser takes a step: as it is, by factors, or within bounds. */
export type Transform = 'identity' | 'log' | 'bounded';

/** An unknown: one number that goes to one or many places of a field. */
export interface ParameterSpec {
  /** Its name in results. */
  readonly name: string;
  /** The field that it sets: `Body.mass`, or `bodies.mass`. */
  readonly field: FieldKey;
  /** Elements of the field that take the value. Default all. */
  readonly elements?: readonly number[];
  /** Component of the field, for vectors. Default 0. */
  readonly component?: number;
  /** Default `identity`. `log` needs positive values, `bounded` needs `range`. */
  readonly transform?: Transform;
  /** Where starts are drawn from and, for `bounded`, what the value stays within. */
  readonly range?: readonly [number, number];
  readonly initial: number;
  /** Where the search starts when a rougher estimate has been made from `initial` before; default `initial`. */
  readonly start?: number;
  /** A length of one natural step, in transformed coordinates; default 1 for log and bounded, else max(|initial|, 1). */
  readonly scale?: number;
  readonly unit?: string;
  /** The true value where it is known, only for reports. */
  readonly truth?: number;
  /**
   * A value that is known beforehand, with its standard deviation: enters least squares as one more observation.
   */
  readonly prior?: { readonly mean: number; readonly standardDeviation: number };
}

/** A value and its coordinate on the optimiser's side. */
export interface Coordinate {
  readonly toValue: (x: number) => number;
  readonly toCoordinate: (value: number) => number;
  /** d value / d coordinate. */
  readonly derivative: (x: number) => number;
}

/** @throws when the transform is none, the initial value or range does not suit it, or the scale is not above 0. */
export function coordinateOf(spec: ParameterSpec): Coordinate {
  const { name, transform = 'identity', initial, range } = spec;
  if (!Number.isFinite(initial))
    throw new Error(`The parameter ${name} starts at ${initial}; it must be a finite number.`);
  if (range && !(range[0] < range[1]))
    throw new Error(
      `The parameter ${name} has the range ${range[0]} to ${range[1]}; the first must be below the second.`,
    );
  if (range && (initial < range[0] || initial > range[1]))
    throw new Error(
      `The parameter ${name} starts at ${initial}, which is outside of its range, ${range[0]} to ${range[1]}.`,
    );
  if (spec.prior && !(spec.prior.standardDeviation > 0 && Number.isFinite(spec.prior.mean)))
    throw new Error(
      `The prior of ${name} has the standard deviation ${spec.prior.standardDeviation}; it must be above 0, and the mean a finite number.`,
    );
  if (spec.scale !== undefined && !(spec.scale > 0 && Number.isFinite(spec.scale)))
    throw new Error(`The parameter ${name} has the scale ${spec.scale}; it must be a number above 0.`);
  switch (transform) {
    case 'log': {
      const lowest = Math.min(initial, ...(range ?? []));
      if (lowest <= 0)
        throw new Error(
          `The parameter ${name} is on a log scale, so its values must be above 0, not ${lowest}.`,
        );
      return { toValue: Math.exp, toCoordinate: Math.log, derivative: Math.exp };
    }
    case 'bounded': {
      if (!range) throw new Error(`The parameter ${name} is bounded, but has no range.`);
      const [low, high] = range;
      if (initial <= low || initial >= high)
        throw new Error(
          `The parameter ${name} starts at ${initial}, which is not inside of ${low} to ${high}.`,
        );
      // value = low + (high - low) / (1 + exp(-x))
      const share = (x: number): number => 1 / (1 + Math.exp(-x));
      return {
        toValue: (x) => low + (high - low) * share(x),
        toCoordinate: (v) => Math.log((v - low) / (high - v)),
        derivative: (x) => (high - low) * share(x) * (1 - share(x)),
      };
    }
    case 'identity':
      return { toValue: (x) => x, toCoordinate: (v) => v, derivative: () => 1 };
    default:
      throw new Error(
        `The parameter ${name} has the transform ${JSON.stringify(transform)}; there are identity, log and bounded.`,
      );
  }
}
