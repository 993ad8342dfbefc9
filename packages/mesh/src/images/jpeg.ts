import { GradsimError } from '@gradsim/base';
import { checkSize, type StoredImage } from './stored-image.ts';

/** Returns whether a marker has no length after it: TEM, RST0 to RST7, SOI. */
const hasNoLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** Returns whether a marker is a start of frame: 0xc0 to 0xcf, except 0xc4, 0xc8 and 0xcc. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Start-of-frame markers of the supported kinds: sequential and progressive, Huffman-coded. */
const READ_FRAME_MARKERS = [0xc0, 0xc1, 0xc2];
const [SCAN, END, ADOBE, JFIF] = [0xda, 0xd9, 0xee, 0xe0];
/** Maximum number of pixels per byte of a JPEG: a block of 8 x 8 pixels takes at least a bit. */
const MAX_PIXELS_PER_BYTE = 8 * 64;
/** Memory limit for the JPEG decoder, MB. */
const MEGABYTES = 4096;

/**
 * Decodes a JPEG to red, green, blue from 0 to 255.
 * @throws GradsimError when it is truncated, damaged, of an unsupported kind, or declares more pixels than its bytes can hold.
 */
export async function readJpeg(bytes: Uint8Array): Promise<StoredImage> {
  const { width, height, isRgb } = headerOf(bytes);
  checkSize(width, height);
  if (width * height > MAX_PIXELS_PER_BYTE * bytes.length)
    throw new GradsimError(
      'mesh/image-damaged',
      `The header says ${width} x ${height} pixels, which ${bytes.length} bytes cannot hold.`,
    );
  const { decodeJpeg } = await import('./image-library.ts');
  const { data } = decodeJpeg(bytes, {
    useTArray: true,
    formatAsRGBA: false,
    tolerantDecoding: false,
    maxMemoryUsageInMB: MEGABYTES,
    ...(isRgb && { colorTransform: false }),
  });
  return { width, height, values: data, maxValue: 255, channels: 3 };
}

/**
 * Reads the size of the picture and whether it stores RGB, from the segments before its first scan. Source: ITU-T T.81,
 * annex B.
 */
function headerOf(bytes: Uint8Array): { width: number; height: number; isRgb: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let frame: DataView | undefined;
  let [adobe, hasJfif]: [number | undefined, boolean] = [undefined, false];
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff)
      throw new GradsimError('mesh/image-damaged', `Byte ${at} is ${bytes[at]}, which is no marker.`);
    const marker = bytes[at + 1];
    if (marker === 0xff || hasNoLength(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (marker === SCAN) {
      if (!frame) break;
      requireEnd(bytes, at);
      return describe(frame, adobe, hasJfif);
    }
    const length = view.getUint16(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) break;
    const segment = new DataView(bytes.buffer, bytes.byteOffset + at + 4, length - 2);
    if (isFrame(marker)) {
      if (!READ_FRAME_MARKERS.includes(marker))
        throw new GradsimError('mesh/image-not-supported', 'The JPEG is lossless or coded arithmetically.', {
          hint: 'Save it as a baseline or progressive JPEG, or as a PNG.',
        });
      frame = segment;
    }
    if (marker === JFIF) hasJfif = true;
    if (marker === ADOBE && length >= 14) adobe = segment.getUint8(11);
    at += 2 + length;
  }
  throw new GradsimError('mesh/image-damaged', 'The file ends before its picture.');
}

function requireEnd(bytes: Uint8Array, scan: number): void {
  for (let at = bytes.length - 2; at > scan; at--) if (bytes[at] === 0xff && bytes[at + 1] === END) return;
  throw new GradsimError('mesh/image-damaged', 'The file ends within its picture.');
}

function describe(frame: DataView, adobe: number | undefined, hasJfif: boolean) {
  const count = frame.byteLength >= 6 ? frame.getUint8(5) : 0;
  if (frame.byteLength < 6 + 3 * count || ![1, 3].includes(count))
    throw new GradsimError(
      'mesh/image-not-supported',
      `The JPEG has ${count} channels; only 1 (grey) and 3 (colour) are supported.`,
      { hint: 'Save it without CMYK, or as a PNG.' },
    );
  const bits = frame.getUint8(0);
  if (bits !== 8)
    throw new GradsimError('mesh/image-not-supported', `The JPEG has ${bits} bits a channel; only 8 are supported.`, {
      hint: 'Save it with 8 bits a channel, or as a PNG.',
    });
  const ids = Array.from({ length: count }, (_, k) => frame.getUint8(6 + 3 * k));
  // Same rule as libjpeg: by Adobe's segment, or by the names of channels.
  const isNamedRgb = !hasJfif && String.fromCharCode(...ids) === 'RGB';
  const isRgb = count === 3 && (adobe === undefined ? isNamedRgb : adobe === 0);
  return { width: frame.getUint16(3), height: frame.getUint16(1), isRgb };
}
