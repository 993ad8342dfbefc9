import type { Builder } from '../kernel/builder.ts';
import type { Node, Op } from '../kernel/form.ts';

/**
 * Functions of single precision in terms of arithmetic, for devices that have no instruction for them.
 *
 * Source: S. Moshier, Cephes Mathematical Library, single precision (expf, logf, sinf, tanf, asinf, atanf, tanhf), and
 * Sun's fdlibm (e_powf.c) for pow. Without branches: both sides are computed and one is selected. NaN gives NaN.
 *
 * Largest errors found over dense samples (printed by this file's test), in units of the last place:
 * exp 0.95, log 0.78, sin 0.89, cos 0.93 (both for |x| up to 10000), tan 1.85, asin 1.86, acos 1.10, atan 1.98,
 * atan2 1.94, tanh 1.26, pow 1.10. Results of exp and pow below the smallest normal number, 1.18e-38, are 0.
 */
export const lowering: Partial<Record<Op, (b: Builder, args: readonly Node[]) => Node>> = {
  sign: (b, [x]) => signOf(b, x),
  rem: (b, [x, y]) => remainder(b, x, y),
  exp: (b, [x]) => exp(b, x),
  log: (b, [x]) => log(b, x),
  sin: (b, [x]) => sineFrom(b, x, 0),
  cos: (b, [x]) => sineFrom(b, x, 1),
  tan: (b, [x]) => tan(b, x),
  asin: (b, [x]) => asin(b, x),
  acos: (b, [x]) => acos(b, x),
  atan: (b, [x]) => atan(b, x),
  atan2: (b, [y, x]) => atan2(b, y, x),
  tanh: (b, [x]) => tanh(b, x),
  pow: (b, [x, y]) => pow(b, x, y),
};

const SMALLEST_NORMAL = 2 ** -126;
const SIGN_BIT = 0x80000000;

const whole = (b: Builder, value: number): Node => b.const(value, 'i32');
const bits = (b: Builder, value: number): Node => b.const(value, 'u32');
/** What a constant loses when it becomes a float. */
const lostOf = (value: number): number => value - Math.fround(value);
/** value - x, as if `value` were not rounded. */
const minus = (b: Builder, value: number, x: Node): Node =>
  b.sub(b.const(value), b.sub(x, b.const(lostOf(value))));
const abs = (b: Builder, x: Node): Node => b.pure('abs', x);
const square = (b: Builder, x: Node): Node => b.mul(x, x);
const nearest = (b: Builder, x: Node): Node => b.pure('floor', b.add(x, b.const(0.5)));

/** Horner's scheme, the highest power first. */
const polynomial = (b: Builder, x: Node, coefficients: readonly number[]): Node =>
  coefficients.slice(1).reduce((sum, c) => b.add(b.mul(sum, x), b.const(c)), b.const(coefficients[0]));

/** `magnitude` (not negative) with the sign of `x`. */
const withSignOf = (b: Builder, magnitude: Node, x: Node): Node =>
  b.pure('bitsToF32', b.pure('or', b.pure('bitsOfF32', magnitude), signBit(b, x)));
const signBit = (b: Builder, x: Node): Node => b.pure('and', b.pure('bitsOfF32', x), bits(b, SIGN_BIT));

/** 2^n for whole n of type i32 from -126 to 127. */
const powerOfTwo = (b: Builder, n: Node): Node =>
  b.pure('bitsToF32', b.pure('toU32', b.pure('shiftLeft', b.add(n, whole(b, 127)), bits(b, 23))));

/** x 2^n in two steps, so that n may be from -252 to 254. */
function scaled(b: Builder, x: Node, n: Node): Node {
  const half = b.pure('shiftRight', n, bits(b, 1));
  return b.mul(b.mul(x, powerOfTwo(b, half)), powerOfTwo(b, b.sub(n, half)));
}

function signOf(b: Builder, x: Node): Node {
  const zero = b.const(0);
  return b.select(b.pure('gt', x, zero), b.const(1), b.select(b.pure('lt', x, zero), b.const(-1), x));
}

