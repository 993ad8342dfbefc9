import type { Film, FilmCamera, PlacedCamera } from '@gradsim/film';
import type { Estimate, NamedValues } from '@gradsim/optim';

/** Values of the unknowns and of the given quantities at an estimate, by name, as ties take them. */
export const valuesOf = ({ parameters, given }: Estimate): NamedValues =>
  Object.fromEntries(Object.entries({ ...parameters, ...given }).map(([name, { estimate }]) => [name, estimate]));

/** Camera of a film's pictures at values found for what was measured of it. */
export async function cameraAt(film: Film, { values, ties }: PlacedCamera, v: NamedValues): Promise<FilmCamera> {
  const [{ filmCamera }, { PinholeCamera }] = await Promise.all([import('@gradsim/film'), import('@gradsim/render')]);
  const tied = ties.map(({ field, compute }) => [
    String(typeof field === 'string' ? field : field.key).split('.')[1],
    compute(v),
  ]);
  return filmCamera(PinholeCamera, { ...values, ...Object.fromEntries(tied) }, film.size);
}
