import type { Precision } from '../../form/types.ts';
import type { FloatInstruction } from '../../form/wasm-operation.ts';
import type { ConversionName } from './format/opcodes.ts';
import { CONVERSIONS_F32, CONVERSIONS_F64, F32, F64, SCALAR_OPCODES, SIMD_OPCODES } from './format/opcodes.ts';

/**
 * SIMD parameters of one float precision. All that the emitter knows of a precision stands here, and in what primitives
 * select `byPrecision`.
 *
 * An integer or mask fills its lane: in a 64 bit lane it is stored twice. So one float comparison makes a mask for both
 * kinds, and i32x4 instructions act on both copies alike. Only where integers come from memory or from floats are they
 * contiguous; see `WordKind` and `order`.
 */
export interface Lanes {
  /** Float type. */
  readonly float: Precision;
  /** Bytes of a float, and so of a lane. */
  readonly bytes: number;
  /** Invocations per SIMD instruction. */
  readonly count: number;
  /** Minimum invocations for which SIMD code is written: with fewer, writing it takes longer than it saves. */
  readonly minInvocations: number;
  readonly floats: { readonly [K in FloatInstruction]: readonly [scalar: number, simd: number] };
  readonly conversions: {
    readonly [K in ConversionName]: { readonly scalar: readonly number[]; readonly simd: readonly number[] };
  };
  readonly splat: number;
  readonly extract: number;
  readonly replace: number;
  /** Opcode that loads one lane's bytes into all lanes. */
  readonly loadSplat: number;
  /** Layouts of the words in the two arenas. */
  readonly kinds: { readonly f32: WordKind; readonly u32: WordKind };
  /**
   * Shuffles that move contiguous integers to one lane each, and back: for each of the four words, the number of the
   * source word. Null if words and lanes coincide.
   */
  readonly order: Readonly<Record<'fromSideBySide' | 'toSideBySide', readonly number[]>> | null;
  /** True if operations without an instruction call the host, instead of being lowered. */
  readonly callsHost: boolean;
}

/** Layout of words of one kind in memory, and the opcodes that load them. */
export interface WordKind {
  readonly bytes: number;
  readonly load: number;
  readonly store: number;
  /** Opcode that loads a word into the first place of a vector, and 0 into all others. */
  readonly loadFirst: number;
  /** Opcodes that load a word into one place of a vector, and store it from there. */
  readonly loadPlace: number;
  readonly storePlace: number;
  /** Opcode that loads contiguous words, one for each lane. */
  readonly loadGroup: number;
  /** True if a word is smaller than its lane. */
  readonly isNarrow: boolean;
}

const WORDS_32 = {
  bytes: 4,
  loadFirst: SIMD_OPCODES.load32Zero,
  loadPlace: SIMD_OPCODES.load32Lane,
  storePlace: SIMD_OPCODES.store32Lane,
} as const;
const INTEGER_WORDS = { ...WORDS_32, load: SCALAR_OPCODES.i32Load, store: SCALAR_OPCODES.i32Store } as const;

/** Single precision: four lanes. */
export const SINGLE_LANES: Lanes = {
  float: 'f32',
  bytes: 4,
  count: 4,
  minInvocations: 4,
  floats: F32,
  conversions: CONVERSIONS_F32,
  splat: SIMD_OPCODES.f32x4Splat,
  extract: SIMD_OPCODES.f32x4Extract,
  replace: SIMD_OPCODES.f32x4Replace,
  loadSplat: SIMD_OPCODES.load32Splat,
  kinds: {
    f32: {
      ...WORDS_32,
      load: SCALAR_OPCODES.f32Load,
      store: SCALAR_OPCODES.f32Store,
      loadGroup: SIMD_OPCODES.load,
      isNarrow: false,
    },
    u32: { ...INTEGER_WORDS, loadGroup: SIMD_OPCODES.load, isNarrow: false },
  },
  order: null,
  callsHost: false,
};

/** Double precision: two lanes. */
export const DOUBLE_LANES: Lanes = {
  float: 'f64',
  bytes: 8,
  count: 2,
  minInvocations: 8,
  floats: F64,
  conversions: CONVERSIONS_F64,
  splat: SIMD_OPCODES.f64x2Splat,
  extract: SIMD_OPCODES.f64x2Extract,
  replace: SIMD_OPCODES.f64x2Replace,
  loadSplat: SIMD_OPCODES.load64Splat,
  kinds: {
    f32: {
      bytes: 8,
      load: SCALAR_OPCODES.f64Load,
      store: SCALAR_OPCODES.f64Store,
      loadFirst: SIMD_OPCODES.load64Zero,
      loadPlace: SIMD_OPCODES.load64Lane,
      storePlace: SIMD_OPCODES.store64Lane,
      loadGroup: SIMD_OPCODES.load,
      isNarrow: false,
    },
    u32: { ...INTEGER_WORDS, loadGroup: SIMD_OPCODES.load64Zero, isNarrow: true },
  },
  order: { fromSideBySide: [0, 0, 1, 1], toSideBySide: [0, 2, 0, 2] },
  callsHost: true,
};

export const lanesOf = (precision: Precision): Lanes => (precision === 'f64' ? DOUBLE_LANES : SINGLE_LANES);
