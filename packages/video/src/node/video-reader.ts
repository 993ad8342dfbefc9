import { resolve } from 'node:path';
import { GradsimError, isGradsimError } from '@gradsim/base';
import { reasonOf } from '../errors.ts';
import type { NumberedPicture, VideoInfo } from '../formats/container/container.ts';
import type { VideoReader } from '../platform.ts';
import type { FilmInfo } from '../source/footage.ts';
import { foreignFormat } from '../source/foreign-format.ts';
import type { Material } from '../source/material.ts';
import { type ReadingLimits, withTimeout } from '../source/watch.ts';
import { Decoder } from './decoder/client.ts';
import { decodeWithFfmpeg } from './ffmpeg.ts';
import { type GroupGuard, hasFfmpeg } from './ffmpeg-program.ts';
import { describeForeign } from './foreign.ts';

/** An idle decoder process for the next film, if any: starting one takes a tenth of a second. */
let idleDecoder: Decoder | undefined;

function takeDecoder(): Decoder {
  const decoder = idleDecoder?.isAlive ? idleDecoder : new Decoder();
  idleDecoder = undefined;
  decoder.keepAlive(true);
  return decoder;
}

/** Starts a decoder process for the next film, unless one is idle already. */
export function prepareDecoder(): void {
  if (!idleDecoder?.isAlive) idleDecoder = new Decoder();
}

/** What is known of a film before it is decoded. */
interface FilmDescription {
  readonly info: VideoInfo;
  readonly times: readonly number[];
  readonly canDecode: boolean;
}

/** Opens a video in a child process, which also decodes it unless only the program ffmpeg has the codec. */
export async function openVideo(material: Material, watch: ReadingLimits): Promise<VideoReader> {
  const { name, address, track } = material;
  const decoder = takeDecoder();
  const film = address === undefined ? await material.bytes() : resolve(address);
  const guard: GroupGuard = (group) => decoder.endGroupAtExit(group);
  const ending = new AbortController();
  let signs = 0;
  const onProgress = (): void => {
    signs++;
  };
  /** Describes a film by the program ffmpeg, where that is installed. */
  async function describeByFfmpeg(format: FilmInfo['format'], missing: () => GradsimError): Promise<FilmDescription> {
    const works = await hasFfmpeg(watch.patience, guard).finally(onProgress);
    if (!works) throw missing();
    return {
      ...(await describeForeign(material, format, { guard, signal: ending.signal, onProgress })),
      canDecode: false,
    };
  }
  const foreign = foreignFormat(material.head);
  const opening: Promise<FilmDescription> = foreign
    ? describeByFfmpeg(
        foreign,
        () =>
          new GradsimError(
            'video/no-decoder',
            `${name} is a film in ${foreign.toUpperCase()}, which the program ffmpeg reads, and there is none here. ${decoderAdvice('')}`,
          ),
      )
    : open(decoder, { name, film, track }).catch((error) => {
        if (!isGradsimError(error, 'video/unknown-codec')) throw error;
        const format = material.head[0] === 0x1a ? 'mkv' : 'mov';
        return describeByFfmpeg(format, () => error);
      });
  const signsOfOpening = { progressCount: () => decoder.signs + signs };
  const stop = (): void => {
    ending.abort();
    decoder.end();
  };
  const opened = await withTimeout(opening, watch, `${name}: what it holds`, () => stop(), signsOfOpening).catch(
    (error) => {
      if (isGradsimError(error) && decoder.isAlive) returnDecoder(decoder);
      else decoder.end();
      if (isGradsimError(error) || watch.signal?.aborted) throw error;
      throw new GradsimError(
        'video/file-damaged',
        `${name} cannot be read as a video: ${reasonOf(error)} The file may be cut short or damaged.`,
        { hint: 'Copy or export it again.', cause: error },
      );
    },
  );
  const { info, times, canDecode } = opened;
  /** True if the decoder has no pending work for this film. */
  let isAtRest = true;
  let isClosed = false;
  /** Yields pictures decoded by the program ffmpeg; whether ffmpeg works is checked while it begins to decode. */
  async function* decodeByFfmpeg(range: { first: number; last: number }): AsyncGenerator<NumberedPicture> {
    const canRun = hasFfmpeg(watch.patience, guard);
    const pictures = decodeWithFfmpeg({ material, times, storedSize: info.stored, track: info.track.number }, range, {
      signal: ending.signal,
      guard,
      onProgress,
    });
    const first = pictures.next();
    // Where ffmpeg cannot run that is said instead.
    first.catch(() => {});
    try {
      // A sign of progress, so that ffmpeg is blamed, and not the film that is given up at the same time.
      const works = await canRun.finally(onProgress);
      if (!works)
        throw new GradsimError(
          'video/no-decoder',
          `${name}: there is no decoder for its codec ${info.codec} here. ${decoderAdvice(info.codec)}`,
        );
      for (let next = await first; !next.done; next = await pictures.next()) yield next.value;
    } finally {
      ending.abort();
      await pictures.return(undefined);
    }
  }
  return {
    info,
    progressCount: () => signs,
    ...(canDecode ? {} : { program: 'ffmpeg' }),
    async *decode(range) {
      if (canDecode) {
        isAtRest = false;
        yield* decoder.decode(range);
        isAtRest = true;
      } else yield* decodeByFfmpeg(range);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      ending.abort();
      if (isAtRest) returnDecoder(decoder);
      else decoder.end();
    },
  };
}

async function open(
  decoder: Decoder,
  what: { readonly name: string; readonly film: string | Uint8Array; readonly track: number | undefined },
) {
  decoder.send({ kind: 'open', ...what });
  for (;;) {
    const answer = await decoder.answer();
    // Other answers belong to the previous film.
    if (answer.kind === 'opened') return answer;
  }
}

function returnDecoder(decoder: Decoder): void {
  decoder.send({ kind: 'close' });
  decoder.keepAlive(false);
  if (idleDecoder || !decoder.isAlive) decoder.end();
  else idleDecoder = decoder;
}

const MEDIABUNNY_SERVER =
  'the npm package @mediabunny/server, which brings a native FFmpeg of 175 MB that is built with GPL parts (x264, x265)';

/** Returns advice on what to install to read a codec. */
function decoderAdvice(codec: string): string {
  const libav = '@libav.js/variant-webm-vp9 (LGPL, npm install @libav.js/variant-webm-vp9)';
  const forVpx = codec === 'vp8' || codec === 'vp9' ? `the npm package ${libav}, or ` : '';
  return (
    `Install ${forVpx}the program ffmpeg 5.1 or newer (LGPL or GPL, as it was built), or ${MEDIABUNNY_SERVER}, and ` +
    'try again. GIF and PNG need none.'
  );
}

/** Returns advice on what to install to write a codec. */
export function encoderAdvice(codec: string): string {
  if (codec === 'vp9')
    return 'Install the npm package @libav.js/variant-webm-vp9 (LGPL, npm install @libav.js/variant-webm-vp9), and try again. GIF and PNG need none.';
  return `Write WebM, GIF or PNG, or install ${MEDIABUNNY_SERVER}, and try again.`;
}