/** x - y trunc(x / y), brought back into the divisor's range where the quotient was rounded across a whole number. */
function remainder(b: Builder, x: Node, y: Node): Node {
  const [size, of] = [abs(b, x), abs(b, y)];
  const first = b.sub(size, b.mul(of, b.pure('floor', b.div(size, of))));
  const low = b.select(b.pure('lt', first, b.const(0)), b.add(first, of), first);
  const result = b.select(b.pure('ge', low, of), b.sub(low, of), low);
  return b.select(b.pure('lt', x, b.const(0)), b.neg(result), result);
}

const EXP_SERIES = [
  1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
];
/** ln 2 in two parts, the first with few bits: whole numbers times it are exact. */
const LN2_HIGH = 0.693359375;
const LN2_LOW = -2.12194440054690583e-4;

/** exp(x) for |x| up to ln(2) / 2. */
const expNearZero = (b: Builder, x: Node): Node =>
  b.add(b.add(b.mul(polynomial(b, x, EXP_SERIES), square(b, x)), x), b.const(1));

/** exp(x) = 2^n exp(x - n ln 2). */
function exp(b: Builder, x: Node): Node {
  const lowest = Math.log(SMALLEST_NORMAL);
  const limited = b.pure('max', b.pure('min', x, b.const(89)), b.const(lowest));
  const n = nearest(b, b.mul(limited, b.const(Math.LOG2E)));
  const rest = b.sub(b.sub(limited, b.mul(n, b.const(LN2_HIGH))), b.mul(n, b.const(LN2_LOW)));
  const value = scaled(b, expNearZero(b, rest), b.pure('toI32', n));
  return b.select(b.pure('lt', x, b.const(lowest)), b.const(0), value);
}

const LOG_SERIES = [
  7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
  2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
];

/** log(2^e m) = e ln 2 + log(m), m from sqrt(1/2) to sqrt(2). */
function log(b: Builder, x: Node): Node {
  const isTiny = b.pure('lt', x, b.const(SMALLEST_NORMAL));
  const word = b.pure('bitsOfF32', b.select(isTiny, b.mul(x, b.const(2 ** 23)), x));
  const m = b.pure('bitsToF32', b.pure('or', b.pure('and', word, bits(b, 0x7fffff)), bits(b, 0x3f000000)));
  const exponent = b.sub(
    b.pure('toI32', b.pure('shiftRight', word, bits(b, 23))),
    b.select(isTiny, whole(b, 149), whole(b, 126)),
  );
  const isLow = b.pure('lt', m, b.const(Math.SQRT1_2));
  const e = b.pure('toF32', b.sub(exponent, b.select(isLow, whole(b, 1), whole(b, 0))));
  const r = b.sub(b.select(isLow, b.add(m, m), m), b.const(1));
  const r2 = square(b, r);
  const tail = b.add(b.mul(b.mul(polynomial(b, r, LOG_SERIES), r), r2), b.mul(e, b.const(LN2_LOW)));
  const value = b.add(b.add(r, b.sub(tail, b.mul(b.const(0.5), r2))), b.mul(e, b.const(LN2_HIGH)));
  const infinity = b.const(Number.POSITIVE_INFINITY);
  const positive = b.select(b.pure('eq', x, infinity), infinity, value);
  const other = b.select(b.pure('eq', x, b.const(0)), b.const(Number.NEGATIVE_INFINITY), b.const(Number.NaN));
  return b.select(b.pure('gt', x, b.const(0)), positive, other);
}

/**
 * pi / 2 in four parts, the first three of 11 bits, so that up to 8192 quarter turns are taken off exactly.
 */
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

/** x less a whole number of quarter turns: a sum of two floats from -pi/4 to pi/4, and that number. */
function quarterTurns(b: Builder, x: Node): { rest: Node; low: Node; turns: Node } {
  const n = nearest(b, b.mul(x, b.const(2 / Math.PI)));
  const [first, second, third, fourth] = QUARTER_TURN.map((part) => b.mul(n, b.const(part)));
  const exact = b.sub(b.sub(x, first), second);
  const rest = b.sub(exact, third);
  const low = b.sub(b.sub(b.sub(exact, rest), third), fourth);
  return { rest, low, turns: b.pure('toU32', b.pure('toI32', n)) };
}

