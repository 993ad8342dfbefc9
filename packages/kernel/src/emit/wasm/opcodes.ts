import type { PureOp, ScalarType } from '../../language/form.ts';

/** Scalar instructions. */
export const SCALAR = {
  i32Load: 0x28,
  f32Load: 0x2a,
  i32Store: 0x36,
  f32Store: 0x38,
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
  f32Eq: 0x5b,
  f32Ne: 0x5c,
  f32Lt: 0x5d,
  f32Gt: 0x5e,
  f32Le: 0x5f,
  f32Ge: 0x60,
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
  f32Abs: 0x8b,
  f32Neg: 0x8c,
  f32Ceil: 0x8d,
  f32Floor: 0x8e,
  f32Sqrt: 0x91,
  f32Add: 0x92,
  f32Sub: 0x93,
  f32Mul: 0x94,
  f32Div: 0x95,
  f32Min: 0x96,
  f32Max: 0x97,
  f32FromI32: 0xb2,
  f32FromU32: 0xb3,
  i32BitsOfF32: 0xbc,
  f32OfBits: 0xbe,
} as const;

/** After the prefix of saturating conversions, which never trap. */
export const SATURATING = { i32FromF32: 0x00, u32FromF32: 0x01 } as const;

/** Of 64 bit integers. */
export const LONG = {
  ne: 0x52,
  add: 0x7c,
  shl: 0x86,
  shrU: 0x88,
  fromU32: 0xad,
  toI32: 0xa7,
} as const;

/** After the prefix of atomic instructions. */
export const ATOMIC = {
  notify: 0x00,
  wait: 0x01,
  load: 0x10,
  store: 0x17,
  add: 0x1e,
  loadLong: 0x11,
  storeLong: 0x18,
  exchangeLong: 0x49,
} as const;

/** After the prefix of SIMD instructions. */
export const SIMD = {
  load: 0x00,
  load32Splat: 0x09,
  store: 0x0b,
  constant: 0x0c,
  i32x4Splat: 0x11,
  f32x4Splat: 0x13,
  i32x4Extract: 0x1b,
  i32x4Replace: 0x1c,
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
  f32x4Eq: 0x41,
  f32x4Ne: 0x42,
  f32x4Lt: 0x43,
  f32x4Gt: 0x44,
  f32x4Le: 0x45,
  f32x4Ge: 0x46,
  not: 0x4d,
  and: 0x4e,
  andNot: 0x4f,
  or: 0x50,
  xor: 0x51,
  bitSelect: 0x52,
  anyTrue: 0x53,
  load32Lane: 0x56,
  store32Lane: 0x5a,
  store64Lane: 0x5b,
  load32Zero: 0x5c,
  i8x16Popcnt: 0x62,
  f32x4Ceil: 0x67,
  f32x4Floor: 0x68,
  i16x8PairsU8: 0x7d,
  i32x4PairsU16: 0x7f,
  i32x4Abs: 0xa0,
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
  f32x4Abs: 0xe0,
  f32x4Neg: 0xe1,
  f32x4Sqrt: 0xe3,
  f32x4Add: 0xe4,
  f32x4Sub: 0xe5,
  f32x4Mul: 0xe6,
  f32x4Div: 0xe7,
  f32x4Min: 0xe8,
  f32x4Max: 0xe9,
  f32x4PMin: 0xea,
  f32x4PMax: 0xeb,
  i32x4FromF32: 0xf8,
  u32x4FromF32: 0xf9,
  f32x4FromI32: 0xfa,
  f32x4FromU32: 0xfb,
} as const;

type Pair = readonly [scalar: number, simd: number];
type Table = { readonly [O in PureOp]?: Pair };

const F32 = {
  add: [SCALAR.f32Add, SIMD.f32x4Add],
  sub: [SCALAR.f32Sub, SIMD.f32x4Sub],
  mul: [SCALAR.f32Mul, SIMD.f32x4Mul],
  div: [SCALAR.f32Div, SIMD.f32x4Div],
  min: [SCALAR.f32Min, SIMD.f32x4Min],
  max: [SCALAR.f32Max, SIMD.f32x4Max],
  neg: [SCALAR.f32Neg, SIMD.f32x4Neg],
  abs: [SCALAR.f32Abs, SIMD.f32x4Abs],
  sqrt: [SCALAR.f32Sqrt, SIMD.f32x4Sqrt],
  floor: [SCALAR.f32Floor, SIMD.f32x4Floor],
  ceil: [SCALAR.f32Ceil, SIMD.f32x4Ceil],
  eq: [SCALAR.f32Eq, SIMD.f32x4Eq],
  ne: [SCALAR.f32Ne, SIMD.f32x4Ne],
  lt: [SCALAR.f32Lt, SIMD.f32x4Lt],
  le: [SCALAR.f32Le, SIMD.f32x4Le],
  gt: [SCALAR.f32Gt, SIMD.f32x4Gt],
  ge: [SCALAR.f32Ge, SIMD.f32x4Ge],
} as const satisfies Table;

const BITS = {
  and: [SCALAR.i32And, SIMD.and],
  or: [SCALAR.i32Or, SIMD.or],
  xor: [SCALAR.i32Xor, SIMD.xor],
  eq: [SCALAR.i32Eq, SIMD.i32x4Eq],
  ne: [SCALAR.i32Ne, SIMD.i32x4Ne],
} as const satisfies Table;

const WHOLE = {
  ...BITS,
  add: [SCALAR.i32Add, SIMD.i32x4Add],
  sub: [SCALAR.i32Sub, SIMD.i32x4Sub],
  mul: [SCALAR.i32Mul, SIMD.i32x4Mul],
} as const satisfies Table;

const I32 = {
  ...WHOLE,
  lt: [SCALAR.i32LtS, SIMD.i32x4LtS],
  le: [SCALAR.i32LeS, SIMD.i32x4LeS],
  gt: [SCALAR.i32GtS, SIMD.i32x4GtS],
  ge: [SCALAR.i32GeS, SIMD.i32x4GeS],
} as const satisfies Table;

const U32 = {
  ...WHOLE,
  lt: [SCALAR.i32LtU, SIMD.i32x4LtU],
  le: [SCALAR.i32LeU, SIMD.i32x4LeU],
  gt: [SCALAR.i32GtU, SIMD.i32x4GtU],
  ge: [SCALAR.i32GeU, SIMD.i32x4GeU],
} as const satisfies Table;

const INSTRUCTIONS: Record<ScalarType, Table> = { f32: F32, i32: I32, u32: U32, bool: BITS };

/** The instructions, scalar and SIMD, that do an operation on arguments of a type with nothing more. */
export const instructions = (op: PureOp, argument: ScalarType): Pair | undefined =>
  INSTRUCTIONS[argument][op];
