/** Width, height and number of channels of a PNG. */
export interface PngShape {
  readonly width: number;
  readonly height: number;
  /** Number of channels: 1 for grey, 3 for red, green, blue, 4 with alpha. */
  readonly channels: 1 | 3 | 4;
}

/**
 * Values of whole rows of a PNG from the top, as a flat array: row by row, pixel by pixel, channel by channel. A
 * Uint16Array makes a PNG of 16 bits per value.
 */
export type PngRows = Uint8Array | Uint16Array;

const COLOUR_TYPE = { 1: 0, 3: 2, 4: 6 } as const;

/**
 * Encodes a PNG from bands of rows. A band is compressed by the platform's own deflate, on another thread if it has
 * some, while the next one is computed, so a large picture need not be in memory as a whole. Rows are not filtered,
 * which would not make drawings and films smaller.
 *
 * ```ts
 * const bytes = await encodePngRows({ width: 2, height: 1, channels: 3 }, [Uint8Array.of(255, 0, 0, 0, 0, 255)]);
 * ```
 * @param bands whole rows each, all of the same bit depth; a band may be overwritten once the next is requested.
 */
export async function encodePngRows(
  { width, height, channels }: PngShape,
  bands: Iterable<PngRows> | AsyncIterable<PngRows>,
): Promise<Uint8Array> {
  let depth = 8;
  async function* rows(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const band of bands) {
      depth = 8 * band.BYTES_PER_ELEMENT;
      yield unfiltered(band, width * channels);
    }
  }
  const { platform } = await import('#platform');
  const compressed = await platform.deflate(rows());
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([depth, COLOUR_TYPE[channels]], 8);
  return concatenated([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', [header]),
    chunk('IDAT', compressed),
    chunk('IEND', []),
  ]);
}

/**
 * Returns rows in the layout of PNG before compression: each preceded by a byte 0 for "no filter", and 16 bit values
 * with their high byte first.
 */
function unfiltered(band: PngRows, perRow: number): Uint8Array<ArrayBuffer> {
  const bytesPerRow = perRow * band.BYTES_PER_ELEMENT;
  const rows = band.length / perRow;
  const out = new Uint8Array(rows * (1 + bytesPerRow));
  const view = new DataView(out.buffer);
  for (let row = 0; row < rows; row++) {
    const into = row * (1 + bytesPerRow) + 1;
    const values = band.subarray(row * perRow, (row + 1) * perRow);
    if (values instanceof Uint8Array) out.set(values, into);
    else for (let k = 0; k < perRow; k++) view.setUint16(into + 2 * k, values[k]);
  }
  return out;
}

/** Returns a chunk of a PNG: length, name, content, and a CRC of the last two. */
function chunk(name: string, content: readonly Uint8Array[]): Uint8Array {
  const named = concatenated([Uint8Array.from(name, (letter) => letter.charCodeAt(0)), ...content]);
  const bytes = new Uint8Array(named.length + 8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, named.length - 4);
  bytes.set(named, 4);
  view.setUint32(4 + named.length, crcOf(named));
  return bytes;
}

/** CRC of each byte value, by the polynomial of ISO 3309. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let k = 0; k < bytes.length; k++) crc = CRC_TABLE[(crc ^ bytes[k]) & 0xff] ^ (crc >>> 8);
  return ~crc;
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
