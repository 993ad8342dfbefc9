/** Number of bytes from which the encoding of a text without a mark is told. */
const SAMPLE_BYTES = 64;

/**
 * Text of a file's bytes: UTF-8, or UTF-16 in either order, by the mark at its beginning or, without one, by the zeros
 * that plain letters have in UTF-16. The mark is no part of the text.
 */
export const textOf = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes)).decode(bytes);

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const first = bytes.subarray(0, Math.min(SAMPLE_BYTES, bytes.length - (bytes.length % 2)));
  if (first.length < 4) return 'utf-8';
  const zeros = (parity: number): number => first.filter((byte, k) => byte === 0 && k % 2 === parity).length;
  // Most letters are plain ones.
  const isMost = (parity: number): boolean => zeros(parity) > first.length / 4 && 4 * zeros(1 - parity) < zeros(parity);
  if (isMost(1)) return 'utf-16le';
  return isMost(0) ? 'utf-16be' : 'utf-8';
}
