import type { Code } from './format/encoder.ts';
import { SIMD_OPCODES } from './format/opcodes.ts';
import type { Lanes, WordKind } from './lanes.ts';

/** Bytes of a vector, and of an integer in memory. */
const [VECTOR, WHOLE] = [16, 4];

/** Extracts the integer of one lane from the vector on the stack. */
export function extractWhole(code: Code, { bytes }: Lanes, lane: number): void {
  code.simdLane(SIMD_OPCODES.i32x4Extract, (lane * bytes) / WHOLE);
}

/** Stores the word of one lane of the vector on the stack, at the byte address below it on the stack. */
export function storeLane(code: Code, lanes: Lanes, kind: WordKind, offset: number, lane: number): void {
  code.simdLaneMemory(kind.storePlace, offset, (lane * lanes.bytes) / kind.bytes);
}

/**
 * Loads one word per lane. The stack holds a byte address per lane, that of the first lane on top; to each,
 * `offset(lane)` bytes are added.
 */
export function loadLanes(code: Code, lanes: Lanes, kind: WordKind, offset: (lane: number) => number): void {
  code.simdMemory(kind.loadFirst, offset(0));
  for (let lane = 1; lane < lanes.count; lane++) code.simdLaneMemory(kind.loadPlace, offset(lane), lane);
  if (kind.isNarrow) fromSideBySide(code, lanes);
}

/** Loads the words of all lanes, contiguous at the address on the stack. */
export function loadGroup(code: Code, lanes: Lanes, kind: WordKind, offset: number): void {
  code.simdMemory(kind.loadGroup, offset);
  if (kind.isNarrow) fromSideBySide(code, lanes);
}

/**
 * Stores the words of all lanes of the vector on the stack contiguously, from the byte address below it on the stack.
 */
export function storeGroup(code: Code, lanes: Lanes, kind: WordKind, offset: number): void {
  if (kind.isNarrow) {
    toSideBySide(code, lanes);
    code.simdLaneMemory(SIMD_OPCODES.store64Lane, offset, 0);
  } else code.simdMemory(SIMD_OPCODES.store, offset);
}

/** Moves integers from the first words of a vector to one lane each. */
export const fromSideBySide = (code: Code, { order }: Lanes): void => reorder(code, order?.fromSideBySide);
/** Moves the integers of all lanes to the first words of the vector. */
export const toSideBySide = (code: Code, { order }: Lanes): void => reorder(code, order?.toSideBySide);

function reorder(code: Code, words: readonly number[] | undefined): void {
  if (!words) return;
  const vector = code.local('v128');
  code.tee(vector);
  code.get(vector);
  code.shuffle(words);
  code.release(vector);
}

/** Returns the bytes of a vector with the integers 0, `step`, 2 `step`, ... in its lanes. */
export function steps({ count }: Lanes, step: number): Uint8Array {
  const places = VECTOR / WHOLE;
  const numbers = Int32Array.from({ length: places }, (_, place) =>
    Math.imul(Math.floor((place * count) / places), step),
  );
  return new Uint8Array(numbers.buffer);
}

const view = new DataView(new ArrayBuffer(8));

/** Returns the 32 bit words that a lane consists of if it holds this float. */
export function wordsOfFloat({ float }: Lanes, value: number): number[] {
  if (float === 'f32') {
    view.setFloat32(0, value, true);
    return [view.getInt32(0, true)];
  }
  view.setFloat64(0, value, true);
  return [view.getInt32(0, true), view.getInt32(4, true)];
}
/** Returns the 32 bit words that a lane consists of if it holds this integer or mask. */
export const wordsOfWhole = ({ bytes }: Lanes, value: number): number[] =>
  new Array<number>(bytes / WHOLE).fill(value | 0);
