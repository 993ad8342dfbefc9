import { GradsimError, refuseUnknownOptions } from '@gradsim/base';
import { platform } from '#platform';
import { encodeGif } from '../formats/gif/gif.ts';
import { encodePng, encodePngs, type PngOptions } from '../formats/png.ts';
import { checkFrames, type Frames, frameCount } from '../frames/frames.ts';
import { encodeVideo, type VideoOptions } from './video.ts';

/** File format of a film. */
export type FilmFormat = 'mp4' | 'webm' | 'gif' | 'png';

/** Options of all formats; those that do not apply to the format at hand are ignored. */
export interface EncodeOptions extends VideoOptions, PngOptions {}

/** Options of {@link writeFrames}. */
export interface WriteOptions extends EncodeOptions {
  /** True to replace existing files. Default false. */
  overwrite?: boolean;
}

const ENCODE_OPTIONS = { quantizer: true, chroma: true, depth: true } as const;

/**
 * Encodes a film as one file, in Node and in browsers, and returns its bytes. PNG holds one frame.
 *
 * @example
 * const url = URL.createObjectURL(new Blob([await encodeFrames(film, 'webm')], { type: 'video/webm' }));
 *
 * @throws GradsimError for values that are not finite, a size that the format cannot hold, a missing encoder.
 */
export async function encodeFrames(
  frames: Frames,
  format: FilmFormat,
  options: EncodeOptions = {},
): Promise<Uint8Array> {
  refuseUnknownOptions('encodeFrames', options, ENCODE_OPTIONS);
  checkFrames(frames);
  if (format === 'gif') return encodeGif(frames);
  if (format === 'mp4' || format === 'webm') return encodeVideo(frames, format, options);
  if (format !== 'png') throw new GradsimError('video/unknown-format', unknownFormat(`"${String(format)}"`));
  if (frameCount(frames) !== 1) {
    throw new GradsimError('video/too-many-frames', `A PNG holds one frame, not ${frameCount(frames)}.`, {
      hint: 'Write a sequence with a pattern such as frames/%04d.png.',
    });
  }
  return encodePng(frames, 0, { depth: options.depth });
}

/**
 * Writes a film to a file, whose extension determines the format, or to a sequence of PNGs named by a pattern with the
 * frame number, from 0. Missing folders are created. Either all files are written or none. Node only.
 *
 * @example
 * await writeFrames('out/toss.mp4', film);
 * await writeFrames('out/%04d.png', film, { depth: 16 });
 *
 * @throws GradsimError for what {@link encodeFrames} refuses, an unknown extension, a file that exists.
 */
export async function writeFrames(path: string, frames: Frames, options: WriteOptions = {}): Promise<void> {
  const { overwrite = false, ...encoding } = options;
  refuseUnknownOptions<WriteOptions>('writeFrames', options, { ...ENCODE_OPTIONS, overwrite: true });
  const format = /\.(mp4|webm|gif|png)$/i.exec(path)?.[1].toLowerCase() as FilmFormat | undefined;
  if (!format) throw new GradsimError('video/unknown-format', unknownFormat(path));
  const files = new Map<string, Uint8Array>();
  const number = /%0?(\d*)d/;
  if (format === 'png' && number.test(path)) {
    checkFrames(frames, path);
    const digits = Number(number.exec(path)![1] || 0);
    const images = await encodePngs(frames, { depth: encoding.depth });
    images.forEach((bytes, f) => {
      files.set(path.replace(number, String(f).padStart(digits, '0')), bytes);
    });
  } else {
    files.set(path, await encodeFrames(frames, format, encoding));
  }
  await platform.write(files, { overwrite });
}

function unknownFormat(what: string): string {
  return `${what} is not a format that can be written: use mp4, webm, gif or png.`;
}
