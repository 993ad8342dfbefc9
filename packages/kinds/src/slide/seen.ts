import type { StopSignal } from '@gradsim/core';
import type { BoxOutlineOptions, BoxOutlines, Film } from '@gradsim/film';
import { cameraAt, fitBoxOutlines, sizeIn } from '@gradsim/film';
import { type NearSlide, type SlideSpecs, slideNear } from './near.ts';

/**
 * Number of frames, evenly spread, whose pixels are fitted at most, which takes most of the time: they tell the motion of a slide far
 * better than what is measured beside it.
 */
const MOST_FRAMES = 16;

/** Outlines of the box by all pixels around where its masks say that it is, and the values that were found there. */
export async function boxSeenIn(
  film: Film,
  specs: SlideSpecs,
  observed: BoxOutlineOptions['observed'] & {},
  signal?: StopSignal,
): Promise<Pick<NearSlide, 'v'> & { readonly seen: BoxOutlines }> {
  const { camera, inclineAt } = specs;
  const { v, states } = slideNear(film, observed, specs);
  const { view } = cameraAt(camera, v);
  const every = Math.ceil(film.count / MOST_FRAMES);
  const some = states.map((state, frame) => (frame % every === 0 ? state : undefined));
  const floor = inclineAt(v.angle);
  return { v, seen: await fitBoxOutlines(film, view, { size: sizeIn(v), states: some, floor, observed, signal }) };
}
