import type { Primitive, Text } from '../form/nodes.ts';
import type { WasmOperation } from '../form/wasm-operation.ts';
import { primitive } from './primitive.ts';
import { call, wrappedIn } from './texts.ts';

interface From {
  readonly evaluate: (x: number) => number;
  readonly javascript?: Text;
  readonly wasm: WasmOperation;
}
const identity: From = { evaluate: (x) => x, javascript: ([x]) => x, wasm: 'same' };

/** Defines a conversion from values of every type; a conversion from the result's own type is removed. */
const conversion = (
  name: string,
  to: 'f32' | 'i32' | 'u32',
  from: Readonly<Record<'f32' | 'i32' | 'u32', From>>,
): Primitive =>
  primitive(name, {
    overloads: [
      ...(['f32', 'i32', 'u32'] as const).map((type) => ({
        args: [type],
        result: to,
        wgsl: call(to),
        ...from[type],
      })),
      {
        args: ['bool'],
        result: to,
        evaluate: (x) => x,
        javascript: wrappedIn('', ' ? 1 : 0'),
        wgsl: call(to),
        lowering: (b, [x]) => b.select(x, b.const(1, to), b.const(0, to)),
      },
    ],
    simplify: (_, { 0: x }) => (x.type === to ? x : null),
    derivative: null,
  });

export const toF32 = conversion('toF32', 'f32', {
  f32: identity,
  i32: { ...identity, wasm: 'float.of_i32' },
  u32: { ...identity, wasm: 'float.of_u32' },
});

// Floats are truncated; values out of range are clamped, and NaN becomes 0.
export const toI32 = conversion('toI32', 'i32', {
  f32: {
    evaluate: (x) => Math.min(Math.max(x, -2147483648), 2147483647) | 0,
    wasm: 'i32.of_float',
  },
  i32: identity,
  u32: { evaluate: (x) => x | 0, javascript: wrappedIn('', ' | 0'), wasm: 'same' },
});
export const toU32 = conversion('toU32', 'u32', {
  f32: {
    evaluate: (x) => Math.min(Math.max(x, 0), 4294967295) >>> 0,
    wasm: 'u32.of_float',
  },
  i32: { evaluate: (x) => x >>> 0, javascript: wrappedIn('', ' >>> 0'), wasm: 'same' },
  u32: identity,
});
