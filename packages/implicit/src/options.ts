import type { Tolerance } from '@gradsim/core';
import { formatTolerance, isTolerance, refuseUnknownOptions } from '@gradsim/core';

/** What {@link implicitSteps} is told. */
export interface StepOptions {
  /**
   * Of the error in the length of the substeps: 1, backward Euler, or 2, by two solves a substep. Default 1. What swings
   * is damped far less by 2, and is where it should be sooner; what only is to hold costs half with 1.
   */
  readonly order?: 1 | 2;
  /**
   * How much of the momentum the equation of a step may leave, as a part of it: see `newton.ts`. On every device or for
   * each precision; default what the device's precision can tell, about { f32: 3e-6, f64: 3e-13 }.
   */
  readonly tolerance?: Tolerance;
  /** Newton's steps after which a substep gives up. Default 30. */
  readonly newtonSteps?: number;
  /**
   * Rounds of conjugate residuals in a linear solve, and as many of the normal equations after them. Default by the number
   * of particles, at most 1000.
   */
  readonly products?: number;
}

/** @throws for an option that there is not, or a number that it cannot be. */
export function checkOptions(options: StepOptions): void {
  refuseUnknownOptions<StepOptions>('implicitSteps', options, {
    order: true,
    tolerance: true,
    newtonSteps: true,
    products: true,
  });
  const { order, tolerance, newtonSteps, products } = options;
  if (order !== undefined && order !== 1 && order !== 2)
    throw new Error(`implicitSteps: order is ${order}; there are steps of order 1 and 2.`);
  if (tolerance !== undefined && !isTolerance(tolerance, 1))
    throw new Error(
      `implicitSteps: tolerance is ${formatTolerance(tolerance)}; it is a part of the momentum, between 0 and 1.`,
    );
  for (const [name, value] of Object.entries({ newtonSteps, products }))
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      throw new Error(`implicitSteps: ${name} is ${value}; it must be a whole number of at least 1.`);
}
