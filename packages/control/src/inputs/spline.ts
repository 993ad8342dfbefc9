import type { F32 } from '@gradsim/core';
import { abs, f32, kernel, max, refuseUnknownOptions, select } from '@gradsim/core';
import type { ControllerInput } from './controller-input.ts';
import { refuseCount, refuseNumber } from './controller-input.ts';

export interface SplineInputOptions {
  /** Number of control points, and of numbers of this input, at least 4. */
  readonly count: number;
  /**
   * Time from the start of the run that the curve's `count` - 3 segments cover, s. Later, the last one is extrapolated.
   */
  readonly duration: number;
}

/**
 * Controller input: the values at the current time of `count` uniform cubic B-splines. With a single layer without bias
 * the weights are control points: every output is a curve of time that is twice continuously differentiable, and each
 * control point affects it only over four segments of duration / (count - 3).
 *
 * ```ts
 * const curve = splineInput({ count: 12, duration: 3 });
 * ```
 * Source: C. de Boor, A Practical Guide to Splines, 1978: uniform cubic B-splines.
 *
 * @throws for fewer than 4 control points, and a duration that is not above 0.
 */
export function splineInput(options: SplineInputOptions): ControllerInput {
  refuseUnknownOptions<SplineInputOptions>('splines', options, { count: true, duration: true });
  const { count, duration } = options;
  refuseCount('The count of splines', count, 4);
  refuseNumber('The duration of splines', duration, 'be above 0');
  const stretches = count - 3;
  return {
    add: (model, domain) => {
      model.addDomain(domain, count);
      const basis = kernel(`splinesOf_${domain}`, { domain, writes: { value: f32 } }, (_, { time, element }) => {
        const along = time.mul(stretches / duration);
        // After its end the curve stays where it is.
        const u = select(along.lt(stretches), along, stretches);
        return { value: cubicSpline(u.sub(element.toF32()).add(1)) };
      });
      model.addPass('control', basis);
    },
  };
}

/** Uniform cubic B-spline centred on 0: 2/3 - x^2 + |x|^3 / 2 for |x| < 1, (2 - |x|)^3 / 6 for |x| < 2, else 0. */
function cubicSpline(x: F32): F32 {
  const a = abs(x);
  const near = a
    .mul(0.5)
    .sub(1)
    .mul(a)
    .mul(a)
    .add(2 / 3);
  const rest = max(f32(2).sub(a), 0);
  return select(a.lt(1), near, rest.mul(rest).mul(rest).div(6));
}