const SIN_SERIES = [-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1];
const COS_SERIES = [2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2];

/** sin(x + quarters pi / 2). */
function sineFrom(b: Builder, x: Node, quarters: number): Node {
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
  const isOdd = b.pure('ne', b.pure('and', q, bits(b, 1)), bits(b, 0));
  const flip = b.pure('shiftLeft', b.pure('and', q, bits(b, 2)), bits(b, 30));
  return b.pure('bitsToF32', b.pure('xor', b.pure('bitsOfF32', b.select(isOdd, cosine, sine)), flip));
}

const TAN_SERIES = [
  9.38540185543e-3, 3.11992232697e-3, 2.44301354525e-2, 5.34112807005e-2, 1.33387994085e-1, 3.33331568548e-1,
];

function tan(b: Builder, x: Node): Node {
  const { rest, low, turns } = quarterTurns(b, x);
  const z = square(b, rest);
  const tail = b.add(b.mul(b.mul(polynomial(b, z, TAN_SERIES), z), rest), b.add(low, b.mul(low, z)));
  const value = b.add(tail, rest);
  const isOdd = b.pure('ne', b.pure('and', turns, bits(b, 1)), bits(b, 0));
  return b.select(isOdd, b.div(b.const(-1), value), value);
}

const ASIN_SERIES = [4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2, 1.6666752422e-1];

/** asin(a) for a up to 1/2; above, asin(sqrt((1 - a) / 2)), which is half of acos(a). As a sum of s and a small part. */
function asinCore(b: Builder, a: Node): { isLarge: Node; s: Node; tail: Node } {
  const isLarge = b.pure('gt', a, b.const(0.5));
  const z = b.select(isLarge, b.mul(b.const(0.5), b.sub(b.const(1), a)), square(b, a));
  const s = b.select(isLarge, b.pure('sqrt', z), a);
  return { isLarge, s, tail: b.mul(b.mul(polynomial(b, z, ASIN_SERIES), z), s) };
}

function asin(b: Builder, x: Node): Node {
  const { isLarge, s, tail } = asinCore(b, abs(b, x));
  const large = b.sub(
    b.sub(b.const(Math.PI / 2), b.add(s, s)),
    b.sub(b.add(tail, tail), b.const(lostOf(Math.PI / 2))),
  );
  return withSignOf(b, b.select(isLarge, large, b.add(tail, s)), x);
}

function acos(b: Builder, x: Node): Node {
  const { isLarge, s, tail } = asinCore(b, abs(b, x));
  const value = b.add(tail, s);
  const isNegative = b.pure('lt', x, b.const(0));
  const double = b.add(value, value);
  const nearEnds = b.select(isNegative, minus(b, Math.PI, double), double);
  const middle = minus(b, Math.PI / 2, b.select(isNegative, b.neg(value), value));
  return b.select(isLarge, nearEnds, middle);
}

const ATAN_SERIES = [8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1];
const TAN_PI_8 = Math.SQRT2 - 1;

/** `start` + `low` + atan(t), for |t| up to tan(pi / 8). */
function atanFrom(b: Builder, start: Node, low: Node, t: Node): Node {
  const z = square(b, t);
  return b.add(start, b.add(b.add(b.mul(b.mul(polynomial(b, z, ATAN_SERIES), z), t), low), t));
}

/** atan(a) = pi/4 + atan((a - 1) / (a + 1)) = pi/2 - atan(1 / a). */
function atan(b: Builder, x: Node): Node {
  const a = abs(b, x);
  const one = b.const(1);
  const isLarge = b.pure('gt', a, b.const(1 / TAN_PI_8));
  const isMiddle = b.pure('gt', a, b.const(TAN_PI_8));
  const over = b.select(isLarge, b.const(-1), b.select(isMiddle, b.sub(a, one), a));
  const under = b.select(isLarge, a, b.select(isMiddle, b.add(a, one), one));
  const start = (large: number, middle: number): Node =>
    b.select(isLarge, b.const(large), b.select(isMiddle, b.const(middle), b.const(0)));
  const low = start(lostOf(Math.PI / 2), lostOf(Math.PI / 4));
  return withSignOf(b, atanFrom(b, start(Math.PI / 2, Math.PI / 4), low, b.div(over, under)), x);
}

