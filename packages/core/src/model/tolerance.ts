import type { F32, Precision } from '@gradsim/kernel';
import { f32, select } from '@gradsim/kernel';
import type { Pass } from './pass.ts';

/** Tolerance: one number for every device, or one for devices of single precision and one for those of double. */
export type Tolerance = number | { readonly f32: number; readonly f64: number };

const EPSILON: Readonly<Record<Precision, number>> = { f32: 2 ** -23, f64: 2 ** -52 };
/** Least relative tolerance that rounding lets a sum reach, in units of machine epsilon. */
const ROUNDING = 8;

/** The number for devices of a precision. */
export const toleranceFor = (tolerance: Tolerance, precision: Precision): number =>
  typeof tolerance === 'number' ? tolerance : tolerance[precision];

/**
 * The number for the device that a kernel runs on.
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

/** Whether all its numbers lie above 0 and below an upper bound. */
export const isTolerance = (tolerance: Tolerance, below = Number.POSITIVE_INFINITY): boolean =>
  [toleranceFor(tolerance, 'f32'), toleranceFor(tolerance, 'f64')].every((one) => one > 0 && one < below);

/** A tolerance in messages: `0.001`, `{ f32: 1e-5, f64: 1e-11 }`. */
export const formatTolerance = (tolerance: Tolerance): string =>
  typeof tolerance === 'object' ? `{ f32: ${tolerance.f32}, f64: ${tolerance.f64} }` : String(tolerance);

/** @throws for an iteration whose relative tolerance is below what rounding leaves on devices of this precision. */
export function refuseTooFine(
  passes: readonly Pass[],
  precision: Precision,
  derivative: 'adjoint' | 'tangent' | 'none',
): void {
  for (const pass of passes) {
    if (pass.kind === 'kernel' || pass.kind === 'product') continue;
    refuseTooFine(pass.passes, precision, derivative);
    if (pass.kind === 'block' && derivative !== 'none')
      refuseTooFine(derivative === 'adjoint' ? pass.vjp : pass.jvp, precision, derivative);
    if (pass.kind !== 'iterate' || pass.tolerance === undefined) continue;
    const [given, least] = [toleranceFor(pass.tolerance, precision), ROUNDING * EPSILON[precision]];
    if (given >= least) continue;
    const advice =
      precision === 'f32'
        ? `, give one for each precision ({ f32: 1e-5, f64: ${given} }), or run on the device f64`
        : '';
    throw new Error(
      `${pass.name}: a tolerance of ${given} is below what the ${NAMES[precision]} precision of this device can tell; take at least ${least.toPrecision(2)}${advice}.`,
    );
  }
}

const NAMES: Readonly<Record<Precision, string>> = { f32: 'single', f64: 'double' };
