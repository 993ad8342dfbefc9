import { floats, instruction } from '../emit/wasm/instructions.ts';
import { SCALAR, SIMD } from '../emit/wasm/opcodes.ts';
import type { WasmCode } from '../emit/wasm/operands.ts';
import type { ScalarType } from '../language/form.ts';
import type { Primitive } from '../language/primitive.ts';
import { primitive } from './primitive.ts';
import { infix } from './texts.ts';

const comparison = (
  name: string,
  symbol: { readonly javascript: string; readonly wgsl: string },
  evaluate: (x: number, y: number) => boolean,
  wasm: { readonly [T in ScalarType]?: WasmCode },
): Primitive =>
  primitive(name, {
    overloads: (Object.keys(wasm) as ScalarType[]).map((type) => ({
      args: [type, type],
      result: 'bool',
      evaluate: (x, y) => Number(evaluate(x, y)),
      javascript: infix(symbol.javascript),
      wgsl: infix(symbol.wgsl),
      wasm: wasm[type]!,
    })),
    derivative: null,
  });

const equal = instruction(SCALAR.i32Eq, SIMD.i32x4Eq);
export const eq = comparison('eq', { javascript: '===', wgsl: '==' }, (x, y) => x === y, {
  f32: floats('eq'),
  i32: equal,
  u32: equal,
  bool: equal,
});

const different = instruction(SCALAR.i32Ne, SIMD.i32x4Ne);
export const ne = comparison('ne', { javascript: '!==', wgsl: '!=' }, (x, y) => x !== y, {
  f32: floats('ne'),
  i32: different,
  u32: different,
  bool: different,
});

export const lt = comparison('lt', { javascript: '<', wgsl: '<' }, (x, y) => x < y, {
  f32: floats('lt'),
  i32: instruction(SCALAR.i32LtS, SIMD.i32x4LtS),
  u32: instruction(SCALAR.i32LtU, SIMD.i32x4LtU),
});
export const le = comparison('le', { javascript: '<=', wgsl: '<=' }, (x, y) => x <= y, {
  f32: floats('le'),
  i32: instruction(SCALAR.i32LeS, SIMD.i32x4LeS),
  u32: instruction(SCALAR.i32LeU, SIMD.i32x4LeU),
});
export const gt = comparison('gt', { javascript: '>', wgsl: '>' }, (x, y) => x > y, {
  f32: floats('gt'),
  i32: instruction(SCALAR.i32GtS, SIMD.i32x4GtS),
  u32: instruction(SCALAR.i32GtU, SIMD.i32x4GtU),
});
export const ge = comparison('ge', { javascript: '>=', wgsl: '>=' }, (x, y) => x >= y, {
  f32: floats('ge'),
  i32: instruction(SCALAR.i32GeS, SIMD.i32x4GeS),
  u32: instruction(SCALAR.i32GeU, SIMD.i32x4GeU),
});
