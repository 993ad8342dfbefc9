import { GradsimError } from '@gradsim/base';
import type { PureNode } from '../../form/nodes.ts';
import type { WasmOperation } from '../../form/wasm-operation.ts';
import { SCALAR, SIMD } from './format/opcodes.ts';
import {
  bounded,
  byPrecision,
  choice,
  division,
  floatOf,
  floats,
  hostCall,
  instruction,
  itself,
  lowestOrHighest,
  shift,
  trailingZeros,
  wholeOf,
} from './instructions.ts';
import type { Operands, WasmCode } from './operands.ts';

const OPERATIONS: Readonly<Record<WasmOperation, WasmCode>> = {
  same: itself,
  'float.eq': floats('eq'),
  'float.ne': floats('ne'),
  'float.lt': floats('lt'),
  'float.gt': floats('gt'),
  'float.le': floats('le'),
  'float.ge': floats('ge'),
  'float.abs': floats('abs'),
  'float.neg': floats('neg'),
  'float.ceil': floats('ceil'),
  'float.floor': floats('floor'),
  'float.sqrt': floats('sqrt'),
  'float.add': floats('add'),
  'float.sub': floats('sub'),
  'float.mul': floats('mul'),
  'float.div': floats('div'),
  'float.min': byPrecision({ f32: bounded('min'), f64: floats('min') }),
  'float.max': byPrecision({ f32: bounded('max'), f64: floats('max') }),
  'float.select': choice(true),
  'float.of_i32': floatOf('floatOfI32'),
  'float.of_u32': floatOf('floatOfU32'),
  'float.of_bits': floatOf('floatOfBits'),
  'i32.of_float': wholeOf('i32OfFloat'),
  'u32.of_float': wholeOf('u32OfFloat'),
  'bits.of_float': wholeOf('bitsOfFloat'),
  'i32.select': choice(false),
  'i32.and': instruction(SCALAR.i32And, SIMD.and),
  'i32.or': instruction(SCALAR.i32Or, SIMD.or),
  'i32.xor': instruction(SCALAR.i32Xor, SIMD.xor),
  'i32.eqz': instruction(SCALAR.i32Eqz, SIMD.not),
  'i32.ctz': trailingZeros,
  'i32.add': instruction(SCALAR.i32Add, SIMD.i32x4Add),
  'i32.sub': instruction(SCALAR.i32Sub, SIMD.i32x4Sub),
  'i32.mul': instruction(SCALAR.i32Mul, SIMD.i32x4Mul),
  'i32.eq': instruction(SCALAR.i32Eq, SIMD.i32x4Eq),
  'i32.ne': instruction(SCALAR.i32Ne, SIMD.i32x4Ne),
  'i32.lt_s': instruction(SCALAR.i32LtS, SIMD.i32x4LtS),
  'i32.lt_u': instruction(SCALAR.i32LtU, SIMD.i32x4LtU),
  'i32.le_s': instruction(SCALAR.i32LeS, SIMD.i32x4LeS),
  'i32.le_u': instruction(SCALAR.i32LeU, SIMD.i32x4LeU),
  'i32.gt_s': instruction(SCALAR.i32GtS, SIMD.i32x4GtS),
  'i32.gt_u': instruction(SCALAR.i32GtU, SIMD.i32x4GtU),
  'i32.ge_s': instruction(SCALAR.i32GeS, SIMD.i32x4GeS),
  'i32.ge_u': instruction(SCALAR.i32GeU, SIMD.i32x4GeU),
  'i32.shl': shift(SCALAR.i32Shl, SIMD.i32x4Shl),
  'i32.shr_s': shift(SCALAR.i32ShrS, SIMD.i32x4ShrS),
  'i32.shr_u': shift(SCALAR.i32ShrU, SIMD.i32x4ShrU),
  'i32.min_s': lowestOrHighest('min', true),
  'i32.min_u': lowestOrHighest('min', false),
  'i32.max_s': lowestOrHighest('max', true),
  'i32.max_u': lowestOrHighest('max', false),
  'i32.div_s': division(true, true),
  'i32.div_u': division(true, false),
  'i32.rem_s': division(false, true),
  'i32.rem_u': division(false, false),
};

/** The code of a node's operation. @throws where the kernel was not bound with what the device needs. */
export function codeOf(o: Operands, { primitive, overload }: PureNode): WasmCode {
  if (overload.wasm) return OPERATIONS[overload.wasm];
  const host = o.hosts.get(overload.called);
  if (host !== undefined) return hostCall(host);
  throw new GradsimError(
    'kernel/no-instruction',
    `WebAssembly has no instruction for ${primitive.name} of ${overload.args[0]}. Bind the kernel with what the device lowers.`,
    { kernel: o.kernelName },
  );
}
