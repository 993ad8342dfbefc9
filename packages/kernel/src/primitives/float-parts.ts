import type { Linear, Node, Writer } from '../form/nodes.ts';
import { floor } from './arithmetic.ts';
import { and, bitsOfF32, bitsToF32, or, shiftLeft, shiftRight } from './bits.ts';
import { eq } from './comparison.ts';
import { toU32 } from './conversion.ts';

/** Smallest positive normal number of single precision. */
export const SMALLEST_NORMAL = 2 ** -126;

export const wholePart = (b: Writer, value: number): Node => b.const(value, 'i32');
export const bits = (b: Writer, value: number): Node => b.const(value, 'u32');
/** Returns the rounding error of a constant in single precision. */
export const roundingErrorOf = (value: number): number => value - Math.fround(value);
/** Writes value - x with the rounding error of `value` in single precision compensated. */
export const minus = (b: Writer, value: number, x: Node): Node =>
  b.sub(b.const(value), b.sub(x, b.const(roundingErrorOf(value))));
export const square = (b: Writer, x: Node): Node => b.mul(x, x);
export const nearest = (b: Writer, x: Node): Node => b.pure(floor, b.add(x, b.const(0.5)));

/** Evaluates a polynomial by Horner's scheme, the highest power first. */
export const polynomial = (b: Writer, x: Node, coefficients: readonly number[]): Node =>
  coefficients.slice(1).reduce((sum, c) => b.add(b.mul(sum, x), b.const(c)), b.const(coefficients[0]));

/** `magnitude` (not negative) with the sign of `x`. */
export const withSignOf = (b: Writer, magnitude: Node, x: Node): Node =>
  b.pure(bitsToF32, b.pure(or, b.pure(bitsOfF32, magnitude), signBit(b, x)));
export const signBit = (b: Writer, x: Node): Node => b.pure(and, b.pure(bitsOfF32, x), bits(b, 0x80000000));

/** 2^n for whole n of type i32 from -126 to 127. */
export const powerOfTwo = (b: Writer, n: Node): Node =>
  b.pure(bitsToF32, b.pure(toU32, b.pure(shiftLeft, b.add(n, wholePart(b, 127)), bits(b, 23))));

/** x 2^n in two steps, so that n may be from -252 to 254. */
export function scaled(b: Writer, x: Node, n: Node): Node {
  const half = b.pure(shiftRight, n, bits(b, 1));
  return b.mul(b.mul(x, powerOfTwo(b, half)), powerOfTwo(b, b.sub(n, half)));
}

const EXP_SERIES = [1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1];
/** exp(x) - 1 - x for |x| up to ln(2) / 2. */
export const expTail = (b: Writer, x: Node): Node => b.mul(polynomial(b, x, EXP_SERIES), square(b, x));
export const expNearZero = (b: Writer, x: Node): Node => b.add(b.add(expTail(b, x), x), b.const(1));

/** Writes t / d, or 0 where d is 0. */
export const divideOrZero = (b: Writer, d: Node): Linear => {
  const isZero = b.pure(eq, d, b.const(0));
  const safe = b.select(isZero, b.const(1), d);
  const reciprocal = b.select(isZero, b.const(0), b.div(b.const(1), safe));
  return (t) => b.mul(t, reciprocal);
};
