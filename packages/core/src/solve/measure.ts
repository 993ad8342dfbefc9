import type { F32, FieldRef, Kernel, ValueType } from '@gradsim/kernel';
import { abs, f32, kernel, max, pow, select } from '@gradsim/kernel';
import type { Tolerance } from '../model/tolerance.ts';
import { toleranceAt } from '../model/tolerance.ts';

export type WorldNumber = FieldRef<ValueType<F32>, 'world'>;

export interface Measured {
  /** r.M r, and that of the right side. */
  readonly size: WorldNumber;
  readonly scale: WorldNumber;
  /** Remaining residual relative to the tolerance, squared. */
  readonly left: WorldNumber;
}

export interface MeasureOptions {
  /** Tolerated fraction of the right side, or a field of it; by default what the device's precision resolves. */
  readonly tolerance?: Tolerance | WorldNumber;
  /** Factor by which the tolerance is relaxed from a round on. Default 1. */
  readonly enough?: number;
  readonly from?: number;
  /** Round after which the solve stops, whatever the residual. */
  readonly end?: number;
}

/** Measures the remaining residual of a linear solve. */
export function measure(
  name: string,
  { size, scale, left }: Measured,
  { tolerance, enough = 1, from = 0, end }: MeasureOptions,
): Kernel {
  const isField = typeof tolerance === 'object' && 'key' in tolerance;
  const given = isField ? tolerance : scale;
  return kernel(name, { domain: 'world', reads: { size, scale, given }, writes: { left } }, (s, { epsilon, round }) => {
    const fixed = tolerance === undefined || isField ? pow(epsilon, 0.7) : toleranceAt(epsilon, tolerance);
    const allowed = isField ? s.given : fixed;
    const more = from > 0 ? select(round.lt(from), f32(1), enough ** 2) : f32(enough ** 2);
    // If r is rounding only, r.M r may be negative.
    const rest = abs(s.size)
      .div(max(s.scale.mul(allowed).mul(allowed), 1e-37))
      .div(more);
    return { left: end === undefined ? rest : select(round.add(1).ge(end), f32(0), rest) };
  });
}