/** The angle from the nearer axis, by octants. 0 at the origin. */
function atan2(b: Builder, y: Node, x: Node): Node {
  const [height, width] = [abs(b, y), abs(b, x)];
  const zero = b.const(0);
  const short = b.pure('min', height, width);
  const long = b.pure('max', height, width);
  const isMiddle = b.pure('ge', short, b.mul(b.const(TAN_PI_8), long));
  const difference = b.select(b.pure('eq', short, long), zero, b.sub(short, long));
  const over = b.select(isMiddle, difference, short);
  const under = b.select(isMiddle, b.add(short, long), long);
  const start = (value: number): Node => b.select(isMiddle, b.const(value), zero);
  const octant = atanFrom(b, start(Math.PI / 4), start(lostOf(Math.PI / 4)), b.div(over, under));
  const near = b.select(b.pure('eq', long, zero), zero, octant);
  const quadrant = b.select(b.pure('gt', height, width), minus(b, Math.PI / 2, near), near);
  const isLeft = b.pure('ne', signBit(b, x), bits(b, 0));
  return withSignOf(b, b.select(isLeft, minus(b, Math.PI, quadrant), quadrant), y);
}

const TANH_SERIES = [
  -5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1,
];

/** 1 - 2 / (exp(2 a) + 1), and a polynomial where that would lose digits. */
function tanh(b: Builder, x: Node): Node {
  const a = abs(b, x);
  const z = square(b, a);
  const near = b.add(b.mul(b.mul(polynomial(b, z, TANH_SERIES), z), a), a);
  const far = b.sub(b.const(1), b.div(b.const(2), b.add(exp(b, b.add(a, a)), b.const(1))));
  return withSignOf(b, b.select(b.pure('lt', a, b.const(0.625)), near, far), x);
}

/** The leading 12 bits of x: products of two such numbers are exact. */
const leading = (b: Builder, x: Node): Node =>
  b.pure('bitsToF32', b.pure('and', b.pure('bitsOfF32', x), bits(b, 0xfffff000)));

const POW_LOG_SERIES = [
  2.0697501302e-1, 2.3066075146e-1, 2.7272811532e-1, 3.3333334327e-1, 4.2857143283e-1, 6.0000002384e-1,
];

