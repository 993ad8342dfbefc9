import { GradsimError } from '@gradsim/base';
import { reasonOf } from '../mesh.ts';

/** Number of bytes of a chunk beside its data: length, type and checksum. */
const CHUNK_OVERHEAD = 12;
/** Length of the signature before the first chunk, bytes. */
const SIGNATURE_LENGTH = 8;
/** Chunks that a decoder would inflate or animate, and that have no part in the stored values. */
const REMOVED_CHUNKS = ['iCCP', 'acTL', 'fcTL', 'fdAT'];
/** Number of samples of a pixel by the colour type of the header; others are refused by the decoder. */
const SAMPLES_PER_PIXEL: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** The seven passes of an interlaced picture: first column and row, and the steps between them. */
const INTERLACE_PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/**
 * The chunks of a PNG on which its stored values depend, as a PNG, once they are known to inflate to what the header
 * says and no more: 6 MB can inflate to 6 GB, for which a decoder would allocate memory.
 *
 * @throws GradsimError when they inflate to more, or cannot be inflated.
 */
export async function requiredChunks(bytes: Uint8Array): Promise<Uint8Array> {
  const kept: Uint8Array[] = [bytes.subarray(0, SIGNATURE_LENGTH)];
  const pixels: Uint8Array[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = SIGNATURE_LENGTH; at < bytes.length; ) {
    const length = at + CHUNK_OVERHEAD <= bytes.length ? view.getUint32(at) : Number.POSITIVE_INFINITY;
    // The decoder says what is wrong with a file that is cut off.
    const end = Math.min(bytes.length, at + CHUNK_OVERHEAD + length);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (!REMOVED_CHUNKS.includes(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IDAT') pixels.push(bytes.subarray(at + 8, end - 4));
    at = end;
  }
  await requireSize(pixels, inflatedSize(view));
  return concatenated(kept);
}

/** Number of bytes that the pixels have before compression: each row has one more, for its filter. */
function inflatedSize(view: DataView): number {
  const [width, height, depth, colour, isInterlaced] = [
    view.getUint32(16),
    view.getUint32(20),
    view.getUint8(24),
    view.getUint8(25),
    view.getUint8(28) === 1,
  ];
  const bits = depth * (SAMPLES_PER_PIXEL[colour] ?? 4);
  const size = (columns: number, rows: number): number =>
    columns === 0 ? 0 : rows * (1 + Math.ceil((bits * columns) / 8));
  if (!isInterlaced) return size(width, height);
  return INTERLACE_PASSES.reduce(
    (sum, [x, y, right, down]) =>
      sum + size(Math.ceil(Math.max(0, width - x) / right), Math.ceil(Math.max(0, height - y) / down)),
    0,
  );
}

/** Inflates without keeping anything, and stops at the first byte too many. */
async function requireSize(compressed: readonly Uint8Array[], size: number): Promise<void> {
  const stream = new Blob([...compressed] as BlobPart[]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  let found = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      found += value.length;
      if (found > size) break;
    }
  } catch (error) {
    // Bytes behind the end are an error here, and none in the file.
    if (found < size)
      throw new GradsimError('mesh/image-damaged', `Its pixels cannot be inflated: ${reasonOf(error)}.`, {
        cause: error,
      });
  }
  if (found > size) {
    await reader.cancel().catch(() => {});
    throw new GradsimError(
      'mesh/image-damaged',
      `Its pixels take ${size} bytes by its header, and more than that is in the file.`,
    );
  }
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
