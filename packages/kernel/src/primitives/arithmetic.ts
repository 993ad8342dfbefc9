import type { Node, OverloadSpec, Primitive, Text, Writer } from '../form/nodes.ts';
import { ge, gt, lt } from './comparison.ts';
import { argumentsOf, floatFunction, isConst, overloadPerType, primitive } from './primitive.ts';
import { call, infix, rangedText, unwrapped, wrappedIn } from './texts.ts';

const NUMBER_TYPES = ['f32', 'i32', 'u32'] as const;
const INTEGER_TYPES = ['i32', 'u32'] as const;

const zero = (b: Writer): Node => b.const(0);

/** Returns the suffix of WebAssembly's integer instructions for a type: `s` if signed, `u` if not. */
const signOf = (type: 'i32' | 'u32') => (type === 'i32' ? 's' : 'u');

const negated = (node: Node): readonly Node[] | null => argumentsOf(node, neg);

export const add: Primitive = primitive('add', {
  overloads: overloadPerType(NUMBER_TYPES, 2, (type) => ({
    ...rangedText(type, (x, y) => x + y, infix('+')),
    wgsl: infix('+'),
    binds: type === 'f32' ? 'sum' : undefined,
    wasm: type === 'f32' ? 'float.add' : 'i32.add',
  })),
  simplify(b, { 0: x, 1: y }) {
    if (isConst(x, 0)) return y;
    if (isConst(y, 0)) return x;
    const v = negated(y);
    if (v) return b.sub(x, v[0]);
    const u = negated(x);
    return u && b.sub(y, u[0]);
  },
  // (x + y)' = x' + y'
  derivative: () => [(t) => t, (t) => t],
});

export const sub: Primitive = primitive('sub', {
  overloads: overloadPerType(NUMBER_TYPES, 2, (type) => ({
    ...rangedText(type, (x, y) => x - y, infix('-')),
    wgsl: infix('-'),
    binds: type === 'f32' ? 'sum' : undefined,
    wasm: type === 'f32' ? 'float.sub' : 'i32.sub',
  })),
  simplify(b, { 0: x, 1: y }) {
    if (isConst(y, 0)) return x;
    if (isConst(x, 0) && x.type === 'f32') return b.neg(y);
    // As `x * 0`, see `mul`.
    if (x === y && x.type === 'f32') return b.const(0);
    const v = negated(y);
    return v && b.add(x, v[0]);
  },
  // (x - y)' = x' - y'
  derivative: (b) => [(t) => t, (t) => b.neg(t)],
});

/**
 * The argument itself, as the device's precision has it. Compilers of GPUs may take `(a + b) - a` for b and contract
 * `a * b - c`: around this they rearrange nothing, so that rounding errors can be computed.
 */
export const rounded: Primitive = primitive('rounded', {
  overloads: overloadPerType(['f32'], 1, () => ({
    evaluate: (x) => x,
    javascript: ([x]) => x,
    // No compiler knows that an arena has elements, and so none that the mask is 0.
    wgsl: ([x]) => `bitcast<f32>(bitcast<u32>(${unwrapped(x)}) ^ u32(arrayLength(&floats) == 0u))`,
    wasm: 'same',
  })),
  derivative: () => [(t) => t],
});

export const neg: Primitive = primitive('neg', {
  overloads: [
    ...overloadPerType(['f32'], 1, () => ({
      evaluate: (x) => -x,
      javascript: wrappedIn('-'),
      wgsl: wrappedIn('-'),
      wasm: 'float.neg',
    })),
    ...overloadPerType(INTEGER_TYPES, 1, (type) => ({
      ...rangedText(type, (x) => -x, wrappedIn('-')),
      wgsl: wrappedIn(type === 'u32' ? '0u - ' : '-'),
      lowering: (b, [x]) => b.sub(b.const(0, type), x),
    })),
  ],
  simplify(b, { 0: x }) {
    const u = negated(x);
    if (u) return u[0];
    const difference = argumentsOf(x, sub);
    return difference && b.sub(difference[1], difference[0]);
  },
  derivative: (b) => [(t) => b.neg(t)],
});

/**
 * Product. `x * 0` folds to 0, which differs from IEEE only where x is infinite or NaN; derivatives are full of such
 * terms.
 */
export const mul: Primitive = primitive('mul', {
  overloads: overloadPerType(NUMBER_TYPES, 2, (type) => ({
    ...(type === 'f32'
      ? { evaluate: (x, y) => x * y, javascript: infix('*') }
      : rangedText(type, Math.imul, call('Math.imul'))),
    wgsl: infix('*'),
    binds: type === 'f32' ? 'product' : undefined,
    wasm: type === 'f32' ? 'float.mul' : 'i32.mul',
  })),
  simplify(b, { 0: x, 1: y }) {
    if (isConst(x, 0) || isConst(y, 1)) return x;
    if (isConst(y, 0) || isConst(x, 1)) return y;
    if (isConst(x, -1)) return b.neg(y);
    if (isConst(y, -1)) return b.neg(x);
    const u = negated(x);
    const v = negated(y);
    if (u && v) return b.mul(u[0], v[0]);
    if (u) return b.neg(b.mul(u[0], y));
    return v && b.neg(b.mul(x, v[0]));
  },
  // (xy)' = x'y + xy'
  derivative: (b, [x, y]) => [(t) => b.mul(t, y), (t) => b.mul(x, t)],
});

const divisionText =
  (symbol: string): Text =>
  ([x, y], { type, args: [, divisor] }) => {
    const none = type === 'u32' ? '0u' : '0i';
    const quotient = `(${x} ${symbol} ${y})`;
    if (divisor.op === 'const') return divisor.value === 0 ? none : quotient;
    return `select(${unwrapped(quotient)}, ${none}, ${y} == ${none})`;
  };

