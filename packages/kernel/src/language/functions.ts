import type { Primitive } from '../form/nodes.ts';
import type { ScalarType } from '../form/types.ts';
import * as primitives from '../primitives/index.ts';
import type { Bool, F32, Operand, U32 } from './scalar.ts';
import { currentBuilder, f32, lift, Scalar, typeOf, use, wrap } from './scalar.ts';
import type { Value } from './values.ts';
import { likeValue, scalarsOf } from './values.ts';
import type { Vec } from './vector.ts';
import { dot, Quat } from './vector.ts';

const unary =
  (op: Primitive) =>
  (x: Operand): F32 =>
    wrap(currentBuilder().pure(op, lift(x, 'f32')));

/** Square root. Its derivative at 0 is defined as 0, so that lengths of zero vectors have finite derivatives. */
export const sqrt = unary(primitives.sqrt);
export const exp = unary(primitives.exp);
/** Natural logarithm. */
export const log = unary(primitives.log);
export const sin = unary(primitives.sin);
export const cos = unary(primitives.cos);
export const tan = unary(primitives.tan);
/** Arc sine, in radians; its derivative at -1 and 1 is defined as 0. */
export const asin = unary(primitives.asin);
/** Arc cosine, in radians; its derivative at -1 and 1 is defined as 0. */
export const acos = unary(primitives.acos);
export const atan = unary(primitives.atan);
export const sinh = unary(primitives.sinh);
export const cosh = unary(primitives.cosh);
export const tanh = unary(primitives.tanh);
/** `exp(x) - 1`, accurate near 0. */
export const expm1 = unary(primitives.expm1);
/** `log(1 + x)`, accurate near 0. */
export const log1p = unary(primitives.log1p);
/** The error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x. */
export const erf = unary(primitives.erf);
export const floor = unary(primitives.floor);
export const ceil = unary(primitives.ceil);

/** Angle of the point (x, y), in radians; its derivative at the origin is defined as 0. */
export const atan2 = (y: Operand, x: Operand): F32 =>
  wrap(currentBuilder().pure(primitives.atan2, lift(y, 'f32'), lift(x, 'f32')));
/** `base ** exponent`; NaN for a negative base, unless the exponent is whole. */
export const pow = (base: Operand, exponent: Operand): F32 =>
  wrap(currentBuilder().pure(primitives.pow, lift(base, 'f32'), lift(exponent, 'f32')));

type NumericScalar = Scalar<'f32'> | Scalar<'i32'> | Scalar<'u32'>;
function typed<S extends NumericScalar>(op: Primitive, a: S | number, b?: S | number): S {
  const type = a instanceof Scalar ? typeOf(a) : b instanceof Scalar ? typeOf(b) : 'f32';
  const args = b === undefined ? [lift(a, type)] : [lift(a, type), lift(b, type)];
  return wrap(currentBuilder().pure(op, ...args)) as Scalar as S;
}
/** Absolute value. Derivative: sign(x), 0 at 0. */
export const abs = <S extends NumericScalar>(x: S): S => typed(primitives.abs, x);
/** Sign: -1, 0 or 1. */
export const sign = (x: F32): F32 => typed(primitives.sign, x);
/** Minimum; where both are equal, the derivative is the mean of both. */
export const min = <S extends NumericScalar = F32>(a: S | number, b: S | number): S => typed(primitives.min, a, b);
/** Maximum; where both are equal, the derivative is the mean of both. */
export const max = <S extends NumericScalar = F32>(a: S | number, b: S | number): S => typed(primitives.max, a, b);
export const clamp = <S extends NumericScalar = F32>(x: S, low: S | number, high: S | number): S =>
  min(max(x, low), high);

/** Position of the lowest set bit; 32 for 0. */
export const countTrailingZeros = (x: U32): U32 => wrap(currentBuilder().pure(primitives.countTrailingZeros, use(x)));
/** Reinterprets the 32 bits of an f32 as a u32. The derivative is zero. */
export const bitsOfF32 = (x: F32): U32 => wrap(currentBuilder().pure(primitives.bitsOfF32, use(x)));
export const bitsToF32 = (x: U32): F32 => wrap(currentBuilder().pure(primitives.bitsToF32, use(x)));

