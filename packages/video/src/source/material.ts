import { GradsimError } from '@gradsim/base';
import { platform } from '#platform';
import { foreignFormat } from './foreign-format.ts';

/**
 * Source of a film: in Node the path of a file, of a folder of images or a pattern such as `frames/%04d.png`; in a
 * browser a URL; in both the bytes of a file, a Blob or File. Appended to a path or URL, `#track=2` selects the video
 * track (W3C Media Fragments 1.0).
 */
export type FilmSource = string | Uint8Array | FileLike;

/** Members of a Blob or File that are used. */
export interface FileLike {
  readonly size: number;
  slice(from?: number, to?: number): FileLike;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A source, with its first bytes, by which its kind is recognised. */
export interface Material {
  /** Name of the source in messages. */
  readonly name: string;
  /** First bytes of the source, at most 256. */
  readonly head: Uint8Array;
  /** Path (Node) or URL (browser); undefined for bytes, a Blob or File. */
  readonly address?: string;
  /** Number of the selected video track, counted from 1, if any. */
  readonly track?: number;
  bytes(): Promise<Uint8Array>;
}

const headLength = 256;

/** Reads the first bytes of a source, by which its kind is recognised. */
export async function openMaterial(source: FilmSource): Promise<Material> {
  if (typeof source === 'string') {
    // A file is that file, whatever is in its name.
    const isName = source.includes('#') && (await platform.isFile(source));
    const { address, track } = isName ? { address: source, track: undefined } : addressOf(source);
    const head = await platform.read(address, headLength);
    return nonEmpty({ name: address, address, track, head, bytes: () => platform.read(address) });
  }
  if (source instanceof Uint8Array) {
    const name = `the data of ${source.length} bytes`;
    return nonEmpty({ name, head: source.subarray(0, headLength), bytes: async () => source });
  }
  const name = typeof File !== 'undefined' && source instanceof File ? source.name : `the data of ${source.size} bytes`;
  const bytes = async () => new Uint8Array(await source.arrayBuffer());
  const head = new Uint8Array(await source.slice(0, headLength).arrayBuffer());
  return nonEmpty({ name, head, bytes });
}

/**
 * Separates a path or URL from the `#track=2` at its end, if there is one. @throws GradsimError for an invalid track.
 */
function addressOf(source: string): { readonly address: string; readonly track?: number } {
  const at = source.lastIndexOf('#track=');
  if (at < 0) return { address: source };
  const [address, text] = [source.slice(0, at), source.slice(at + '#track='.length)];
  return { address, track: checkTrack(/^\d+$/.test(text) ? Number(text) : Number.NaN, `${source}: track`) };
}

/** Checks the number of a video track. @throws GradsimError unless it is a whole number from 1. */
export function checkTrack(track: number, label: string): number {
  if (Number.isSafeInteger(track) && track >= 1) return track;
  throw new GradsimError('video/no-such-track', `${label} is ${track}; video tracks are counted from 1.`);
}

function nonEmpty(material: Material): Material {
  if (material.head.length === 0)
    throw new GradsimError('video/file-empty', `${material.name} is empty: it has 0 bytes.`);
  return material;
}

/** Kinds of files that can be read: PNG, JPEG, GIF, and videos in a container. */
export type Kind = 'png' | 'jpeg' | 'gif' | 'video';

/**
 * Recognises the kind of a file by its first bytes, whatever its name.
 *
 * @throws GradsimError for a kind that cannot be read, quoting those bytes.
 */
export function kindOf({ name, head }: Material): Kind {
  const text = String.fromCharCode(...head);
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif';
  if (text.startsWith('\x1a\x45\xdf\xa3')) return 'video'; // EBML: WebM and Matroska
  if (/^(ftyp|moov|mdat|wide|free|skip)/.test(text.slice(4))) return 'video'; // MP4 and QuickTime
  if (foreignFormat(head)) return 'video';
  const start = Array.from(head.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  throw new GradsimError(
    'video/unknown-format',
    `${name} is not a video or image of a known format: it starts with the bytes ${start}. Readable are MP4, MOV, WebM, MKV, GIF, PNG and JPEG, and with the program ffmpeg AVI, WMV, FLV, Ogg and MPEG.`,
    { field: name, hint: 'Turn other files into one of these first.' },
  );
}
