import { type Film, type FilmCamera, pairOutlines, startOfCollision } from '@gradsim/film';

/**
 * Outlines and start of two things that collide, the first being the faster one before they touch.
 *
 * @param distance distance of the plane of their motion from the camera, m.
 * @throws where the film does not show two things that push each other.
 */
export function fasterFirst(film: Film, view: FilmCamera, distance: number, log: (text: string) => void) {
  const both = pairOutlines(film);
  const { colliders, time } = startOfCollision(both, film.times, view, distance);
  const speeds = colliders.map(({ before }) => Math.hypot(...before));
  const isSwapped = speeds[1] > speeds[0];
  const [fast, slow] = [Math.max(...speeds), Math.min(...speeds)].map((speed) => speed.toFixed(3));
  log(`they touch at ${time.toFixed(3)} s; before, the first moves with ${fast} m/s and the second with ${slow} m/s`);
  return {
    time,
    pair: isSwapped ? both.map((two) => two && ([two[1], two[0]] as const)) : both,
    first: colliders[isSwapped ? 1 : 0],
    second: colliders[isSwapped ? 0 : 1],
  };
}
