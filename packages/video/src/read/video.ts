import { GradsimError, isGradsimError } from '@gradsim/base';
import { platform } from '#platform';
import { damageReason } from '../errors.ts';
import { DecodingError, damaged } from '../formats/container/damage.ts';
import type { VideoReader } from '../platform.ts';
import type { Footage, PictureReader } from '../source/footage.ts';
import type { Material } from '../source/material.ts';
import type { ReadingLimits } from '../source/watch.ts';
import { withTimeout } from '../source/watch.ts';
import type { ChromaPlace } from '../source/yuv.ts';
import { rgbaReader } from '../source/yuv.ts';

/**
 * Opens an MP4, MOV, WebM or MKV file. Nothing is decoded before {@link Footage.pictures} is read.
 *
 * @throws GradsimError when the file is no such container, is truncated, has no video in it, or takes too long.
 */
export async function openVideo(material: Material, watch: ReadingLimits): Promise<Footage> {
  const reader = await platform.openVideo(material, watch);
  return {
    info: reader.info,
    pictures: (indices, chroma) => pictures(reader, watch, indices, chroma),
    close: () => reader.close(),
  };
}

/** Codecs whose standards put samples of colour between two columns, whatever wrote the film: JFIF, MPEG-1. */
const CENTRED_CHROMA_CODECS: readonly string[] = ['mjpeg', 'mpeg1video'];

async function* pictures(
  reader: VideoReader,
  watch: ReadingLimits,
  indices: readonly number[],
  chroma?: ChromaPlace,
): AsyncGenerator<PictureReader> {
  const { info } = reader;
  const wanted = new Set(indices);
  const range = { first: indices[0], last: indices[indices.length - 1] };
  let expected = range.first;
  const decoded = reader.decode(range)[Symbol.asyncIterator]();
  const next = () =>
    withTimeout(
      decoded.next(),
      watch,
      `${info.name}: frame ${expected} of ${info.frameCount}`,
      () => reader.close(),
      reader,
    );
  try {
    for (let result = await next(); !result.done; result = await next()) {
      const { index, picture } = result.value;
      if (index !== expected) break;
      if (wanted.has(index)) {
        const stored = await picture();
        if (stored.width !== info.stored.width || stored.height !== info.stored.height)
          throw new GradsimError(
            'video/other-shape',
            `${info.name}: frame ${index} is ${stored.width} x ${stored.height} pixels, and the film ${info.stored.width} x ${info.stored.height}.`,
            { hint: 'Convert the film to one size.' },
          );
        const place = CENTRED_CHROMA_CODECS.includes(info.codec) ? 'centre' : chroma;
        yield rgbaReader(stored, info.rotation, place, info.isMirrored);
      }
      expected++;
    }
  } catch (error) {
    if (isGradsimError(error) || watch.signal?.aborted) throw error;
    const frame = error instanceof DecodingError ? error.frame : expected;
    throw damaged(info, frame, damageReason(error), error);
  } finally {
    reader.close();
  }
  if (expected <= range.last) throw damaged(info, expected, 'the decoder returned no picture for it.');
}
