import type { Primitive, Text } from '../form/nodes.ts';
import type { WasmOperation } from '../form/wasm-operation.ts';
import { overloadPerType, primitive } from './primitive.ts';
import { call, infix, rangedText, wrappedIn } from './texts.ts';

const INTEGER_TYPES = ['i32', 'u32'] as const;

/** Defines an operation that is bitwise for integers and logical for conditions. */
const logicPrimitive = (
  name: string,
  symbol: string,
  conditions: { readonly javascript: Text; readonly wgsl: Text },
  evaluate: (x: number, y: number) => number,
  wasm: WasmOperation,
  deciding?: 0 | 1,
): Primitive =>
  primitive(name, {
    overloads: [
      ...overloadPerType(INTEGER_TYPES, 2, (type) => ({
        ...rangedText(type, evaluate, infix(symbol)),
        wgsl: infix(symbol),
        wasm,
      })),
      ...overloadPerType(['bool'], 2, () => ({ evaluate, wasm, ...conditions })),
    ],
    simplify(_, { 0: x, 1: y }) {
      if (deciding === undefined || x.type !== 'bool') return null;
      if (x.op === 'const') return x.value === deciding ? x : y;
      return y.op === 'const' ? (y.value === deciding ? y : x) : null;
    },
    derivative: null,
  });

const andText = { javascript: infix('&&'), wgsl: infix('&&') };
export const and = logicPrimitive('and', '&', andText, (x, y) => x & y, 'i32.and', 0);
const orText = { javascript: infix('||'), wgsl: infix('||') };
export const or = logicPrimitive('or', '|', orText, (x, y) => x | y, 'i32.or', 1);
const xorText = { javascript: infix('!=='), wgsl: infix('!=') };
export const xor = logicPrimitive('xor', '^', xorText, (x, y) => x ^ y, 'i32.xor');

export const not = primitive('not', {
  overloads: [
    ...overloadPerType(INTEGER_TYPES, 1, (type) => ({
      ...rangedText(type, (x) => ~x, wrappedIn('~')),
      wgsl: wrappedIn('~'),
      lowering: (b, [x]) => b.pure(xor, x, b.const(-1, type)),
    })),
    ...overloadPerType(['bool'], 1, () => ({
      evaluate: (x) => 1 - x,
      javascript: wrappedIn('!'),
      wgsl: wrappedIn('!'),
      wasm: 'i32.eqz',
    })),
  ],
  derivative: null,
});

/**
 * Returns the text of a shift by the lowest 5 bits of the second argument: WGSL refuses constants beyond 31, and leaves
 * other shifts beyond 31 undefined.
 */
const shiftText =
  (symbol: string): Text =>
  ([x, y], { args: [, by] }) =>
    `(${x} ${symbol} ${by.op === 'const' ? `${by.value & 31}u` : `(${y} & 31u)`})`;

export const shiftLeft = primitive('shiftLeft', {
  overloads: INTEGER_TYPES.map((type) => ({
    args: [type, 'u32'],
    result: type,
    ...rangedText(type, (x, y) => x << y, infix('<<')),
    wgsl: shiftText('<<'),
    wasm: 'i32.shl',
  })),
  derivative: null,
});
export const shiftRight = primitive('shiftRight', {
  overloads: [
    {
      args: ['i32', 'u32'],
      result: 'i32',
      evaluate: (x, y) => x >> y,
      javascript: infix('>>'),
      wgsl: shiftText('>>'),
      wasm: 'i32.shr_s',
    },
    {
      args: ['u32', 'u32'],
      result: 'u32',
      evaluate: (x, y) => x >>> y,
      javascript: infix('>>>'),
      wgsl: shiftText('>>'),
      wasm: 'i32.shr_u',
    },
  ],
  derivative: null,
});

/** Position of the lowest set bit; 32 for 0. */
export const countTrailingZeros = primitive('countTrailingZeros', {
  overloads: overloadPerType(['u32'], 1, () => ({
    evaluate: (x) => (x === 0 ? 32 : 31 - Math.clz32(x & -x)),
    wgsl: call('countTrailingZeros'),
    wasm: 'i32.ctz',
  })),
  derivative: null,
});

export const bitsOfF32 = primitive('bitsOfF32', {
  overloads: [
    {
      args: ['f32'],
      result: 'u32',
      evaluate: (x) => new Uint32Array(Float32Array.of(x).buffer)[0],
      wgsl: call('bitcast<u32>'),
      wasm: 'bits.of_float',
    },
  ],
  derivative: null,
});
export const bitsToF32 = primitive('bitsToF32', {
  overloads: [
    {
      args: ['u32'],
      result: 'f32',
      evaluate: (x) => new Float32Array(Uint32Array.of(x).buffer)[0],
      wgsl: call('bitcast<f32>'),
      wasm: 'float.of_bits',
    },
  ],
  derivative: null,
});
