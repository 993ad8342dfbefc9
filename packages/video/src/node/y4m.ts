import { GradsimError } from '@gradsim/base';

import type { Size } from '../edit/resize.ts';
import type { YuvPicture } from '../source/yuv.ts';
import { plainText } from './plain-text.ts';

/** Pixel formats of WebCodecs by their YUV4MPEG2 names; chroma siting is not distinguished. */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^420(?:jpeg|mpeg2|paldv)?$/, 'I420'],
  [/^422$/, 'I422'],
  [/^444$/, 'I444'],
  [/^420p(10|12)$/, 'I420P'],
  [/^422p(10|12)$/, 'I422P'],
  [/^444p(10|12)$/, 'I444P'],
];

/** Error for an invalid YUV4MPEG2 stream, which says nothing about the film that it was decoded from. */
export class Y4mError extends Error {}

interface Header {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly fullRange: boolean;
  /** Width of a pixel to its height, `16:15`; `0:0` if unknown. */
  readonly pixelShape: string;
  /** Offset of each plane and stride of its rows, in bytes; `length` is the bytes of a picture. */
  readonly planes: readonly { offset: number; stride: number }[];
  readonly length: number;
}

/**
 * Yields the pictures of a YUV4MPEG2 stream, as stored. Their `matrix` is null, since the stream does not say it.
 *
 * @param size required width and height of all pictures; checked before memory is allocated.
 * @throws Y4mError when the stream is of another kind, size or an unknown pixel format, or ends within a picture.
 */
export async function* readY4m(
  stream: AsyncIterable<Uint8Array>,
  size: Size,
): AsyncGenerator<YuvPicture & Pick<Header, 'pixelShape'>> {
  const source = new ByteReader(stream);
  const first = await source.line();
  if (first === undefined) return;
  const { length, ...header } = parseHeader(first);
  if (header.width !== size.width || header.height !== size.height)
    throw new Y4mError(
      `its pictures are ${header.width} x ${header.height} pixels, and those of the film ${size.width} x ${size.height}.`,
    );
  for (let line = await source.line(); line !== undefined; line = await source.line()) {
    if (!line.startsWith('FRAME')) throw new Y4mError(`one of its pictures begins with ${line.slice(0, 20)}.`);
    yield { ...header, bytes: await source.take(length), matrix: null };
  }
}

function parseHeader(line: string): Header {
  const [magic, ...words] = line.split(' ');
  const value = (key: string): string => words.find((word) => word.startsWith(key))?.slice(key.length) ?? '';
  const [width, height] = [Number(value('W')), Number(value('H'))];
  if (magic !== 'YUV4MPEG2' || !(width > 0 && height > 0))
    throw new Y4mError(`its output begins with ${line.slice(0, 40)}, and no header of pictures.`);
  const sampling = value('C') || '420';
  const known = FORMATS.find(([pattern]) => pattern.test(sampling));
  if (!known)
    throw new GradsimError('video/pixels-not-supported', `Pictures in ${plainText(sampling, 20)} cannot be read.`, {
      hint: 'Convert the video to yuv420p.',
    });
  const bits = known[0].exec(sampling)?.[1] ?? '';
  const bytes = bits ? 2 : 1;
  const [across, down] = [sampling.startsWith('444') ? 1 : 2, sampling.startsWith('420') ? 2 : 1];
  const chroma = { stride: Math.ceil(width / across) * bytes, rows: Math.ceil(height / down) };
  const luma = width * height * bytes;
  const plane = chroma.stride * chroma.rows;
  return {
    format: `${known[1]}${bits}`,
    width,
    height,
    pixelShape: value('A') || '0:0',
    fullRange: value('XCOLORRANGE=') === 'FULL',
    planes: [
      { offset: 0, stride: width * bytes },
      { offset: luma, stride: chroma.stride },
      { offset: luma + plane, stride: chroma.stride },
    ],
    length: luma + 2 * plane,
  };
}

/** Reads lines of text and given numbers of bytes from a stream of chunks. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }
  /** Appends another chunk of the stream to the buffer; returns false at the end. */
  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (!done) this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return !done;
  }
  /** Reads text up to the end of a line; undefined at the end of the stream. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf(10);
      if (end >= 0) {
        const text = new TextDecoder('latin1').decode(this.#rest.subarray(0, end));
        this.#rest = this.#rest.subarray(end + 1);
        return text;
      }
      if (this.#rest.length > 4096) throw new Y4mError('its pictures have no headers.');
      if (!(await this.#more())) return undefined;
    }
  }
  async take(length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    for (let filled = 0; filled < length; ) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new Y4mError('one of its pictures is cut short.');
      const part = this.#rest.subarray(0, length - filled);
      bytes.set(part, filled);
      filled += part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    return bytes;
  }
}
