import type { StopSignal } from '@gradsim/core';
import {
  type BallOutlines,
  type Film,
  type FilmCamera,
  fitBallOutlines,
  observedOutlines,
  type rollIn,
  surfaceSeen,
} from '@gradsim/film';

/** Outlines of a ball that rolls, from all pixels but those where it touches the incline. */
export const rollOutlines = (
  film: Film,
  camera: FilmCamera,
  { track, start }: ReturnType<typeof rollIn>,
  signal?: StopSignal,
): Promise<BallOutlines> =>
  fitBallOutlines(film, camera, {
    approximate: observedOutlines(film, track),
    surface: surfaceSeen(start, camera),
    signal,
  });
