import type { Primitive, Text } from '../form/nodes.ts';
import type { WasmOperation } from '../form/wasm-operation.ts';
import { alike, primitive } from './primitive.ts';
import { around, call, infix, ranged } from './texts.ts';

const WHOLE = ['i32', 'u32'] as const;

/** Defines an operation that is bitwise for integers and logical for conditions. */
const logic = (
  name: string,
  symbol: string,
  conditions: { readonly javascript: Text; readonly wgsl: Text },
  evaluate: (x: number, y: number) => number,
  wasm: WasmOperation,
  deciding?: 0 | 1,
): Primitive =>
  primitive(name, {
    overloads: [
      ...alike(WHOLE, 2, (type) => ({
        ...ranged(type, evaluate, infix(symbol)),
        wgsl: infix(symbol),
        wasm,
      })),
      ...alike(['bool'], 2, () => ({ evaluate, wasm, ...conditions })),
    ],
    simplify(_, { 0: x, 1: y }) {
      if (deciding === undefined || x.type !== 'bool') return null;
      if (x.op === 'const') return x.value === deciding ? x : y;
      return y.op === 'const' ? (y.value === deciding ? y : x) : null;
    },
    derivative: null,
  });

const both = { javascript: infix('&&'), wgsl: infix('&&') };
export const and = logic('and', '&', both, (x, y) => x & y, 'i32.and', 0);
const either = { javascript: infix('||'), wgsl: infix('||') };
export const or = logic('or', '|', either, (x, y) => x | y, 'i32.or', 1);
const one = { javascript: infix('!=='), wgsl: infix('!=') };
export const xor = logic('xor', '^', one, (x, y) => x ^ y, 'i32.xor');

export const not = primitive('not', {
  overloads: [
    ...alike(WHOLE, 1, (type) => ({
      ...ranged(type, (x) => ~x, around('~')),
      wgsl: around('~'),
      lowering: (b, [x]) => b.pure(xor, x, b.const(-1, type)),
    })),
    ...alike(['bool'], 1, () => ({
      evaluate: (x) => 1 - x,
      javascript: around('!'),
      wgsl: around('!'),
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
  overloads: WHOLE.map((type) => ({
    args: [type, 'u32'],
    result: type,
    ...ranged(type, (x, y) => x << y, infix('<<')),
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
  overloads: alike(['u32'], 1, () => ({
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
