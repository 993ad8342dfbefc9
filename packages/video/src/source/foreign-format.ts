import type { ForeignFormat } from './footage.ts';

/** Returns the container of a film that only the program ffmpeg opens; undefined for other files. */
export function foreignFormat(head: Uint8Array): ForeignFormat | undefined {
  const text = String.fromCharCode(...head);
  if (text.startsWith('RIFF') && text.startsWith('AVI ', 8)) return 'avi';
  if (text.startsWith('\x30\x26\xb2\x75\x8e\x66\xcf\x11')) return 'asf';
  if (text.startsWith('FLV\x01')) return 'flv';
  if (text.startsWith('OggS')) return 'ogg';
  if (text.startsWith('\0\0\x01\xba')) return 'mpeg-ps';
  // Packets of 188 bytes, of 192 on cameras' discs.
  const isStream = (first: number, size: number): boolean => head[first] === 0x47 && head[first + size] === 0x47;
  return isStream(0, 188) || isStream(4, 192) ? 'mpeg-ts' : undefined;
}
