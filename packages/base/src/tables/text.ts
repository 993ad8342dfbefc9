import { GradsimError } from '../error.ts';

/** Bytes at the beginning of a file in which zeros tell UTF-16 from UTF-8. */
const SAMPLE_BYTES = 4096;

/**
 * Decodes the text of a file: UTF-8, UTF-16 of either byte order, with a byte order mark or without, and Windows-1252, in
 * which older programs write `°` and `µ`. A text is taken as it is, less its mark.
 * @param name of the file, for messages.
 * @throws for bytes that are no text.
 */
export function decodeText(input: string | Uint8Array, name: string): string {
  if (typeof input === 'string') return input.replace(/^\uFEFF/, '');
  const [first, second] = input;
  const encoding =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : utf16OrderOf(input);
  if (encoding) return new TextDecoder(encoding).decode(input);
  if (input.subarray(0, SAMPLE_BYTES).includes(0))
    throw new GradsimError('tables/not-text', `${name} is no text: it has bytes of value 0.`, {
      hint: 'Export it as a table of text, CSV.',
    });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(input);
  } catch {
    return new TextDecoder('windows-1252').decode(input);
  }
}

/** UTF-16 without a mark: every other byte of the digits and letters at the beginning is 0. */
function utf16OrderOf(input: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const pairs = Math.min(input.length, SAMPLE_BYTES) >> 1;
  const zeros = [0, 0];
  for (let k = 0; k < 2 * pairs; k++) if (input[k] === 0) zeros[k & 1]++;
  if (pairs === 0 || Math.max(...zeros) < 0.7 * pairs || Math.min(...zeros) > 0.1 * pairs) return undefined;
  return zeros[1] > zeros[0] ? 'utf-16le' : 'utf-16be';
}
