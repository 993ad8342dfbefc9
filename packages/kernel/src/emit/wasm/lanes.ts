import type { Precision } from '../../language/form.ts';
import type { Code } from './encoder.ts';
import type { ConversionName, FloatInstruction } from './opcodes.ts';
import { CONVERSIONS_F32, CONVERSIONS_F64, F32, F64, SCALAR, SIMD } from './opcodes.ts';

const VECTOR_BYTES = 16;
const WHOLE_BYTES = 4;

/**
 * What generated code computes with: floats of one precision, and as many at once as a vector holds.
 *
 * A whole number, or a mask, fills its lane: of 64 bits, it is there twice. So one comparison of floats makes a mask for
 * both kinds, and i32x4 instructions do to the lane what they do to each copy. Only where whole numbers come from memory
 * or from floats do they lie side by side; see `WordKind` and `fromSideBySide`.
 */
export interface Lanes {
  /** The type of a float. */
  readonly float: Precision;
  /** Bytes of a float, and so of a lane. */
  readonly bytes: number;
  /** How many invocations one SIMD instruction works on. */
  readonly count: number;
  /** Invocations from which on a kernel gets code for all lanes: with fewer, writing that takes longer than it saves. */
  readonly worthwhile: number;
  readonly floats: { readonly [K in FloatInstruction]: readonly [scalar: number, simd: number] };
  readonly conversions: {
    readonly [K in ConversionName]: { readonly scalar: readonly number[]; readonly simd: readonly number[] };
  };
  readonly splat: number;
  readonly extract: number;
  readonly replace: number;
  /** Loads a lane's bytes into all lanes. */
  readonly loadSplat: number;
  /** Words of the two arenas. */
  readonly kinds: { readonly f32: WordKind; readonly u32: WordKind };
  /** Where the words of a vector come from that are put in order; null where they lie side by side in their lanes. */
  readonly order: Readonly<Record<'fromSideBySide' | 'toSideBySide', readonly number[]>> | null;
  /** Whether what is no instruction is a function of the host, instead of being written in instructions. */
  readonly callsHost: boolean;
}

/** How words of one kind lie in memory, and how they come from there. */
export interface WordKind {
  readonly bytes: number;
  readonly load: number;
  readonly store: number;
  /** To the first place of a vector, and 0 to all others. */
  readonly loadFirst: number;
  /** To one place of a vector, and from there. */
  readonly loadPlace: number;
  readonly storePlace: number;
  /** Words of all lanes, which lie side by side. */
  readonly loadGroup: number;
  /** Whether a word is smaller than its lane. */
  readonly isNarrow: boolean;
}

const WORDS_32 = {
  bytes: 4,
  loadFirst: SIMD.load32Zero,
  loadPlace: SIMD.load32Lane,
  storePlace: SIMD.store32Lane,
} as const;
const WHOLE = { ...WORDS_32, load: SCALAR.i32Load, store: SCALAR.i32Store } as const;

/** Single precision. */
export const SINGLE: Lanes = {
  float: 'f32',
  bytes: 4,
  count: 4,
  worthwhile: 4,
  floats: F32,
  conversions: CONVERSIONS_F32,
  splat: 0x13,
  extract: 0x1f,
  replace: 0x20,
  loadSplat: SIMD.load32Splat,
  kinds: {
    f32: { ...WORDS_32, load: 0x2a, store: 0x38, loadGroup: SIMD.load, isNarrow: false },
    u32: { ...WHOLE, loadGroup: SIMD.load, isNarrow: false },
  },
  order: null,
  callsHost: false,
};

/** Double precision. */
export const DOUBLE: Lanes = {
  float: 'f64',
  bytes: 8,
  count: 2,
  worthwhile: 8,
  floats: F64,
  conversions: CONVERSIONS_F64,
  splat: 0x14,
  extract: 0x21,
  replace: 0x22,
  loadSplat: SIMD.load64Splat,
  kinds: {
    f32: {
      bytes: 8,
      load: 0x2b,
      store: 0x39,
      loadFirst: SIMD.load64Zero,
      loadPlace: SIMD.load64Lane,
      storePlace: SIMD.store64Lane,
      loadGroup: SIMD.load,
      isNarrow: false,
    },
    u32: { ...WHOLE, loadGroup: SIMD.load64Zero, isNarrow: true },
  },
  order: { fromSideBySide: [0, 0, 1, 1], toSideBySide: [0, 2, 0, 2] },
  callsHost: true,
};

