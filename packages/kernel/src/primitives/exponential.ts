import type { Node, Primitive, Writer } from '../form/nodes.ts';
import { abs, max, min } from './arithmetic.ts';
import { and, bitsOfF32, bitsToF32, or, shiftRight } from './bits.ts';
import { eq, gt, lt } from './comparison.ts';
import { toF32, toI32 } from './conversion.ts';
import {
  bits,
  expNearZero,
  expTail,
  nearest,
  polynomial,
  powerOfTwo,
  SMALLEST_NORMAL,
  scaled,
  square,
  wholePart,
  withSignOf,
} from './float-parts.ts';
import { floatFunction } from './primitive.ts';
import { call } from './texts.ts';

// Source of series: S. Moshier, Cephes Mathematical Library, single precision (expf, logf, sinhf, tanhf). Without
// branches, as in trigonometric.ts. Results of exp below the smallest normal number, 1.18e-38, are 0.

/** High part of ln 2, with few bits, so that integer multiples of it are exact; `LN2_LOW` is the rest. */
const LN2_HIGH = 0.693359375;
/** ln 2 minus `LN2_HIGH`. */
const LN2_LOW = -2.1219444005469057e-4;

/** Splits x into n ln 2 + rest, n the nearest integer to x / ln 2: exp(x) = 2^n exp(rest). */
function powersOfTwo(b: Writer, x: Node): { n: Node; rest: Node } {
  const n = nearest(b, b.mul(x, b.const(Math.LOG2E)));
  return { n, rest: b.sub(b.sub(x, b.mul(n, b.const(LN2_HIGH))), b.mul(n, b.const(LN2_LOW))) };
}

function exponential(b: Writer, x: Node): Node {
  const lowest = Math.log(SMALLEST_NORMAL);
  const limited = b.pure(max, b.pure(min, x, b.const(89)), b.const(lowest));
  const { n, rest } = powersOfTwo(b, limited);
  const value = scaled(b, expNearZero(b, rest), b.pure(toI32, n));
  return b.select(b.pure(lt, x, b.const(lowest)), b.const(0), value);
}

/** Exponential function, e^x. */
export const exp: Primitive = floatFunction('exp', {
  evaluate: Math.exp,
  wgsl: call('exp'),
  inSingle: (b, [x]) => exponential(b, x),
  argumentRanges: [[-87, 88.7]],
  ulps: 1,
  derivative: (b, _, y) => [(t) => b.mul(t, y)],
});

/** exp(x) - 1 as 2^n (exp(rest) - 1 + 1 - 2^-n), accurate near 0; -1 for x below -18. */
export const expm1: Primitive = floatFunction('expm1', {
  evaluate: Math.expm1,
  inSingle(b, [x]) {
    const limited = b.pure(max, b.pure(min, x, b.const(89)), b.const(-18));
    const { n, rest } = powersOfTwo(b, limited);
    const inverse = powerOfTwo(b, b.pure(toI32, b.neg(b.pure(min, n, b.const(126)))));
    const sum = b.add(b.add(expTail(b, rest), rest), b.sub(b.const(1), inverse));
    return scaled(b, sum, b.pure(toI32, n));
  },
  argumentRanges: [[-30, 88.7]],
  ulps: 2,
  derivative: (b, _, y) => [(t) => b.mul(t, b.add(y, b.const(1)))],
});

const LOG_SERIES = [
  7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
  2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
];

/** log(x) for x = 2^e m, m from sqrt(1/2) to sqrt(2), as e ln 2 + log(m). */
function logarithm(b: Writer, x: Node): Node {
  const isTiny = b.pure(lt, x, b.const(SMALLEST_NORMAL));
  const word = b.pure(bitsOfF32, b.select(isTiny, b.mul(x, b.const(2 ** 23)), x));
  const m = b.pure(bitsToF32, b.pure(or, b.pure(and, word, bits(b, 0x7fffff)), bits(b, 0x3f000000)));
  const exponent = b.sub(
    b.pure(toI32, b.pure(shiftRight, word, bits(b, 23))),
    b.select(isTiny, wholePart(b, 149), wholePart(b, 126)),
  );
  const isLow = b.pure(lt, m, b.const(Math.SQRT1_2));
  const e = b.pure(toF32, b.sub(exponent, b.select(isLow, wholePart(b, 1), wholePart(b, 0))));
  const r = b.sub(b.select(isLow, b.add(m, m), m), b.const(1));
  const r2 = square(b, r);
  const tail = b.add(b.mul(b.mul(polynomial(b, r, LOG_SERIES), r), r2), b.mul(e, b.const(LN2_LOW)));
  const value = b.add(b.add(r, b.sub(tail, b.mul(b.const(0.5), r2))), b.mul(e, b.const(LN2_HIGH)));
  const infinity = b.const(Number.POSITIVE_INFINITY);
  const positive = b.select(b.pure(eq, x, infinity), infinity, value);
  const other = b.select(b.pure(eq, x, b.const(0)), b.const(Number.NEGATIVE_INFINITY), b.const(Number.NaN));
  return b.select(b.pure(gt, x, b.const(0)), positive, other);
}

/** Natural logarithm. WGSL specifies no result for 0 and below: there are drivers with log(0) = -88 and log(-1) = 0. */
export const log: Primitive = floatFunction('log', {
  evaluate: Math.log,
  inSingle: (b, [x]) => logarithm(b, x),
  argumentRanges: [[2 ** -126, 2 ** 127]],
  ulps: 0.8,
  derivative: (b, [x]) => [(t) => b.div(t, x)],
});

/**
 * log(1 + x) as log(u) for the rounded u = 1 + x, plus the rounding error of u divided by u. No correction where u is
 * 0, or so large that adding 1 changes nothing.
 */
