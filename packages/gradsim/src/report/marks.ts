import { crc32 } from 'node:zlib';

/** Number of bytes of a PNG before the first optional chunk: its signature, and the chunk IHDR. */
const PNG_BEGINNING = 8 + 25;

/**
 * PNG chunk of type tEXt that names gradsim as the software that wrote the file (PNG specification, third edition,
 * 11.3.3).
 */
export const PNG_MARK = chunk('tEXt', 'Software\0gradsim');

/** Returns a PNG with the mark of gradsim inserted. */
export const markedPng = (png: Uint8Array): Uint8Array =>
  Buffer.concat([png.subarray(0, PNG_BEGINNING), PNG_MARK, png.subarray(PNG_BEGINNING)]);

function chunk(type: string, data: string): Buffer {
  const content = Buffer.from(type + data, 'latin1');
  const bytes = Buffer.alloc(4 + content.length + 4);
  bytes.writeUInt32BE(data.length, 0);
  content.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(content), 4 + content.length);
  return bytes;
}
