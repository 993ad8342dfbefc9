import type { Node, Primitive, Writer } from '../form/nodes.ts';
import { abs, floor, max, min } from './arithmetic.ts';
import { and, bitsOfF32, bitsToF32, or, shiftRight } from './bits.ts';
import { eq, ge, gt, lt, ne } from './comparison.ts';
import { toF32, toI32 } from './conversion.ts';
import { log } from './exponential.ts';
import {
  bits,
  divideOrZero,
  expNearZero,
  nearest,
  polynomial,
  SMALLEST_NORMAL,
  scaled,
  square,
  wholePart,
  withSignOf,
} from './float-parts.ts';
import { floatFunction } from './primitive.ts';
import { call } from './texts.ts';

export const sqrt: Primitive = floatFunction('sqrt', {
  evaluate: Math.sqrt,
  wgsl: call('sqrt'),
  wasm: 'float.sqrt',
  argumentRanges: [[0, 1e6]],
  // sqrt(x)' = x' / (2 sqrt(x)), and 0 at 0
  derivative: (b, _, y) => [divideOrZero(b, b.mul(b.const(2), y))],
});

/** Writes the leading 12 bits of the mantissa of x as a float: products of two such floats are exact. */
const leadingBits = (b: Writer, x: Node): Node =>
  b.pure(bitsToF32, b.pure(and, b.pure(bitsOfF32, x), bits(b, 0xfffff000)));

const POW_LOG_SERIES = [
  2.0697501302e-1, 2.3066075146e-1, 2.7272811532e-1, 3.3333334327e-1, 4.2857143283e-1, 6.0000002384e-1,
];

/** log2(x) for positive normal x as a sum of two floats, the first of 12 bits. Source: fdlibm's e_powf.c. */
function log2Parts(b: Writer, x: Node): [high: Node, low: Node] {
  const word = b.pure(bitsOfF32, x);
  const fraction = b.pure(and, word, bits(b, 0x7fffff));
  // The mantissa is taken relative to 1 or 3/2, whichever is nearer; above sqrt(3) to the next power of two.
  const isMiddle = b.pure(and, b.pure(gt, fraction, bits(b, 0x1cc471)), b.pure(lt, fraction, bits(b, 0x5db3d7)));
  const isHigh = b.pure(ge, fraction, bits(b, 0x5db3d7));
  const one = b.select(isHigh, bits(b, 0x3f000000), bits(b, 0x3f800000));
  const m = b.pure(bitsToF32, b.pure(or, fraction, one));
  const exponent = b.sub(
    b.pure(toI32, b.pure(shiftRight, word, bits(b, 23))),
    b.select(isHigh, wholePart(b, 126), wholePart(b, 127)),
  );
  const n = b.pure(toF32, exponent);
  const base = b.select(isMiddle, b.const(1.5), b.const(1));
  // s = (m - base) / (m + base), in two parts.
  const u = b.sub(m, base);
  const v = b.div(b.const(1), b.add(m, base));
  const s = b.mul(u, v);
  const sHigh = leadingBits(b, s);
  const sumHigh = leadingBits(b, b.add(m, base));
  const sumLow = b.sub(m, b.sub(sumHigh, base));
  const sLow = b.mul(v, b.sub(b.sub(u, b.mul(sHigh, sumHigh)), b.mul(sHigh, sumLow)));
  // log((1 + s) / (1 - s)) = 2 s + 2/3 s^3 + ..., as 2/3 s (3 + s^2 + r).
  const s2 = square(b, s);
  const r = b.add(b.mul(square(b, s2), polynomial(b, s2, POW_LOG_SERIES)), b.mul(sLow, b.add(sHigh, s)));
  const sHigh2 = square(b, sHigh);
  const tHigh = leadingBits(b, b.add(b.add(b.const(3), sHigh2), r));
  const tLow = b.sub(r, b.sub(b.sub(tHigh, b.const(3)), sHigh2));
  const product = b.mul(sHigh, tHigh);
  const productLow = b.add(b.mul(sLow, tHigh), b.mul(tLow, s));
  const pHigh = leadingBits(b, b.add(product, productLow));
  const pLow = b.sub(productLow, b.sub(pHigh, product));
  // Times 2 / (3 ln 2), and the logarithm of the base added.
  const zHigh = b.mul(b.const(9.619140625e-1), pHigh);
  const baseLow = b.select(isMiddle, b.const(1.56322085e-6), b.const(0));
  const baseHigh = b.select(isMiddle, b.const(5.84960938e-1), b.const(0));
  const zLow = b.add(b.add(b.mul(b.const(-1.1736857402e-4), pHigh), b.mul(pLow, b.const(9.6179670095e-1))), baseLow);
  const high = leadingBits(b, b.add(b.add(b.add(zHigh, zLow), baseHigh), n));
  const low = b.sub(zLow, b.sub(b.sub(b.sub(high, n), baseHigh), zHigh));
  return [high, low];
}