export const log1p: Primitive = floatFunction('log1p', {
  evaluate: Math.log1p,
  inSingle(b, [x]) {
    const one = b.const(1);
    const u = b.add(one, x);
    const isClose = b.pure(and, b.pure(gt, u, b.const(0)), b.pure(lt, u, b.const(2 ** 24)));
    const lost = b.select(isClose, b.sub(x, b.sub(u, one)), b.const(0));
    return b.add(logarithm(b, u), b.div(lost, b.select(isClose, u, one)));
  },
  argumentRanges: [[-0.999, 2 ** 127]],
  ulps: 2,
  derivative: (b, [x]) => [(t) => b.div(t, b.add(b.const(1), x))],
});

/** exp(a) / 2, finite even where exp(a) overflows. */
function halfExponential(b: Writer, a: Node): Node {
  const { n, rest } = powersOfTwo(b, b.pure(min, a, b.const(90)));
  return scaled(b, expNearZero(b, rest), b.sub(b.pure(toI32, n), wholePart(b, 1)));
}

const SINH_SERIES = [2.03721912945e-4, 8.33028376239e-3, 1.66667160211e-1];

/** sinh(x): for e = exp(|x|) / 2, e - 1 / (4 e) with the sign of x; a polynomial near 0, where that would cancel. */
export const sinh: Primitive = floatFunction('sinh', {
  evaluate: Math.sinh,
  inSingle(b, [x]) {
    const a = b.pure(abs, x);
    const z = square(b, a);
    const near = b.add(b.mul(b.mul(polynomial(b, z, SINH_SERIES), z), a), a);
    const e = halfExponential(b, a);
    const far = b.sub(e, b.div(b.const(0.25), e));
    return withSignOf(b, b.select(b.pure(lt, a, b.const(1)), near, far), x);
  },
  argumentRanges: [[-89, 89]],
  ulps: 2,
  derivative: (b, [x]) => [(t) => b.mul(t, b.pure(cosh, x))],
});

export const cosh: Primitive = floatFunction('cosh', {
  evaluate: Math.cosh,
  inSingle: (b, [x]) => {
    const e = halfExponential(b, b.pure(abs, x));
    return b.add(e, b.div(b.const(0.25), e));
  },
  argumentRanges: [[-89, 89]],
  ulps: 2,
  derivative: (b, [x]) => [(t) => b.mul(t, b.pure(sinh, x))],
});

const TANH_SERIES = [-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1];

/** tanh(x): for a = |x|, 1 - 2 / (exp(2 a) + 1) with the sign of x; a polynomial near 0, where that would cancel. */
export const tanh: Primitive = floatFunction('tanh', {
  evaluate: Math.tanh,
  inSingle(b, [x]) {
    const a = b.pure(abs, x);
    const z = square(b, a);
    const near = b.add(b.mul(b.mul(polynomial(b, z, TANH_SERIES), z), a), a);
    const far = b.sub(b.const(1), b.div(b.const(2), b.add(exponential(b, b.add(a, a)), b.const(1))));
    return withSignOf(b, b.select(b.pure(lt, a, b.const(0.625)), near, far), x);
  },
  argumentRanges: [[-20, 20]],
  ulps: 1.3,
  // tanh' = 4 e / (1 + e)^2 x' with e = exp(-2 |x|): 1 - tanh^2 would keep no digit where the tangent is flat.
  derivative(b, [x]) {
    const e = b.pure(exp, b.mul(b.const(-2), b.pure(abs, x)));
    const sum = b.add(b.const(1), e);
    return [(t) => b.mul(t, b.div(b.mul(b.const(4), e), b.mul(sum, sum)))];
  },
});

/**
 * erf(x) in double precision: 2 / sqrt(pi) exp(-x^2) (x + 2 x^3 / 3 + 4 x^5 / 15 + ...), a series of terms of one sign.
 */
function erfInDoubles(x: number): number {
  if (!(Math.abs(x) < 6)) return Math.sign(x);
  let [term, sum] = [x, 0];
  for (let k = 1; sum + term !== sum; k++) {
    sum += term;
    term *= (2 * x * x) / (2 * k + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

// Fitted to erf(x) / x - 1 for x up to 0.9, and to -log(erfc(x)) from there to 4; relative errors are below 2^-26.
const ERF_SERIES = [
  -6.11129411e-4, 5.0162287845e-3, -2.67819571947e-2, 1.12822299692e-1, -3.76125324458e-1, 1.28379155319e-1,
];
const ERFC_SERIES = [
  -1.98219587e-4, 3.0654896142e-3, -2.23152102376e-2, 1.04113672705e-1, 6.36976090246e-1, 1.12779723837, 1.66448647e-4,
];

/** Error function: x + x p(x^2) for |x| < 0.9, else 1 - exp(-q(|x|)) with the sign of x; p and q are polynomials. */
export const erf: Primitive = floatFunction('erf', {
  evaluate: erfInDoubles,
  inSingle(b, [x]) {
    const a = b.pure(abs, x);
    const near = b.add(b.mul(polynomial(b, square(b, a), ERF_SERIES), a), a);
    const exponent = polynomial(b, b.pure(min, a, b.const(4)), ERFC_SERIES);
    const far = b.sub(b.const(1), exponential(b, b.neg(exponent)));
    return withSignOf(b, b.select(b.pure(lt, a, b.const(0.9)), near, far), x);
  },
  argumentRanges: [[-6, 6]],
  ulps: 2,
  // erf' = 2 / sqrt(pi) exp(-x^2) x'
  derivative: (b, [x]) => [(t) => b.mul(t, b.mul(b.const(2 / Math.sqrt(Math.PI)), b.pure(exp, b.neg(b.mul(x, x)))))],
});
