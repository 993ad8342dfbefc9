import { GradsimError } from '@gradsim/base';
import { reasonOf } from '../errors.ts';
import { canDecode, closeContainer, decodePictures, openContainer } from '../formats/container/container.ts';
import type { Platform, VideoReader } from '../platform.ts';
import { foreignFormat } from '../source/foreign-format.ts';
import type { Material } from '../source/material.ts';
import { type ReadingLimits, withTimeout } from '../source/watch.ts';

/** Functions for browsers: reading from URLs, decoding with WebCodecs. */
export const platform: Platform = {
  read,
  isFile: async () => false,
  listImages: async () => null,
  write: async (files) => {
    throw new GradsimError(
      'video/not-in-browser',
      `A browser writes no files, so ${[...files.keys()][0]} cannot be written.`,
      { hint: 'Take the bytes of encodeFrames.' },
    );
  },
  openVideo,
  prepareDecoder: () => {},
  registerCodecs: async () => {},
  encoderAdvice: adviceFor,
};

/** Advice where a browser has no codec; another one is VP9, unless it is that which is lacking. */
function adviceFor(codec: string): string {
  const other = codec === 'vp9' ? '' : 'another codec, such as VP9 in WebM, or ';
  return `This browser has no WebCodecs for it: use a current Chromium, Firefox or Safari on a secure (https) page, or ${other}a GIF, which needs none.`;
}

/** Opens a video in the page's thread; browsers run decoders outside of it anyway. */
async function openVideo(material: Material, watch: ReadingLimits): Promise<VideoReader> {
  const foreign = foreignFormat(material.head);
  if (foreign)
    throw new GradsimError(
      'video/no-decoder',
      `${material.name} is a film in ${foreign.toUpperCase()}, which browsers do not read.`,
      { field: material.name, hint: 'Convert it first: `ffmpeg -i FILE -c:v libx264 -crf 12 film.mp4`' },
    );
  const opening = material.bytes().then((bytes) => openContainer(material.name, bytes, material.track));
  const container = await withTimeout(opening, watch, `${material.name}: what it holds`, () => {});
  const { info } = container;
  const close = (): void => closeContainer(container);
  return {
    info,
    close,
    async *decode(range) {
      if (!(await canDecode(container)))
        throw new GradsimError(
          'video/no-decoder',
          `${info.name}: there is no decoder for its codec ${info.codec} here. ${adviceFor(info.codec ?? '')}`,
        );
      yield* decodePictures(container, range);
    },
  };
}

async function read(url: string, limit?: number): Promise<Uint8Array> {
  let response: Response;
  try {
    // Servers that support ranges send only the start; others send everything, and the start is taken.
    response = await fetch(url, limit ? { headers: { Range: `bytes=0-${limit - 1}` } } : {});
  } catch (error) {
    throw new GradsimError('video/file-unreadable', `${url} cannot be fetched: ${reasonOf(error)}`, { cause: error });
  }
  if (!response.ok) {
    throw new GradsimError(
      'video/file-unreadable',
      `${url} cannot be fetched: the server says ${response.status} ${response.statusText}.`,
    );
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  return limit ? bytes.subarray(0, limit) : bytes;
}
