import type { F32, FieldRef, Kernel, ValueType } from '@gradsim/kernel';
import { abs, f32, kernel, max, pow, select } from '@gradsim/kernel';
import type { Tolerance } from '../model/tolerance.ts';
import { toleranceAt } from '../model/tolerance.ts';

export type WorldNumber = FieldRef<ValueType<F32>, 'world'>;

export interface Measured {
  /** r.M r, and that of the right side. */
  readonly size: WorldNumber;
  readonly scale: WorldNumber;
  /** What is left in units of what may be, squared. */
  readonly left: WorldNumber;
}

export interface MeasureOptions {
  /** The part of the right side that may be left, or a field of it; by default what the device's precision can tell. */
  readonly tolerance?: Tolerance | WorldNumber;
  /** So many times that is enough from a round on. Default 1. */
  readonly enough?: number;
  readonly from?: number;
  /** The round of which nothing is left, whatever it comes to. */
  readonly end?: number;
}

/** Measures what a linear solve leaves. */
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
    // Where r is all rounding, r.M r may be below 0.
    const rest = abs(s.size)
      .div(max(s.scale.mul(allowed).mul(allowed), 1e-37))
      .div(more);
    return { left: end === undefined ? rest : select(round.add(1).ge(end), f32(0), rest) };
  });
}
