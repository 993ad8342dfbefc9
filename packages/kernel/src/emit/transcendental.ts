import type { Builder } from '../language/builder.ts';
import type { Node, PureOp } from '../language/form.ts';
import { exp, log, pow, tanh } from './exponential.ts';
import { abs } from './float-parts.ts';
import { acos, asin, atan, atan2, sineFrom, tan } from './trigonometric.ts';

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
export const lowering: Partial<Record<PureOp, (b: Builder, args: readonly Node[]) => Node>> = {
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

/** -1, 0 or 1; 0 keeps its sign. */
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
