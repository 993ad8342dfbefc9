import type { Builder } from '../language/builder.ts';
import type { Node } from '../language/form.ts';

export const SMALLEST_NORMAL = 2 ** -126;
export const SIGN_BIT = 0x80000000;

export const whole = (b: Builder, value: number): Node => b.const(value, 'i32');
export const bits = (b: Builder, value: number): Node => b.const(value, 'u32');
/** What a constant loses when it becomes a float. */
export const lostOf = (value: number): number => value - Math.fround(value);
/** value - x, as if `value` were not rounded. */
export const minus = (b: Builder, value: number, x: Node): Node =>
  b.sub(b.const(value), b.sub(x, b.const(lostOf(value))));
export const abs = (b: Builder, x: Node): Node => b.pure('abs', x);
export const square = (b: Builder, x: Node): Node => b.mul(x, x);
export const nearest = (b: Builder, x: Node): Node => b.pure('floor', b.add(x, b.const(0.5)));

/** Horner's scheme, the highest power first. */
export const polynomial = (b: Builder, x: Node, coefficients: readonly number[]): Node =>
  coefficients.slice(1).reduce((sum, c) => b.add(b.mul(sum, x), b.const(c)), b.const(coefficients[0]));

/** `magnitude` (not negative) with the sign of `x`. */
export const withSignOf = (b: Builder, magnitude: Node, x: Node): Node =>
  b.pure('bitsToF32', b.pure('or', b.pure('bitsOfF32', magnitude), signBit(b, x)));
export const signBit = (b: Builder, x: Node): Node =>
  b.pure('and', b.pure('bitsOfF32', x), bits(b, SIGN_BIT));

/** 2^n for whole n of type i32 from -126 to 127. */
export const powerOfTwo = (b: Builder, n: Node): Node =>
  b.pure('bitsToF32', b.pure('toU32', b.pure('shiftLeft', b.add(n, whole(b, 127)), bits(b, 23))));

/** x 2^n in two steps, so that n may be from -252 to 254. */
export function scaled(b: Builder, x: Node, n: Node): Node {
  const half = b.pure('shiftRight', n, bits(b, 1));
  return b.mul(b.mul(x, powerOfTwo(b, half)), powerOfTwo(b, b.sub(n, half)));
}