/**
 * `yes` where the condition holds, else `no`. Both are computed; the derivative goes to the selected one only. An
 * expression that is infinite or NaN where it is not selected still spoils the derivative: guard its argument
 * (`select(x.gt(0), x, 1)` before a division), or use `when`, which runs one side only.
 */
export function select<V extends Value>(condition: Bool, yes: V | number, no: V | number): V {
  const b = currentBuilder();
  const model = typeof yes === 'number' ? no : yes;
  if (typeof model === 'number')
    return wrap(b.select(lift(condition, 'bool'), lift(yes as number, 'f32'), lift(no as number, 'f32'))) as Value as V;
  const pick = (value: V | number, k: number, type: ScalarType) =>
    lift(typeof value === 'number' ? value : scalarsOf(value)[k], type);
  const parts = scalarsOf(model).map((s, k) =>
    wrap(b.select(lift(condition, 'bool'), pick(yes, k, typeOf(s)), pick(no, k, typeOf(s)))),
  );
  return likeValue(model, parts);
}

/** Euclidean length; 0 with derivative 0 at the zero vector. */
export function norm(v: Vec): F32 {
  return sqrt(dot(v, v));
}

/** `v / |v|`; the zero vector stays zero, with derivative 0. */
export function normalize<N extends 2 | 3 | 4>(v: Vec<N>): Vec<N>;
export function normalize(v: Quat): Quat;
export function normalize(v: Vec | Quat): Vec | Quat {
  const length = v instanceof Quat ? sqrt(v.components.map((c) => c.mul(c)).reduce((s, t) => s.add(t))) : norm(v);
  const isZero = length.eq(0);
  const safe = select(isZero, f32(1), length);
  const factor = select(isZero, f32(0), f32(1).div(safe));
  return v instanceof Quat ? v.scale(factor) : v.mul(factor);
}

/** The value itself, treated as a constant by derivatives. */
export function detach<V extends Value>(value: V): V {
  return likeValue(
    value,
    scalarsOf(value).map((s) => wrap(currentBuilder().pure(primitives.detach, use(s)))),
  );
}

/**
 * The value itself, in the device's precision: `rounded(a.add(b)).sub(a)` is what the sum really gained. Compilers of GPUs
 * may simplify that to b without it. Put it around every operation whose rounding error counts.
 *
 * ```ts
 * const total = rounded(a.add(b));
 * const gained = rounded(total.sub(a));
 * const lost = b.sub(gained); // Where |a| is at least |b|.
 * ```
 */
export function rounded<V extends Value>(value: V): V {
  return likeValue(
    value,
    scalarsOf(value).map((s) => wrap(currentBuilder().pure(primitives.rounded, use(s)))),
  );
}

/**
 * `sum + increment`, compensated: the rounding error of the addition is kept in `compensation` and included in the next one.
 * For states that take thousands of small steps in single precision. Source: W. Kahan, 1965. The compensation has no
 * derivative.
 */
export function addCompensated<V extends Value>(sum: V, compensation: V, increment: V): { sum: V; compensation: V } {
  const b = currentBuilder();
  const carries = scalarsOf(compensation);
  const increments = scalarsOf(increment);
  const parts = scalarsOf(sum).map((s, k) => {
    const x = use(s);
    const y = b.sub(use(increments[k]), b.pure(primitives.detach, use(carries[k])));
    const t = b.add(x, y);
    const gained = b.pure(primitives.rounded, b.sub(b.pure(primitives.rounded, t), x));
    return { sum: t, carry: b.pure(primitives.detach, b.sub(gained, y)) };
  });
  return {
    sum: likeValue(
      sum,
      parts.map((p) => wrap(p.sum)),
    ),
    compensation: likeValue(
      compensation,
      parts.map((p) => wrap(p.carry)),
    ),
  };
}

/** `1 / (1 + exp(-x))`, without overflow on either side. */
export function sigmoid(x: F32): F32 {
  const e = exp(abs(x).neg());
  const small = e.div(e.add(1));
  return select(x.ge(0), f32(1).sub(small), small);
}
