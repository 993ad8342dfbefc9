import { describeValue } from '@gradsim/base';
import type { F32, Precision } from '@gradsim/kernel';
import { f32, select } from '@gradsim/kernel';

/** A tolerance: one number for every device, or one each for single and double precision. */
export type Tolerance = number | { readonly f32: number; readonly f64: number };

/** Machine epsilon of each precision. */
export const EPSILON: Readonly<Record<Precision, number>> = { f32: 2 ** -23, f64: 2 ** -52 };

/** Returns the tolerance for devices of a given precision. */
export const toleranceFor = (tolerance: Tolerance, precision: Precision): number =>
  typeof tolerance === 'number' ? tolerance : tolerance[precision];

/**
 * Returns the tolerance for the device on which a kernel runs, as a traced value.
 *
 * ```ts
 * ({ size }, { epsilon }) => ({ left: size.div(toleranceAt(epsilon, { f32: 1e-5, f64: 1e-11 })) })
 * ```
 * @param epsilon machine epsilon of that device, from the kernel's surroundings.
 */
export function toleranceAt(epsilon: F32, tolerance: Tolerance): F32 {
  const [single, double] = [toleranceFor(tolerance, 'f32'), toleranceFor(tolerance, 'f64')];
  return single === double
    ? f32(single)
    : select(epsilon.gt(Math.sqrt(EPSILON.f32 * EPSILON.f64)), f32(single), double);
}

/** Returns whether all numbers of a tolerance lie above 0 and below an upper bound. */
export const isTolerance = (tolerance: Tolerance, upperBound = Number.POSITIVE_INFINITY): boolean =>
  (typeof tolerance === 'number' || (typeof tolerance === 'object' && tolerance !== null)) &&
  [toleranceFor(tolerance, 'f32'), toleranceFor(tolerance, 'f64')].every(
    (one) => typeof one === 'number' && one > 0 && one < upperBound,
  );

/** Formats a tolerance for messages: `0.001`, `{ f32: 1e-5, f64: 1e-11 }`. */
export const formatTolerance = (tolerance: Tolerance): string => describeValue(tolerance);
