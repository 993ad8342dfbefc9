import type { Node, Primitive, Writer } from '../form/nodes.ts';
import { abs, max, min } from './arithmetic.ts';
import { and, bitsOfF32, bitsToF32, shiftLeft, xor } from './bits.ts';
import { eq, ge, gt, lt, ne } from './comparison.ts';
import { toI32, toU32 } from './conversion.ts';
import {
  bits,
  divideOrZero,
  minus,
  nearest,
  polynomial,
  roundingErrorOf,
  signBit,
  square,
  withSignOf,
} from './float-parts.ts';
import { sqrt } from './power.ts';
import { floatFunction } from './primitive.ts';

// Source: S. Moshier, Cephes Mathematical Library, single precision (sinf, tanf, asinf, atanf). Without branches: both
// sides are computed and one is selected. NaN gives NaN.

/** pi / 2 in four parts, the first three of 11 bits, so that up to 8192 quarter turns are subtracted exactly. */
const QUARTER_TURN = splitInParts(Math.PI / 2, 11, 4);

function splitInParts(value: number, width: number, count: number): number[] {
  const parts: number[] = [];
  let rest = value;
  for (let k = 1; k < count; k++) {
    const unit = 2 ** (Math.floor(Math.log2(Math.abs(rest))) - width + 1);
    parts.push(Math.round(rest / unit) * unit);
    rest -= parts[parts.length - 1];
  }
  return [...parts, rest];
}

/** Reduces x by an integer number of quarter turns: returns a sum of two floats from -pi/4 to pi/4, and that number. */
function quarterTurns(b: Writer, x: Node): { rest: Node; low: Node; turns: Node } {
  const n = nearest(b, b.mul(x, b.const(2 / Math.PI)));
  const [first, second, third, fourth] = QUARTER_TURN.map((part) => b.mul(n, b.const(part)));
  const exact = b.sub(b.sub(x, first), second);
  const rest = b.sub(exact, third);
  const low = b.sub(b.sub(b.sub(exact, rest), third), fourth);
  return { rest, low, turns: b.pure(toU32, b.pure(toI32, n)) };
}

const SIN_SERIES = [-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1];
const COS_SERIES = [2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2];

/** Writes sin(x + quarters pi / 2). */
function sineFrom(b: Writer, x: Node, quarters: number): Node {
  const { rest, low, turns } = quarterTurns(b, x);
  const z = square(b, rest);
  const sine = b.add(b.add(b.mul(b.mul(polynomial(b, z, SIN_SERIES), z), rest), low), rest);
  // 1 - z/2 in two parts.
  const half = b.mul(b.const(0.5), z);
  const high = b.sub(b.const(1), half);
  const lost = b.sub(b.sub(b.const(1), high), half);
  const tail = b.add(b.mul(b.mul(polynomial(b, z, COS_SERIES), z), z), b.sub(lost, b.mul(rest, low)));
  const cosine = b.add(high, tail);
  const q = b.add(turns, bits(b, quarters));
  const isOdd = b.pure(ne, b.pure(and, q, bits(b, 1)), bits(b, 0));
  const flip = b.pure(shiftLeft, b.pure(and, q, bits(b, 2)), bits(b, 30));
  return b.pure(bitsToF32, b.pure(xor, b.pure(bitsOfF32, b.select(isOdd, cosine, sine)), flip));
}

export const sin: Primitive = floatFunction('sin', {
  evaluate: Math.sin,
  inSingle: (b, [x]) => sineFrom(b, x, 0),
  argumentRanges: [[-1e4, 1e4]],
  ulps: 0.9,
  derivative: (b, [x]) => [(t) => b.mul(t, b.pure(cos, x))],
});
export const cos: Primitive = floatFunction('cos', {
  evaluate: Math.cos,
  inSingle: (b, [x]) => sineFrom(b, x, 1),
  argumentRanges: [[-1e4, 1e4]],
  ulps: 0.96,
  derivative: (b, [x]) => [(t) => b.neg(b.mul(t, b.pure(sin, x)))],
});

const TAN_SERIES = [
  9.38540185543e-3, 3.11992232697e-3, 2.44301354525e-2, 5.34112807005e-2, 1.33387994085e-1, 3.33331568548e-1,
];

export const tan: Primitive = floatFunction('tan', {
  evaluate: Math.tan,
  inSingle(b, [x]) {
    const { rest, low, turns } = quarterTurns(b, x);
    const z = square(b, rest);
    const tail = b.add(b.mul(b.mul(polynomial(b, z, TAN_SERIES), z), rest), b.add(low, b.mul(low, z)));
    const value = b.add(tail, rest);
    const isOdd = b.pure(ne, b.pure(and, turns, bits(b, 1)), bits(b, 0));
    return b.select(isOdd, b.div(b.const(-1), value), value);
  },
  argumentRanges: [[-1e4, 1e4]],
  ulps: 1.9,
  // tan' = (1 + tan^2) x'
  derivative: (b, _, y) => [(t) => b.mul(t, b.add(b.const(1), b.mul(y, y)))],
});

const ASIN_SERIES = [4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2, 1.6666752422e-1];

/**
 * asin(a) for a up to 1/2; for larger a, asin(sqrt((1 - a) / 2)), which is acos(a) / 2. Returned as the sum of `s` and
 * a small `tail`.
 */
function asinCore(b: Writer, a: Node): { isLarge: Node; s: Node; tail: Node } {
  const isLarge = b.pure(gt, a, b.const(0.5));
  const z = b.select(isLarge, b.mul(b.const(0.5), b.sub(b.const(1), a)), square(b, a));
  const s = b.select(isLarge, b.pure(sqrt, z), a);
  return { isLarge, s, tail: b.mul(b.mul(polynomial(b, z, ASIN_SERIES), z), s) };
}

