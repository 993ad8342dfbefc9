import type { FilmOptions } from '@gradsim/film';
import { readFilm, strokesOf } from '@gradsim/film';
import type { Value } from '../../../../packages/gradsim/src/new/measured.ts';

/** Film of the current estimation, and the function that its reading reports progress to. */
export const source: { file?: File; onProgress?: (step: string, fraction: number) => void } = {};

/** Measurements of a film that its reading uses. */
type FilmMeasured = Readonly<Record<string, Value>>;

/**
 * Reads the page's film as `film.ts` of an experiment's folder reads its file, with masks of the moving things.
 */
export async function filmOf(
  measured: FilmMeasured,
  { signal }: Pick<FilmOptions, 'signal'>,
  mask: FilmOptions['mask'] = 'moving',
) {
  const { first, last, frameRate, chroma, clock, upright } = measured as Record<string, number | null> & {
    readonly chroma: 'left' | 'centre';
    readonly clock: 'right' | 'wrong';
  };
  return readFilm(source.file, {
    first: first ?? undefined,
    last: last ?? undefined,
    without: (measured.without as readonly number[] | null) ?? [],
    retouch: strokesOf(measured.retouch as string | null),
    ...(frameRate === null ? {} : { frameRate }),
    clock,
    upright: Number(upright) as FilmOptions['upright'],
    chroma,
    steady: measured.steady === 'yes',
    // What the page draws is in pixels of the file.
    pixels: 'all',
    mask,
    signal,
    onProgress: (done, of) => {
      source.onProgress?.('reading', done / of);
      if (done === of) source.onProgress?.('masks', 0);
    },
  });
}
