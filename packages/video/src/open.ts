import { platform } from '#platform';
import { openContainer } from './container.ts';
import { VideoError } from './errors.ts';
import type { FilmInfo, Footage } from './footage.ts';
import { openGif } from './gif.ts';
import { type FilmSource, kindOf, type Material, openMaterial } from './material.ts';
import { openPngs } from './png.ts';

/** Opens whatever a source is: a film, or PNG images in the order of the frames. */
export async function openFootage(source: FilmSource | readonly FilmSource[]): Promise<Footage> {
  if (isList(source)) return openSequence(`the ${source.length} images`, source);
  const images = typeof source === 'string' ? await platform.listImages(source) : null;
  if (images) return openSequence(source as string, images);
  const material = await openMaterial(source);
  const kind = kindOf(material);
  if (kind === 'gif') return openGif(material);
  if (kind === 'png') return openPngs(material.name, [material]);
  return openContainer(material);
}

function isList(source: FilmSource | readonly FilmSource[]): source is readonly FilmSource[] {
  return Array.isArray(source);
}

async function openSequence(name: string, sources: readonly FilmSource[]): Promise<Footage> {
  if (sources.length === 0) throw new VideoError(`${name}: there are no PNG images to read.`);
  const materials: Material[] = [];
  for (const source of sources) {
    const material = await openMaterial(source);
    if (kindOf(material) !== 'png') throw new VideoError(`${material.name} is not a PNG image.`);
    materials.push(material);
  }
  return openPngs(name, materials);
}

/**
 * What a film says about itself, without decoding a picture.
 *
 * @example
 * const { width, height, frameCount } = await inspectFilm('ball.mp4');
 *
 * @throws VideoError when there is no such file, or it is of an unknown format, cut short or damaged.
 */
export async function inspectFilm(source: FilmSource | readonly FilmSource[]): Promise<FilmInfo> {
  return (await openFootage(source)).info;
}
