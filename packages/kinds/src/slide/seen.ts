import type { StopSignal } from '@gradsim/core';
import type { BoxOutlineOptions, BoxOutlines, Film, Incline, PlacedCamera } from '@gradsim/film';
import { cameraAt, fitBoxOutlines, sizeIn } from '@gradsim/film';
import { boxStates, valuesOf } from '@gradsim/kinds/define';
import type { Estimate, GivenSpec, NamedValues } from '@gradsim/optim';

/**
 * Number of frames, evenly spread, whose pixels are fitted at most, which takes most of the time: they tell the motion of a slide far
 * better than what is measured beside it.
 */
const MOST_FRAMES = 16;

/** Outlines of the box by all pixels around where an estimate says that it is, and the values that were found there. */
export async function boxSeenIn(
  film: Film,
  camera: PlacedCamera,
  expectedMotion: Estimate,
  inclineAt: (degrees: number) => Incline,
  given: readonly GivenSpec[],
  observed: BoxOutlineOptions['observed'] & {},
  signal?: StopSignal,
): Promise<{ readonly v: NamedValues; readonly seen: BoxOutlines }> {
  // Quantities that are exact are not estimated.
  const v = { ...Object.fromEntries(given.map(({ name, value }) => [name, value])), ...valuesOf(expectedMotion) };
  const { view } = cameraAt(camera, v);
  const every = Math.ceil(film.count / MOST_FRAMES);
  const states = boxStates(expectedMotion).map((state, frame) => (frame % every === 0 ? state : undefined));
  const floor = inclineAt(v.angle);
  return { v, seen: await fitBoxOutlines(film, view, { size: sizeIn(v), states, floor, observed, signal }) };
}
