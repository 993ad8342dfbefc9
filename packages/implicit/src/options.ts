import type { Tolerance } from '@gradsim/core';
import { describeValue, formatTolerance, GradsimError, isTolerance, refuseUnknownOptions } from '@gradsim/core';

/** Options of {@link implicitSteps}. */
export interface StepOptions {
  /**
   * Order of the error in the length of the substep: 1, backward Euler, or 2, by two solves per substep. Default 1.
   * Order 2 damps oscillations far less, and is more accurate; for systems that only need to hold, order 1 costs half.
   */
  readonly order?: 1 | 2;
  /**
   * Maximum residual of the equation, relative to the momentum: see `newton.ts`. One number for every device or one for
   * each precision; by default what the device's precision can resolve, about { f32: 3e-6, f64: 3e-13 }.
   */
  readonly tolerance?: Tolerance;
  /** Maximum Newton steps per substep. Default 30. */
  readonly newtonSteps?: number;
  /**
   * Maximum number of iterations of conjugate residuals in a linear solve, and of the normal equations after them.
   * Default: by the number of particles, at most 1000.
   */
  readonly products?: number;
}

/** @throws for an unknown option, or an invalid number. */
export function checkOptions(options: StepOptions): void {
  refuseUnknownOptions<StepOptions>('implicitSteps', options, {
    order: true,
    tolerance: true,
    newtonSteps: true,
    products: true,
  });
  const { order, tolerance, newtonSteps, products } = options;
  if (order !== undefined && order !== 1 && order !== 2)
    throw new GradsimError(
      'implicit/option-out-of-range',
      `implicitSteps: order is ${describeValue(order)}; there are steps of order 1 and 2.`,
      { field: 'order' },
    );
  if (tolerance !== undefined && !isTolerance(tolerance, 1))
    throw new GradsimError(
      'implicit/option-out-of-range',
      `implicitSteps: tolerance is ${formatTolerance(tolerance)}; it is a part of the momentum, between 0 and 1.`,
      { field: 'tolerance' },
    );
  for (const [name, value] of Object.entries({ newtonSteps, products }))
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      throw new GradsimError('implicit/option-out-of-range', `implicitSteps: ${name} is ${describeValue(value)}.`, {
        field: name,
        hint: 'It must be a whole number of at least 1.',
      });
}
