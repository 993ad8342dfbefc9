import type { Film, FilmOptions } from '@gradsim/film';
import type { KindContext } from '../define/kind.ts';
import type { MeasuredFilm } from './measures.ts';

/**
 * Reads the film of an experiment as its measurements say, with masks of the moving things.
 *
 * ```ts
 * const film = await filmOf(measured, context);
 * ```
 */
export async function filmOf(
  measured: MeasuredFilm,
  context: Pick<KindContext, 'video' | 'fileOf' | 'signal' | 'onProgress' | 'onFilm' | 'mask'> &
    Partial<Pick<KindContext, 'log'>>,
): Promise<Film> {
  const { video, fileOf, signal, log, onProgress, onFilm, mask = 'moving' } = context;
  const { readFilm, strokesOf } = await import('@gradsim/film');
  const { background, camera, frameRate } = measured;
  const film = await readFilm(video ?? fileOf(measured.video), {
    first: measured.first ?? undefined,
    last: measured.last ?? undefined,
    without: measured.without ?? [],
    retouch: strokesOf(measured.retouch),
    ...(frameRate === null ? {} : { frameRate }),
    clock: measured.clock,
    ...(background === null ? {} : { background: { file: fileOf(background) } }),
    ...(camera === null ? {} : { camera: await cameraFile(fileOf(camera), camera, measured) }),
    upright: Number(measured.upright) as FilmOptions['upright'],
    chroma: measured.chroma,
    steady: measured.steady === 'yes',
    pixels: measured.pixels,
    ...(log ? { log } : {}),
    mask,
    signal,
    onProgress: (done, of) => {
      onProgress?.('reading', done / of);
      if (done === of) onProgress?.('masks', 0);
    },
  });
  onFilm?.(film);
  return film;
}

async function cameraFile(path: string, name: string, { up }: MeasuredFilm) {
  const [{ readText }, { readCamera }] = await Promise.all([import('@gradsim/base/files'), import('@gradsim/cameras')]);
  return readCamera(await readText(path), { name, ...(up === null ? {} : { up }) });
}