/** sqrt(1 - x^2), 0 outside of [-1, 1]. */
const cosineOf = (b: Writer, x: Node): Node => b.pure(sqrt, b.pure(max, b.sub(b.const(1), b.mul(x, x)), b.const(0)));

export const asin: Primitive = floatFunction('asin', {
  evaluate: Math.asin,
  inSingle(b, [x]) {
    const { isLarge, s, tail } = asinCore(b, b.pure(abs, x));
    const large = b.sub(
      b.sub(b.const(Math.PI / 2), b.add(s, s)),
      b.sub(b.add(tail, tail), b.const(roundingErrorOf(Math.PI / 2))),
    );
    return withSignOf(b, b.select(isLarge, large, b.add(tail, s)), x);
  },
  argumentRanges: [[-1, 1]],
  ulps: 1.9,
  // asin' = x' / sqrt(1 - x^2), and 0 at -1 and 1
  derivative: (b, [x]) => [divideOrZero(b, cosineOf(b, x))],
});
export const acos: Primitive = floatFunction('acos', {
  evaluate: Math.acos,
  inSingle(b, [x]) {
    const { isLarge, s, tail } = asinCore(b, b.pure(abs, x));
    const value = b.add(tail, s);
    const isNegative = b.pure(lt, x, b.const(0));
    const double = b.add(value, value);
    const nearEnds = b.select(isNegative, minus(b, Math.PI, double), double);
    const middle = minus(b, Math.PI / 2, b.select(isNegative, b.neg(value), value));
    return b.select(isLarge, nearEnds, middle);
  },
  argumentRanges: [[-1, 1]],
  ulps: 1.2,
  derivative: (b, [x]) => [(t) => b.neg(divideOrZero(b, cosineOf(b, x))(t))],
});

const ATAN_SERIES = [8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1];
/** tan(pi / 8): between it and its inverse the arctangent is reduced by pi / 4. */
const TAN_PI_8 = Math.SQRT2 - 1;

/** Writes `start` + `low` + atan(t), for |t| up to tan(pi / 8); `low` is the rounding error of `start`. */
function atanFrom(b: Writer, start: Node, low: Node, t: Node): Node {
  const z = square(b, t);
  return b.add(start, b.add(b.add(b.mul(b.mul(polynomial(b, z, ATAN_SERIES), z), t), low), t));
}

/** Arc tangent by atan(a) = pi/4 + atan((a - 1) / (a + 1)) and atan(a) = pi/2 - atan(1 / a). */
export const atan: Primitive = floatFunction('atan', {
  evaluate: Math.atan,
  inSingle(b, [x]) {
    const a = b.pure(abs, x);
    const one = b.const(1);
    const isLarge = b.pure(gt, a, b.const(1 / TAN_PI_8));
    const isMiddle = b.pure(gt, a, b.const(TAN_PI_8));
    const over = b.select(isLarge, b.const(-1), b.select(isMiddle, b.sub(a, one), a));
    const under = b.select(isLarge, a, b.select(isMiddle, b.add(a, one), one));
    const start = (large: number, middle: number): Node =>
      b.select(isLarge, b.const(large), b.select(isMiddle, b.const(middle), b.const(0)));
    const low = start(roundingErrorOf(Math.PI / 2), roundingErrorOf(Math.PI / 4));
    return withSignOf(b, atanFrom(b, start(Math.PI / 2, Math.PI / 4), low, b.div(over, under)), x);
  },
  argumentRanges: [[-1e30, 1e30]],
  ulps: 2,
  derivative: (b, [x]) => [(t) => b.div(t, b.add(b.const(1), b.mul(x, x)))],
});
/**
 * Angle of the point (x, y): the arc tangent of the smaller over the larger of |x| and |y|, then by octant. 0 at the
 * origin.
 */
export const atan2: Primitive = floatFunction('atan2', {
  evaluate: Math.atan2,
  inSingle(b, [y, x]) {
    const [height, width] = [b.pure(abs, y), b.pure(abs, x)];
    const zero = b.const(0);
    const short = b.pure(min, height, width);
    const long = b.pure(max, height, width);
    const isMiddle = b.pure(ge, short, b.mul(b.const(TAN_PI_8), long));
    const difference = b.select(b.pure(eq, short, long), zero, b.sub(short, long));
    const over = b.select(isMiddle, difference, short);
    const under = b.select(isMiddle, b.add(short, long), long);
    const start = (value: number): Node => b.select(isMiddle, b.const(value), zero);
    const octant = atanFrom(b, start(Math.PI / 4), start(roundingErrorOf(Math.PI / 4)), b.div(over, under));
    const near = b.select(b.pure(eq, long, zero), zero, octant);
    const quadrant = b.select(b.pure(gt, height, width), minus(b, Math.PI / 2, near), near);
    const isLeft = b.pure(ne, signBit(b, x), bits(b, 0));
    return withSignOf(b, b.select(isLeft, minus(b, Math.PI, quadrant), quadrant), y);
  },
  argumentRanges: [
    [-1e6, 1e6],
    [-1e6, 1e6],
  ],
  ulps: 2,
  // atan2(y, x)' = (x y' - y x') / (x^2 + y^2), and 0 at the origin
  derivative: (b, [y, x]) => {
    const over = divideOrZero(b, b.add(b.mul(x, x), b.mul(y, y)));
    return [(t) => over(b.mul(t, x)), (t) => b.neg(over(b.mul(t, y)))];
  },
});
