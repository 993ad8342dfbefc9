import { isGradsimError } from '@gradsim/core';
import { type Film, type FilmCamera, pairOutlines, startOfCollision } from '@gradsim/film';
import { filmOf, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import type { measures } from './measures.ts';

/** A film with the picture's plane of motion. */
interface Seen {
  readonly film: Film;
  readonly view: FilmCamera;
  /** Distance of the plane of the motion from the camera, m. */
  readonly distance: number;
}

/**
 * Outlines and start of two things that collide, the first being the faster one before they touch. Where masks that keep dark
 * wheels hold shadows in place of pale carts, the film is read again with masks without what looks like a shadow.
 *
 * @throws where neither film shows two things that push each other.
 */
export async function fasterFirst(seen: Seen, measured: MeasuredBy<typeof measures>, context: KindContext) {
  const { film, both, colliders, time } = await collisionIn(seen, measured, context);
  const speeds = colliders.map(({ before }) => Math.hypot(...before));
  const isSwapped = speeds[1] > speeds[0];
  const [fast, slow] = [Math.max(...speeds), Math.min(...speeds)].map((speed) => speed.toFixed(3));
  context.log(
    `they touch at ${time.toFixed(3)} s; before, the first moves with ${fast} m/s and the second with ${slow} m/s`,
  );
  return {
    film,
    time,
    pair: isSwapped ? both.map((two) => two && ([two[1], two[0]] as const)) : both,
    first: colliders[isSwapped ? 1 : 0],
    second: colliders[isSwapped ? 0 : 1],
  };
}

async function collisionIn(seen: Seen, measured: MeasuredBy<typeof measures>, context: KindContext) {
  const of = (film: Film) => {
    const both = pairOutlines(film);
    return { film, both, ...startOfCollision(both, film.times, seen.view, seen.distance) };
  };
  try {
    return of(seen.film);
  } catch (error) {
    if (!isGradsimError(error)) throw error;
    try {
      return of(await filmOf(measured, { ...context, mask: 'moving' }));
    } catch (second) {
      throw isGradsimError(second) ? error : second;
    }
  }
}
