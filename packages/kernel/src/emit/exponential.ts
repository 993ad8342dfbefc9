import type { Builder } from '../language/builder.ts';
import type { Node } from '../language/form.ts';
import {
  abs,
  bits,
  nearest,
  polynomial,
  SMALLEST_NORMAL,
  scaled,
  square,
  whole,
  withSignOf,
} from './float-parts.ts';

const EXP_SERIES = [
  1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
];
/** ln 2 in two parts, the first with few bits: whole numbers times it are exact. */
const LN2_HIGH = 0.693359375;
const LN2_LOW = -2.1219444005469057e-4;

/** exp(x) for |x| up to ln(2) / 2. */
const expNearZero = (b: Builder, x: Node): Node =>
  b.add(b.add(b.mul(polynomial(b, x, EXP_SERIES), square(b, x)), x), b.const(1));

/** exp(x) = 2^n exp(x - n ln 2). */
export function exp(b: Builder, x: Node): Node {
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
export function log(b: Builder, x: Node): Node {
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

const TANH_SERIES = [
  -5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1,
];

/** 1 - 2 / (exp(2 a) + 1), and a polynomial where that would lose digits. */
export function tanh(b: Builder, x: Node): Node {
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
export function pow(b: Builder, x: Node, y: Node): Node {
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