/**
 * x^y = 2^(y log2 |x|) for finite y; for negative x only with integer y, negative where y is odd, and NaN otherwise.
 */
export const pow: Primitive = floatFunction('pow', {
  evaluate: Math.pow,
  inSingle(b, [base, y]) {
    const zero = b.const(0);
    const x = b.pure(abs, base);
    const isZero = b.pure(lt, x, b.const(SMALLEST_NORMAL));
    const [logHigh, logLow] = log2Parts(b, x);
    const yHigh = leadingBits(b, y);
    const low = b.add(b.mul(b.sub(y, yHigh), logHigh), b.mul(y, logLow));
    const high = b.mul(yHigh, logHigh);
    const exponent = b.add(low, high);
    const limited = b.pure(max, b.pure(min, exponent, b.const(129)), b.const(-126));
    const n = nearest(b, limited);
    // Fractional remainder of both parts; zero if the exponent was clamped.
    const isLimited = b.pure(ne, limited, exponent);
    const restHigh = b.select(isLimited, zero, b.sub(high, n));
    const rest = leadingBits(b, b.add(restHigh, b.select(isLimited, zero, low)));
    const restLow = b.sub(low, b.sub(rest, restHigh));
    const z = b.mul(rest, b.const(Math.fround(Math.LN2)));
    const error = b.add(b.mul(restLow, b.const(Math.LN2)), b.mul(rest, b.const(Math.LN2 - Math.fround(Math.LN2))));
    const near = expNearZero(b, b.add(z, b.select(isLimited, zero, error)));
    const value = scaled(b, near, b.pure(toI32, n));
    const positive = b.select(b.pure(lt, exponent, b.const(-126)), zero, value);
    const infinity = b.const(Number.POSITIVE_INFINITY);
    const atZero = b.select(b.pure(lt, y, zero), infinity, zero);
    const atInfinity = b.select(b.pure(lt, y, zero), zero, infinity);
    const inside = b.select(isZero, atZero, b.select(b.pure(eq, x, infinity), atInfinity, positive));
    const half = b.mul(b.const(0.5), y);
    const isWhole = b.pure(eq, b.pure(floor, y), y);
    const isOdd = b.pure(and, isWhole, b.pure(ne, b.pure(floor, half), half));
    const hasPower = b.pure(or, b.pure(or, b.pure(ge, base, zero), isWhole), b.pure(eq, x, infinity));
    const isValid = b.pure(and, hasPower, b.pure(eq, y, y));
    const signed = b.select(isOdd, withSignOf(b, inside, base), inside);
    const result = b.select(isValid, signed, b.const(Number.NaN));
    return b.select(b.pure(eq, y, zero), b.const(1), result);
  },
  simplify(b, { 0: x, 1: y }) {
    if (y.op !== 'const') return null;
    if (y.value === 0) return b.const(1);
    if (y.value === 1) return x;
    if (y.value === 2) return square(b, x);
    if (y.value === 3) return b.mul(square(b, x), x);
    return y.value === 0.5 ? b.pure(sqrt, x) : null;
  },
  argumentRanges: [
    [2 ** -30, 2 ** 30],
    [-4, 4],
  ],
  ulps: 1.2,
  // (x^p)' = p x^(p-1) x' + x^p log(x) p', the second term 0 where x is 0. A negative x has whole powers alone, so where p
  // changes too there is no derivative: not a number. Where p' is 0 the term is still p' times a slope, for those who derive by p'
  derivative: (b, [x, p], y) => [
    (t) => b.mul(t, b.mul(p, b.pure(pow, x, b.sub(p, b.const(1))))),
    (t) => {
      const isZero = b.pure(eq, x, b.const(0));
      const slope = b.mul(y, b.pure(log, b.select(isZero, b.const(1), b.pure(abs, x))));
      const isLost = b.pure(and, b.pure(lt, x, b.const(0)), b.pure(ne, t, b.const(0)));
      return b.select(isLost, b.const(Number.NaN), b.mul(t, slope));
    },
  ],
});
