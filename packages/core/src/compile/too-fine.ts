import { GradsimError } from '@gradsim/base';
import type { Precision } from '@gradsim/kernel';
import type { Pass } from '../model/pass.ts';
import { EPSILON, toleranceFor } from '../model/tolerance.ts';

/** Least relative tolerance that the rounding errors of a sum allow, in units of machine epsilon. */
const MIN_TOLERANCE_EPSILONS = 8;
const PRECISION_NAMES: Readonly<Record<Precision, string>> = { f32: 'single', f64: 'double' };

/** @throws for an iteration whose relative tolerance is too small for the precision of the device. */
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
    const [given, least] = [toleranceFor(pass.tolerance, precision), MIN_TOLERANCE_EPSILONS * EPSILON[precision]];
    if (given >= least) continue;
    const advice =
      precision === 'f32'
        ? `, give one for each precision ({ f32: 1e-5, f64: ${given} }), or run on the device f64`
        : '';
    throw new GradsimError(
      'core/tolerance-too-fine',
      `${pass.name}: a tolerance of ${given} is below what the ${PRECISION_NAMES[precision]} precision of this device can tell.`,
      { hint: `Take at least ${least.toPrecision(2)}${advice}.` },
    );
  }
}