/** log2(x) of a positive normal x as a sum of two floats, the first of 12 bits. After fdlibm's e_powf.c. */
function log2Parts(b: Builder, x: Node): [high: Node, low: Node] {
  const word = b.pure('bitsOfF32', x);
  const fraction = b.pure('and', word, bits(b, 0x7fffff));
  // The mantissa is taken relative to 1 or 3/2, whichever is nearer; above sqrt(3) to the next power of two.
  const isMiddle = b.pure(
    'and',
    b.pure('gt', fraction, bits(b, 0x1cc471)),
    b.pure('lt', fraction, bits(b, 0x5db3d7)),
  );
  const isHigh = b.pure('ge', fraction, bits(b, 0x5db3d7));
  const one = b.select(isHigh, bits(b, 0x3f000000), bits(b, 0x3f800000));
  const m = b.pure('bitsToF32', b.pure('or', fraction, one));
  const exponent = b.sub(
    b.pure('toI32', b.pure('shiftRight', word, bits(b, 23))),
    b.select(isHigh, whole(b, 126), whole(b, 127)),
  );
  const n = b.pure('toF32', exponent);
  const base = b.select(isMiddle, b.const(1.5), b.const(1));
  // s = (m - base) / (m + base), in two parts.
  const u = b.sub(m, base);
  const v = b.div(b.const(1), b.add(m, base));
  const s = b.mul(u, v);
  const sHigh = leading(b, s);
  const sumHigh = leading(b, b.add(m, base));
  const sumLow = b.sub(m, b.sub(sumHigh, base));
  const sLow = b.mul(v, b.sub(b.sub(u, b.mul(sHigh, sumHigh)), b.mul(sHigh, sumLow)));
  // log((1 + s) / (1 - s)) = 2 s + 2/3 s^3 + ..., as 2/3 s (3 + s^2 + r).
  const s2 = square(b, s);
  const r = b.add(b.mul(square(b, s2), polynomial(b, s2, POW_LOG_SERIES)), b.mul(sLow, b.add(sHigh, s)));
  const sHigh2 = square(b, sHigh);
  const tHigh = leading(b, b.add(b.add(b.const(3), sHigh2), r));
  const tLow = b.sub(r, b.sub(b.sub(tHigh, b.const(3)), sHigh2));
  const product = b.mul(sHigh, tHigh);
  const productLow = b.add(b.mul(sLow, tHigh), b.mul(tLow, s));
  const pHigh = leading(b, b.add(product, productLow));
  const pLow = b.sub(productLow, b.sub(pHigh, product));
  // Times 2 / (3 ln 2), and the logarithm of the base added.
  const zHigh = b.mul(b.const(9.619140625e-1), pHigh);
  const baseLow = b.select(isMiddle, b.const(1.56322085e-6), b.const(0));
  const baseHigh = b.select(isMiddle, b.const(5.84960938e-1), b.const(0));
  const zLow = b.add(
    b.add(b.mul(b.const(-1.1736857402e-4), pHigh), b.mul(pLow, b.const(9.6179670095e-1))),
    baseLow,
  );
  const high = leading(b, b.add(b.add(b.add(zHigh, zLow), baseHigh), n));
  const low = b.sub(zLow, b.sub(b.sub(b.sub(high, n), baseHigh), zHigh));
  return [high, low];
}

/** x^y = 2^(y log2 x) for x >= 0 and finite y; NaN for negative x. Small whole exponents are products. */
function pow(b: Builder, x: Node, y: Node): Node {
  if (y.op === 'const') {
    if (y.value === 0) return b.const(1);
    if (y.value === 1) return x;
    if (y.value === 2) return square(b, x);
    if (y.value === 3) return b.mul(square(b, x), x);
    if (y.value === 0.5) return b.pure('sqrt', x);
  }
  const zero = b.const(0);
  const isZero = b.pure('lt', x, b.const(SMALLEST_NORMAL));
  const [logHigh, logLow] = log2Parts(b, x);
  const yHigh = leading(b, y);
  const low = b.add(b.mul(b.sub(y, yHigh), logHigh), b.mul(y, logLow));
  const high = b.mul(yHigh, logHigh);
  const exponent = b.add(low, high);
  const limited = b.pure('max', b.pure('min', exponent, b.const(129)), b.const(-126));
  const n = nearest(b, limited);
  // What the whole number leaves of both parts; nothing where the exponent was limited.
  const isLimited = b.pure('ne', limited, exponent);
  const restHigh = b.select(isLimited, zero, b.sub(high, n));
  const rest = leading(b, b.add(restHigh, b.select(isLimited, zero, low)));
  const restLow = b.sub(low, b.sub(rest, restHigh));
  const z = b.mul(rest, b.const(Math.fround(Math.LN2)));
  const error = b.add(
    b.mul(restLow, b.const(Math.LN2)),
    b.mul(rest, b.const(Math.LN2 - Math.fround(Math.LN2))),
  );
  const near = expNearZero(b, b.add(z, b.select(isLimited, zero, error)));
  const value = scaled(b, near, b.pure('toI32', n));
  const positive = b.select(b.pure('lt', exponent, b.const(-126)), zero, value);
  const infinity = b.const(Number.POSITIVE_INFINITY);
  const atZero = b.select(b.pure('lt', y, zero), infinity, zero);
  const atInfinity = b.select(b.pure('lt', y, zero), zero, infinity);
  const inside = b.select(isZero, atZero, b.select(b.pure('eq', x, infinity), atInfinity, positive));
  const isValid = b.pure('and', b.pure('ge', x, zero), b.pure('eq', y, y));
  const result = b.select(isValid, inside, b.const(Number.NaN));
  return b.select(b.pure('eq', y, zero), b.const(1), result);
}
