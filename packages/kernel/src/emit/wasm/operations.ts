import { GradsimError } from '@gradsim/base';
import type { PureNode } from '../../form/nodes.ts';
import type { WasmOperation } from '../../form/wasm-operation.ts';
import { SCALAR_OPCODES, SIMD_OPCODES } from './format/opcodes.ts';
import {
  argumentItself,
  bounded,
  byPrecision,
  choice,
  division,
  floatOf,
  floats,
  hostCall,
  instruction,
  lowestOrHighest,
  shift,
  trailingZeros,
  wholeOf,
} from './instructions.ts';
import type { Operands, WasmCode } from './operands.ts';

const OPERATIONS: Readonly<Record<WasmOperation, WasmCode>> = {
  same: argumentItself,
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
  'i32.and': instruction(SCALAR_OPCODES.i32And, SIMD_OPCODES.and),
  'i32.or': instruction(SCALAR_OPCODES.i32Or, SIMD_OPCODES.or),
  'i32.xor': instruction(SCALAR_OPCODES.i32Xor, SIMD_OPCODES.xor),
  'i32.eqz': instruction(SCALAR_OPCODES.i32Eqz, SIMD_OPCODES.not),
  'i32.ctz': trailingZeros,
  'i32.add': instruction(SCALAR_OPCODES.i32Add, SIMD_OPCODES.i32x4Add),
  'i32.sub': instruction(SCALAR_OPCODES.i32Sub, SIMD_OPCODES.i32x4Sub),
  'i32.mul': instruction(SCALAR_OPCODES.i32Mul, SIMD_OPCODES.i32x4Mul),
  'i32.eq': instruction(SCALAR_OPCODES.i32Eq, SIMD_OPCODES.i32x4Eq),
  'i32.ne': instruction(SCALAR_OPCODES.i32Ne, SIMD_OPCODES.i32x4Ne),
  'i32.lt_s': instruction(SCALAR_OPCODES.i32LtS, SIMD_OPCODES.i32x4LtS),
  'i32.lt_u': instruction(SCALAR_OPCODES.i32LtU, SIMD_OPCODES.i32x4LtU),
  'i32.le_s': instruction(SCALAR_OPCODES.i32LeS, SIMD_OPCODES.i32x4LeS),
  'i32.le_u': instruction(SCALAR_OPCODES.i32LeU, SIMD_OPCODES.i32x4LeU),
  'i32.gt_s': instruction(SCALAR_OPCODES.i32GtS, SIMD_OPCODES.i32x4GtS),
  'i32.gt_u': instruction(SCALAR_OPCODES.i32GtU, SIMD_OPCODES.i32x4GtU),
  'i32.ge_s': instruction(SCALAR_OPCODES.i32GeS, SIMD_OPCODES.i32x4GeS),
  'i32.ge_u': instruction(SCALAR_OPCODES.i32GeU, SIMD_OPCODES.i32x4GeU),
  'i32.shl': shift(SCALAR_OPCODES.i32Shl, SIMD_OPCODES.i32x4Shl),
  'i32.shr_s': shift(SCALAR_OPCODES.i32ShrS, SIMD_OPCODES.i32x4ShrS),
  'i32.shr_u': shift(SCALAR_OPCODES.i32ShrU, SIMD_OPCODES.i32x4ShrU),
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
