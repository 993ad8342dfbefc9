import type { F32, FieldRef, Kernel, ValueType } from '@gradsim/kernel';
import { abs, f32, kernel, max, pow, select } from '@gradsim/kernel';
import type { Tolerance } from '../model/tolerance.ts';
import { toleranceAt } from '../model/tolerance.ts';

export type WorldNumber = FieldRef<ValueType<F32>, 'world'>;

export interface MeasuredNumbers {
  /** Squared norms r.M r of the residual, and b.M b of the right side. */
  readonly size: WorldNumber;
  readonly scale: WorldNumber;
  /** Square of the remaining residual divided by the tolerated one: below 1 the system is solved. */
  readonly excessRatio: WorldNumber;
}

export interface MeasureOptions {
  /**
   * Tolerated residual as a fraction of the right side, or a field that holds it. Default: the smallest that the
   * device's precision can resolve.
   */
  readonly tolerance?: Tolerance | WorldNumber;
  /** Factor by which the tolerance is relaxed, and the round from which this applies. Default factor 1. */
  readonly relaxation?: number;
  readonly fromRound?: number;
  /** Maximum number of rounds: after these the solve stops, even if the residual is still above the tolerance. */
  readonly end?: number;
}

/** Creates the kernels that measure the remaining residual of a linear solve. */
export function measure(
  name: string,
  { size, scale, excessRatio }: MeasuredNumbers,
  { tolerance, relaxation = 1, fromRound = 0, end }: MeasureOptions,
): Kernel {
  const isField = typeof tolerance === 'object' && 'key' in tolerance;
  const given = isField ? tolerance : scale;
  return kernel(
    name,
    { domain: 'world', reads: { size, scale, given }, writes: { left: excessRatio } },
    (s, { epsilon, round }) => {
      const fixed = tolerance === undefined || isField ? pow(epsilon, 0.7) : toleranceAt(epsilon, tolerance);
      const allowed = isField ? s.given : fixed;
      const more = fromRound > 0 ? select(round.lt(fromRound), f32(1), relaxation ** 2) : f32(relaxation ** 2);
      // If r is rounding only, r.M r may be negative.
      const rest = abs(s.size)
        .div(max(s.scale.mul(allowed).mul(allowed), 1e-37))
        .div(more);
      return { left: end === undefined ? rest : select(round.add(1).ge(end), f32(0), rest) };
    },
  );
}