export const lanesOf = (precision: Precision): Lanes => (precision === 'f64' ? DOUBLE : SINGLE);

/** The place of a lane's whole number among the four of a vector. */
const placeOfWhole = ({ bytes }: Lanes, lane: number): number => (lane * bytes) / WHOLE_BYTES;

/** Of the vector on the stack, the whole number of one lane. */
export function extractWhole(code: Code, lanes: Lanes, lane: number): void {
  code.simdLane(SIMD.i32x4Extract, placeOfWhole(lanes, lane));
}

/** Words of a lane at its place in the vector on the stack; below it the address, to which they go. */
export function storeLane(code: Code, lanes: Lanes, kind: WordKind, offset: number, lane: number): void {
  code.simdLaneMemory(kind.storePlace, offset, (lane * lanes.bytes) / kind.bytes);
}

/** Loads from addresses on the stack, that of the first lane on top, plus what `offset` says, word after word. */
export function loadLanes(code: Code, lanes: Lanes, kind: WordKind, offset: (lane: number) => number): void {
  code.simdMemory(kind.loadFirst, offset(0));
  for (let lane = 1; lane < lanes.count; lane++) code.simdLaneMemory(kind.loadPlace, offset(lane), lane);
  if (kind.isNarrow) fromSideBySide(code, lanes);
}

/** Loads the words of all lanes, side by side at the address on the stack. */
export function loadGroup(code: Code, lanes: Lanes, kind: WordKind, offset: number): void {
  code.simdMemory(kind.loadGroup, offset);
  if (kind.isNarrow) fromSideBySide(code, lanes);
}

/** Stores the words of all lanes, side by side. */
export function storeGroup(code: Code, lanes: Lanes, kind: WordKind, offset: number): void {
  if (kind.isNarrow) {
    toSideBySide(code, lanes);
    code.simdLaneMemory(SIMD.store64Lane, offset, 0);
  } else code.simdMemory(SIMD.store, offset);
}

/** Takes whole numbers from the first places of a vector to their lanes. */
export const fromSideBySide = (code: Code, { order }: Lanes): void => reorder(code, order?.fromSideBySide);
/** Takes the whole numbers of lanes to the first places of a vector. */
export const toSideBySide = (code: Code, { order }: Lanes): void => reorder(code, order?.toSideBySide);

function reorder(code: Code, words: readonly number[] | undefined): void {
  if (!words) return;
  const vector = code.local('v128');
  code.tee(vector);
  code.get(vector);
  code.shuffle(words);
  code.release(vector);
}

/** The bytes of a vector with whole numbers that grow by `step` from lane to lane, from 0 on. */
export function steps({ count }: Lanes, step: number): Uint8Array {
  const places = VECTOR_BYTES / WHOLE_BYTES;
  const numbers = Int32Array.from({ length: places }, (_, place) =>
    Math.imul(Math.floor((place * count) / places), step),
  );
  return new Uint8Array(numbers.buffer);
}

const view = new DataView(new ArrayBuffer(8));

/** The words of 32 bits that a lane with this float holds. */
export function wordsOfFloat({ float }: Lanes, value: number): number[] {
  if (float === 'f32') {
    view.setFloat32(0, value, true);
    return [view.getInt32(0, true)];
  }
  view.setFloat64(0, value, true);
  return [view.getInt32(0, true), view.getInt32(4, true)];
}
/** The words of 32 bits that a lane with this whole number, or mask, holds. */
export const wordsOfWhole = ({ bytes }: Lanes, value: number): number[] =>
  new Array<number>(bytes / WHOLE_BYTES).fill(value | 0);
