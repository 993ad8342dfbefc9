import type { Primitive } from '../form/nodes.ts';
import type { ScalarType } from '../form/types.ts';
import type { WasmOperation } from '../form/wasm-operation.ts';
import { primitive } from './primitive.ts';
import { infix } from './texts.ts';

const comparison = (
  name: string,
  symbol: { readonly javascript: string; readonly wgsl: string },
  evaluate: (x: number, y: number) => boolean,
  wasm: { readonly [T in ScalarType]?: WasmOperation },
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

export const eq = comparison('eq', { javascript: '===', wgsl: '==' }, (x, y) => x === y, {
  f32: 'float.eq',
  i32: 'i32.eq',
  u32: 'i32.eq',
  bool: 'i32.eq',
});

export const ne = comparison('ne', { javascript: '!==', wgsl: '!=' }, (x, y) => x !== y, {
  f32: 'float.ne',
  i32: 'i32.ne',
  u32: 'i32.ne',
  bool: 'i32.ne',
});

export const lt = comparison('lt', { javascript: '<', wgsl: '<' }, (x, y) => x < y, {
  f32: 'float.lt',
  i32: 'i32.lt_s',
  u32: 'i32.lt_u',
});
export const le = comparison('le', { javascript: '<=', wgsl: '<=' }, (x, y) => x <= y, {
  f32: 'float.le',
  i32: 'i32.le_s',
  u32: 'i32.le_u',
});
export const gt = comparison('gt', { javascript: '>', wgsl: '>' }, (x, y) => x > y, {
  f32: 'float.gt',
  i32: 'i32.gt_s',
  u32: 'i32.gt_u',
});
export const ge = comparison('ge', { javascript: '>=', wgsl: '>=' }, (x, y) => x >= y, {
  f32: 'float.ge',
  i32: 'i32.ge_s',
  u32: 'i32.ge_u',
});
