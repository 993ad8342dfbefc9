import type { Builder } from '../language/builder.ts';
import type { Node, PureOp } from '../language/form.ts';

/** A linear map of scalars: what a tangent or an adjoint goes through. A scalar map is its own transpose. */
type Linear = (t: Node) => Node;

/**
 * The derivative of y = op(x, ...) with respect to each argument, as a linear map; null where there is none.
 * One table serves both modes: forward mode sums the maps of the tangents, reverse mode sends the adjoint of y
 * through each map.
 */
type Rule = (b: Builder, args: readonly Node[], y: Node) => (Linear | null)[];

const one = (b: Builder): Node => b.const(1);
const zero = (b: Builder): Node => b.const(0);
const isZero = (b: Builder, x: Node): Node => b.pure('eq', x, zero(b));

/** t / d, and 0 where d is 0. */
const divideOrZero = (b: Builder, d: Node): Linear => {
  const safe = b.select(isZero(b, d), one(b), d);
  const reciprocal = b.select(isZero(b, d), zero(b), b.div(one(b), safe));
  return (t) => b.mul(t, reciprocal);
};

const rules: Partial<Record<PureOp, Rule>> = {
  // (x + y)' = x' + y'
  add: () => [(t) => t, (t) => t],
  // (x - y)' = x' - y'
  sub: (b) => [(t) => t, (t) => b.neg(t)],
  neg: (b) => [(t) => b.neg(t)],
  // (xy)' = x'y + xy'
  mul: (b, [x, y]) => [(t) => b.mul(t, y), (t) => b.mul(x, t)],
  // (x/y)' = x'/y - (x/y) y'/y
  div: (b, [, y], q) => [(t) => b.div(t, y), (t) => b.neg(b.mul(q, b.div(t, y)))],
  min: (b, [x, y]) => {
    const first = b.pure('le', x, y);
    return [(t) => b.select(first, t, zero(b)), (t) => b.select(first, zero(b), t)];
  },
  max: (b, [x, y]) => {
    const first = b.pure('ge', x, y);
    return [(t) => b.select(first, t, zero(b)), (t) => b.select(first, zero(b), t)];
  },
  // |x|' = sign(x) x', and 0 at 0
  abs: (b, [x]) => [(t) => b.mul(t, b.pure('sign', x))],
  sign: () => [null],
  detach: () => [null],
  floor: () => [null],
  ceil: () => [null],
  // sqrt(x)' = x' / (2 sqrt(x)), and 0 at 0
  sqrt: (b, _, y) => [divideOrZero(b, b.mul(b.const(2), y))],
  exp: (b, _, y) => [(t) => b.mul(t, y)],
  log: (b, [x]) => [(t) => b.div(t, x)],
  sin: (b, [x]) => [(t) => b.mul(t, b.pure('cos', x))],
  cos: (b, [x]) => [(t) => b.neg(b.mul(t, b.pure('sin', x)))],
  // tan' = (1 + tan^2) x'
  tan: (b, _, y) => [(t) => b.mul(t, b.add(one(b), b.mul(y, y)))],
  // asin' = x' / sqrt(1 - x^2), and 0 at -1 and 1
  asin: (b, [x]) => [divideOrZero(b, cosineOf(b, x))],
  acos: (b, [x]) => [(t) => b.neg(divideOrZero(b, cosineOf(b, x))(t))],
  atan: (b, [x]) => [(t) => b.div(t, b.add(one(b), b.mul(x, x)))],
  // atan2(y, x)' = (x y' - y x') / (x^2 + y^2), and 0 at the origin
  atan2: (b, [y, x]) => {
    const over = divideOrZero(b, b.add(b.mul(x, x), b.mul(y, y)));
    return [(t) => over(b.mul(t, x)), (t) => b.neg(over(b.mul(t, y)))];
  },
  // tanh' = (1 - tanh^2) x'
  tanh: (b, _, y) => [(t) => b.mul(t, b.sub(one(b), b.mul(y, y)))],
  // (x^p)' = p x^(p-1) x' + x^p log(x) p', the second term 0 where x is 0
  pow: (b, [x, p], y) => [
    (t) => b.mul(t, b.mul(p, b.pure('pow', x, b.sub(p, one(b))))),
    (t) =>
      b.mul(t, b.select(isZero(b, x), zero(b), b.mul(y, b.pure('log', b.select(isZero(b, x), one(b), x))))),
  ],
  select: (b, [condition]) => [
    null,
    (t) => b.select(condition, t, zero(b)),
    (t) => b.select(condition, zero(b), t),
  ],
  toF32: () => [null],
  bitsToF32: () => [null],
  // (x rem y)' = x' - trunc(x / y) y'
  rem: (b, [x, y], r) => [(t) => t, (t) => b.neg(b.mul(b.div(b.sub(x, r), y), t))],
};

/** sqrt(1 - x^2), 0 outside of [-1, 1]. */
const cosineOf = (b: Builder, x: Node): Node =>
  b.pure('sqrt', b.pure('max', b.sub(one(b), b.mul(x, x)), zero(b)));

/** The derivative maps of a node whose arguments and result are `args` and `y` in builder `b`. */
export function derivativeMaps(b: Builder, op: PureOp, args: readonly Node[], y: Node): (Linear | null)[] {
  const rule = rules[op];
  if (!rule) throw new Error(`kernel ${b.kernelName}: the operation ${op} has no derivative rule.`);
  return rule(b, args, y);
}