/** Overloads of the integer quotient or remainder; the result is 0 where the divisor is 0, on every device. */
const wholeDivision = (
  symbol: string,
  wasm: 'div' | 'rem',
  evaluate: (x: number, y: number) => number,
): OverloadSpec[] =>
  overloadPerType(INTEGER_TYPES, 2, (type) => ({
    ...rangedText(type, evaluate, infix(symbol)),
    wgsl: divisionText(symbol),
    wasm: `i32.${wasm}_${signOf(type)}`,
  }));

export const div: Primitive = primitive('div', {
  overloads: [
    ...overloadPerType(['f32'], 2, () => ({
      evaluate: (x, y) => x / y,
      javascript: infix('/'),
      wgsl: infix('/'),
      binds: 'product',
      wasm: 'float.div',
    })),
    ...wholeDivision('/', 'div', (x, y) => x / y),
  ],
  simplify(b, { 0: x, 1: y }) {
    if (isConst(y, 1) || isConst(x, 0)) return x;
    const u = negated(x);
    return u && b.neg(b.div(u[0], y));
  },
  // (x/y)' = x'/y - (x/y) y'/y
  derivative: (b, [, y], q) => [(t) => b.div(t, y), (t) => b.neg(b.mul(q, b.div(t, y)))],
  argumentRanges: [
    [-3, 3],
    [0.5, 3],
  ],
});

/**
 * Writes x - y trunc(x / y) with the sign of x. Rounding of the quotient may leave the result outside of [0, |y|),
 * which is corrected.
 */
function remainder(b: Writer, [x, y]: readonly Node[]): Node {
  const [size, of] = [b.pure(abs, x), b.pure(abs, y)];
  const first = b.sub(size, b.mul(of, b.pure(floor, b.div(size, of))));
  const low = b.select(b.pure(lt, first, zero(b)), b.add(first, of), first);
  const result = b.select(b.pure(ge, low, of), b.sub(low, of), low);
  return b.select(b.pure(lt, x, zero(b)), b.neg(result), result);
}

export const rem: Primitive = primitive('rem', {
  overloads: [
    ...overloadPerType(['f32'], 2, () => ({
      evaluate: (x, y) => x % y,
      javascript: infix('%'),
      inSingle: remainder,
    })),
    ...wholeDivision('%', 'rem', (x, y) => x % y),
  ],
  // (x rem y)' = x' - trunc(x / y) y'
  derivative: (b, [x, y], r) => [(t) => t, (t) => b.neg(b.mul(b.div(b.sub(x, r), y), t))],
  argumentRanges: [
    [-3, 3],
    [0.5, 2],
  ],
});

/**
 * Defines a minimum or maximum. Where both are equal, the derivative is the mean of both: as that of |x| at 0, it is
 * linear, so that `max(x, 0) - max(-x, 0)`, which is x, has derivative 1 at 0. Doubles use the host's Math, also for two
 * zeros.
 */
const minOrMax = (name: 'min' | 'max', isBeyond: Primitive): Primitive =>
  primitive(name, {
    overloads: overloadPerType(NUMBER_TYPES, 2, (type) => ({
      evaluate: Math[name],
      javascript: call(`Math.${name}`),
      wgsl: call(name),
      wasm: type === 'f32' ? `float.${name}` : `i32.${name}_${signOf(type)}`,
    })),
    derivative: (b, [x, y]) => {
      const [isFirst, isSecond] = [b.pure(isBeyond, x, y), b.pure(isBeyond, y, x)];
      const half = (t: Node): Node => b.mul(t, b.const(0.5));
      return [
        (t) => b.select(isFirst, t, b.select(isSecond, zero(b), half(t))),
        (t) => b.select(isSecond, t, b.select(isFirst, zero(b), half(t))),
      ];
    },
  });
export const min = minOrMax('min', lt);
export const max = minOrMax('max', gt);

export const abs: Primitive = primitive('abs', {
  overloads: [
    ...overloadPerType(['f32', 'u32'], 1, (type) => ({
      evaluate: Math.abs,
      wgsl: call('abs'),
      wasm: type === 'f32' ? 'float.abs' : 'same',
    })),
    ...overloadPerType(['i32'], 1, (type) => ({
      ...rangedText(type, Math.abs, call('Math.abs')),
      wgsl: call('abs'),
      lowering: (b, [x]) => b.select(b.pure(lt, x, b.const(0, type)), b.neg(x), x),
    })),
  ],
  // |x|' = sign(x) x', and 0 at 0
  derivative: (b, [x]) => [(t) => b.mul(t, b.pure(sign, x))],
});

/** Sign: -1, 0 or 1; 0 keeps its sign. */
export const sign: Primitive = primitive('sign', {
  overloads: overloadPerType(['f32', 'i32'], 1, (type) => ({
    evaluate: Math.sign,
    wgsl: call('sign'),
    lowering(b, [x]) {
      const [zero, one, minusOne] = [0, 1, -1].map((value) => b.const(value, type));
      return b.select(b.pure(gt, x, zero), one, b.select(b.pure(lt, x, zero), minusOne, x));
    },
  })),
  derivative: null,
});

export const floor: Primitive = floatFunction('floor', {
  evaluate: Math.floor,
  wgsl: call('floor'),
  wasm: 'float.floor',
  derivative: null,
});
export const ceil: Primitive = floatFunction('ceil', {
  evaluate: Math.ceil,
  wgsl: call('ceil'),
  wasm: 'float.ceil',
  derivative: null,
});
