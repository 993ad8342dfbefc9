import { GradsimError, refuseUnknownOptions, type StopSignal } from '@gradsim/base';
import { platform } from '#platform';
import { openGif } from '../formats/gif/gif.ts';
import { openImages } from '../formats/images.ts';
import type { FilmInfo, Footage } from '../source/footage.ts';
import { checkTrack, type FilmSource, kindOf, type Material, openMaterial } from '../source/material.ts';
import { DEFAULT_TIMEOUT, type ReadingLimits, readingLimits } from '../source/watch.ts';
import { openVideo } from './video.ts';

/** Opens any source: a video, a GIF, or PNG or JPEG images in the order of the frames. */
export async function openFootage(
  source: FilmSource | readonly FilmSource[],
  watch: ReadingLimits,
  track?: number,
): Promise<Footage> {
  watch.signal?.throwIfAborted();
  if (isList(source)) return openSequence(`the ${source.length} images`, source, watch);
  const images = typeof source === 'string' ? await platform.listImages(source) : null;
  if (images) return openSequence(source as string, images, watch);
  const opened = await openMaterial(source);
  const material = track === undefined ? opened : { ...opened, track: checkTrack(track, `${opened.name}: track`) };
  const kind = kindOf(material);
  if (kind !== 'video' && (material.track ?? 1) !== 1)
    throw new GradsimError(
      'video/no-such-track',
      `${material.name} is of images, so there is no track ${material.track}.`,
    );
  if (kind === 'gif') return openGif(material, watch);
  if (kind === 'png' || kind === 'jpeg') return openImages(material.name, [material], watch);
  return openVideo(material, watch);
}

/**
 * Starts what takes time before the first video can be read: in Node, the child process that decodes it. It ends when
 * this process ends, even if no film is read.
 *
 * ```ts
 * prepareDecoder();
 * const { model } = await import('./scene.js'); // meanwhile
 * const film = await readFrames('ball.mp4');
 * ```
 */
export const prepareDecoder = (): void => platform.prepareDecoder();

function isList(source: FilmSource | readonly FilmSource[]): source is readonly FilmSource[] {
  return Array.isArray(source);
}

async function openSequence(name: string, sources: readonly FilmSource[], watch: ReadingLimits): Promise<Footage> {
  if (sources.length === 0) throw new GradsimError('video/nothing-in-film', `${name}: there are no images to read.`);
  const materials: Material[] = [];
  for (const source of sources) {
    const material = await openMaterial(source);
    const kind = kindOf(material);
    if (kind !== 'png' && kind !== 'jpeg')
      throw new GradsimError('video/unknown-format', `${material.name} is neither a PNG nor a JPEG image.`);
    materials.push(material);
  }
  return openImages(name, materials, watch);
}

/**
 * Reads the metadata of a film, without decoding a picture.
 *
 * @example
 * const { width, height, frameCount } = await inspectFilm('ball.mp4');
 *
 * @param options `signal` stops reading when it is aborted; `patience` is the maximum time without progress, s; `track`
 * is the number of the video track, counted from 1.
 *
 * @throws GradsimError when there is no such file, or it is of an unknown format, truncated or damaged.
 */
export async function inspectFilm(
  source: FilmSource | readonly FilmSource[],
  {
    signal,
    patience = DEFAULT_TIMEOUT,
    track,
    ...others
  }: { signal?: StopSignal; patience?: number; track?: number } = {},
): Promise<FilmInfo> {
  refuseUnknownOptions('inspectFilm', others, { signal: true, patience: true, track: true });
  const footage = await openFootage(source, readingLimits(signal, patience), track);
  footage.close();
  return footage.info;
}
