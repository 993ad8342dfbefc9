/** One image of a GIF, still compressed. */
export interface GifImage {
  /** Position of the image's left edge in the picture, px. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly isInterlaced: boolean;
  /** Palette as a flat array: red, green, blue from 0 to 255 of each colour. */
  readonly colours: Uint8Array;
  /** Index of the palette's transparent colour, if there is one. */
  readonly transparent: number | undefined;
  /**
   * Disposal of the image before the next one is drawn: 2 clears it, 3 restores what was there before; other values
   * keep it.
   */
  readonly disposal: number;
  /** Delay until the next image, in hundredths of a second. */
  readonly delay: number;
  /** Number of bits of the shortest LZW codes. */
  readonly codeSize: number;
  /** LZW-compressed palette indices of the pixels. */
  readonly data: Uint8Array;
}

/** Size of a GIF's picture in pixels, and its images. */
export interface GifParts {
  readonly width: number;
  readonly height: number;
  readonly images: readonly GifImage[];
}

interface GraphicControl {
  readonly transparent: number | undefined;
  readonly disposal: number;
  readonly delay: number;
}
const DEFAULT_CONTROL: GraphicControl = { transparent: undefined, disposal: 0, delay: 0 };

/**
 * Parses a GIF into its images, without decompressing them. Source: CompuServe, Graphics Interchange Format, version
 * 89a, 1990.
 *
 * @throws Error when it is truncated, an image exceeds the picture or has no colours, or a block is of no known kind;
 * its message is the reason alone, to which the caller adds the file and a code.
 */
export function gifParts(bytes: Uint8Array): GifParts {
  const reader = new Reader(bytes);
  reader.skip(6);
  const [width, height] = [reader.short(), reader.short()];
  if (width === 0 || height === 0) throw new Error(`its pictures are ${width} x ${height} pixels`);
  const flags = reader.byte();
  reader.skip(2);
  const shared = flags & 0x80 ? reader.take(3 * 2 ** ((flags & 7) + 1)) : undefined;
  const images: GifImage[] = [];
  let control = DEFAULT_CONTROL;
  for (;;) {
    const at = reader.at;
    const kind = reader.byte();
    if (kind === 0x3b) return { width, height, images };
    if (kind === 0x2c) {
      images.push(image(reader, { width, height, number: images.length, shared, control }));
      control = DEFAULT_CONTROL;
    } else if (kind === 0x21) {
      const label = reader.byte();
      const data = reader.blocks();
      if (label === 0xf9) control = controlOf(data);
    } else {
      throw new Error(`at byte ${at} is no block, but ${kind}`);
    }
  }
}

function controlOf(data: Uint8Array): GraphicControl {
  if (data.length < 4) throw new Error(`a control block has ${data.length} of 4 bytes`);
  const [flags, low, high, transparent] = data;
  return {
    transparent: flags & 1 ? transparent : undefined,
    disposal: (flags >> 2) & 7,
    delay: low + 256 * high,
  };
}

function image(
  reader: Reader,
  of: {
    width: number;
    height: number;
    number: number;
    shared: Uint8Array | undefined;
    control: GraphicControl;
  },
): GifImage {
  const [left, top, width, height] = [reader.short(), reader.short(), reader.short(), reader.short()];
  const where = `frame ${of.number}`;
  if (width === 0 || height === 0 || left + width > of.width || top + height > of.height)
    throw new Error(
      `${where} is ${width} x ${height} pixels at (${left}, ${top}), not within ${of.width} x ${of.height}`,
    );
  const flags = reader.byte();
  const colours = flags & 0x80 ? reader.take(3 * 2 ** ((flags & 7) + 1)) : of.shared;
  if (!colours) throw new Error(`${where} has no colours`);
  const codeSize = reader.byte();
  if (codeSize < 2 || codeSize > 8) throw new Error(`${where} has codes of ${codeSize} bits`);
  const isInterlaced = (flags & 0x40) !== 0;
  return { left, top, width, height, isInterlaced, colours, ...of.control, codeSize, data: reader.blocks() };
}

class Reader {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  take(count: number): Uint8Array {
    const part = this.#bytes.subarray(this.at, this.at + count);
    if (part.length < count)
      throw new Error(`it ends after ${this.#bytes.length} bytes, within a block or before its end`);
    this.at += count;
    return part;
  }
  skip(count: number): void {
    this.take(count);
  }
  byte(): number {
    return this.take(1)[0];
  }
  short(): number {
    const [low, high] = this.take(2);
    return low + 256 * high;
  }
  /** Returns the concatenated data sub-blocks up to the empty one that ends them. */
  blocks(): Uint8Array {
    const parts: Uint8Array[] = [];
    for (let size = this.byte(); size > 0; size = this.byte()) parts.push(this.take(size));
    const data = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let filled = 0;
    for (const part of parts) {
      data.set(part, filled);
      filled += part.length;
    }
    return data;
  }
}
