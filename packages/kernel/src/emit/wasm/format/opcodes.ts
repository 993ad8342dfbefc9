import type { FloatInstruction } from '../../../form/wasm-operation.ts';

/** Scalar instructions: loads, stores and integer arithmetic. */
export const SCALAR_OPCODES = {
  i32Load: 0x28,
  f32Load: 0x2a,
  f64Load: 0x2b,
  i32Store: 0x36,
  f32Store: 0x38,
  f64Store: 0x39,
  i32Eqz: 0x45,
  i32Eq: 0x46,
  i32Ne: 0x47,
  i32LtS: 0x48,
  i32LtU: 0x49,
  i32GtS: 0x4a,
  i32GtU: 0x4b,
  i32LeS: 0x4c,
  i32LeU: 0x4d,
  i32GeS: 0x4e,
  i32GeU: 0x4f,
  i32Ctz: 0x68,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32Mul: 0x6c,
  i32DivS: 0x6d,
  i32DivU: 0x6e,
  i32RemS: 0x6f,
  i32RemU: 0x70,
  i32And: 0x71,
  i32Or: 0x72,
  i32Xor: 0x73,
  i32Shl: 0x74,
  i32ShrS: 0x75,
  i32ShrU: 0x76,
} as const;

/** 64 bit integer instructions. */
export const I64_OPCODES = {
  ne: 0x52,
  add: 0x7c,
  shl: 0x86,
  shrU: 0x88,
  fromU32: 0xad,
  toI32: 0xa7,
} as const;

/** Opcodes after the prefix of atomic instructions. */
export const ATOMIC_OPCODES = {
  notify: 0x00,
  wait: 0x01,
  load: 0x10,
  store: 0x17,
  add: 0x1e,
  loadLong: 0x11,
  storeLong: 0x18,
  exchangeLong: 0x49,
} as const;

/** Opcodes after the prefix of SIMD instructions. */
export const SIMD_OPCODES = {
  load: 0x00,
  load32Splat: 0x09,
  load64Splat: 0x0a,
  store: 0x0b,
  constant: 0x0c,
  i32x4Splat: 0x11,
  f32x4Splat: 0x13,
  f64x2Splat: 0x14,
  i32x4Extract: 0x1b,
  i32x4Replace: 0x1c,
  f32x4Extract: 0x1f,
  f32x4Replace: 0x20,
  f64x2Extract: 0x21,
  f64x2Replace: 0x22,
  i32x4Eq: 0x37,
  i32x4Ne: 0x38,
  i32x4LtS: 0x39,
  i32x4LtU: 0x3a,
  i32x4GtS: 0x3b,
  i32x4GtU: 0x3c,
  i32x4LeS: 0x3d,
  i32x4LeU: 0x3e,
  i32x4GeS: 0x3f,
  i32x4GeU: 0x40,
  not: 0x4d,
  and: 0x4e,
  andNot: 0x4f,
  or: 0x50,
  xor: 0x51,
  bitSelect: 0x52,
  anyTrue: 0x53,
  load32Lane: 0x56,
  load64Lane: 0x57,
  store32Lane: 0x5a,
  store64Lane: 0x5b,
  load32Zero: 0x5c,
  load64Zero: 0x5d,
  i8x16Popcnt: 0x62,
  i16x8PairsU8: 0x7d,
  i32x4PairsU16: 0x7f,
  i32x4Neg: 0xa1,
  i32x4Bitmask: 0xa4,
  i32x4Shl: 0xab,
  i32x4ShrS: 0xac,
  i32x4ShrU: 0xad,
  i32x4Add: 0xae,
  i32x4Sub: 0xb1,
  i32x4Mul: 0xb5,
  i32x4MinS: 0xb6,
  i32x4MinU: 0xb7,
  i32x4MaxS: 0xb8,
  i32x4MaxU: 0xb9,
} as const;

/** Opcodes of a float instruction: the scalar opcode, and the SIMD opcode after its prefix. */
type ForOneAndAll = readonly [scalar: number, simd: number];

/** Instructions on 32 bit floats. */
export const F32 = {
  eq: [0x5b, 0x41],
  ne: [0x5c, 0x42],
  lt: [0x5d, 0x43],
  gt: [0x5e, 0x44],
  le: [0x5f, 0x45],
  ge: [0x60, 0x46],
  abs: [0x8b, 0xe0],
  neg: [0x8c, 0xe1],
  ceil: [0x8d, 0x67],
  floor: [0x8e, 0x68],
  sqrt: [0x91, 0xe3],
  add: [0x92, 0xe4],
  sub: [0x93, 0xe5],
  mul: [0x94, 0xe6],
  div: [0x95, 0xe7],
  min: [0x96, 0xe8],
  max: [0x97, 0xe9],
} as const satisfies Record<FloatInstruction, ForOneAndAll>;

/** Instructions on 64 bit floats. */
export const F64 = {
  eq: [0x61, 0x47],
  ne: [0x62, 0x48],
  lt: [0x63, 0x49],
  gt: [0x64, 0x4a],
  le: [0x65, 0x4b],
  ge: [0x66, 0x4c],
  abs: [0x99, 0xec],
  neg: [0x9a, 0xed],
  ceil: [0x9b, 0x74],
  floor: [0x9c, 0x75],
  sqrt: [0x9f, 0xef],
  add: [0xa0, 0xf0],
  sub: [0xa1, 0xf1],
  mul: [0xa2, 0xf2],
  div: [0xa3, 0xf3],
  min: [0xa4, 0xf4],
  max: [0xa5, 0xf5],
} as const satisfies Record<FloatInstruction, ForOneAndAll>;

/** Opcodes of f32x4.pmin and f32x4.pmax: of two numbers the second where it is smaller (larger), else the first. */
export const CHOOSE_F32 = { min: 0xea, max: 0xeb } as const;

/** Opcodes of a conversion: bytes of scalar instructions, and SIMD opcodes. Those to integers never trap. */
type Conversion = { readonly scalar: readonly number[]; readonly simd: readonly number[] };

/** Conversions between 32 bit floats and integers. */
export const CONVERSIONS_F32 = {
  i32OfFloat: { scalar: [0xfc, 0x00], simd: [0xf8] },
  u32OfFloat: { scalar: [0xfc, 0x01], simd: [0xf9] },
  floatOfI32: { scalar: [0xb2], simd: [0xfa] },
  floatOfU32: { scalar: [0xb3], simd: [0xfb] },
  bitsOfFloat: { scalar: [0xbc], simd: [] },
  floatOfBits: { scalar: [0xbe], simd: [] },
} as const satisfies Record<string, Conversion>;

export type ConversionName = keyof typeof CONVERSIONS_F32;

/**
 * Conversions between 64 bit floats and integers, which SIMD reads from, or leaves in, the first two words of a vector.
 * Bit casts use the nearest 32 bit float.
 */
export const CONVERSIONS_F64 = {
  i32OfFloat: { scalar: [0xfc, 0x02], simd: [0xfc] },
  u32OfFloat: { scalar: [0xfc, 0x03], simd: [0xfd] },
  floatOfI32: { scalar: [0xb7], simd: [0xfe] },
  floatOfU32: { scalar: [0xb8], simd: [0xff] },
  bitsOfFloat: { scalar: [0xb6, 0xbc], simd: [0x5e] },
  floatOfBits: { scalar: [0xbe, 0xbb], simd: [0x5f] },
} as const satisfies Record<ConversionName, Conversion>;
