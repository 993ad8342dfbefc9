import { type Film, measuredCamera, pairOutlines, startOfCollision } from '@gradsim/film';
import { ANY_CAMERA, NONE_BEYOND } from '../define/nearest-kind.ts';

/** Least area of the second of two things that collide, as a part of the first's: a smaller one is a shadow. Judged. */
const MIN_SECOND_AREA = 0.25;

/** True for a film of two things of like size that push each other in one moment. */
export async function isCollision(film: Film): Promise<boolean> {
  const covers = film.tracks.map(({ points }) => points.reduce((sum, { area = 0 }) => sum + area, 0));
  if (!(covers[1] > MIN_SECOND_AREA * covers[0])) return false;
  try {
    const { view } = await measuredCamera(film, ANY_CAMERA);
    return startOfCollision(pairOutlines(film), film.times, view, 1).residual < NONE_BEYOND;
  } catch {
    return false;
  }
}
