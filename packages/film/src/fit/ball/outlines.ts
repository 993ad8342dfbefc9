import { upperMedian } from '@gradsim/base';
import type { StopSignal } from '@gradsim/core';
import { refuseUnknownOptions } from '@gradsim/core';
import type { Check, Posterior } from '@gradsim/optim';
import { type Frames, runStepsWithPauses } from '@gradsim/video';
import type { FilmCamera } from '../../film-camera.ts';
import { rimError } from '../../outlines/observation.ts';
import type { ObservedOutline } from '../../outlines/observed.ts';
import { BALL } from '../../tuning/ball.ts';
import { type FilmPictures, type FittedOutlines, fitOutlines } from '../outlines.ts';
import { refuseOtherFilm, refuseShutterOutOfRange } from '../pictures.ts';
import { seenCheck } from '../seen-check.ts';
import { fewPixels } from './picture.ts';
import { differsFromBackground, roundOf } from './round.ts';
import { type BallStart, type Direction, isNearContact, shapeOfBall } from './shape.ts';

/** Options of {@link fitBallOutlines}. */
export interface BallOutlineOptions {
  /**
   * Approximate outlines by frame, with errors of some pixels at most, such as those of the masks, by `observedOutlines`.
   * Frames without one get no outline.
   */
  readonly approximate: readonly (ObservedOutline | null | undefined)[];
  /** Exposure time as a fraction of the frame interval. Default: fitted to the fastest frames. */
  readonly shutter?: number;
  /**
   * Unit vector in the picture, to the right and down, towards a surface that the ball touches in all frames: its rim there,
   * which a contact shadow hides, is not compared. Default: none.
   */
  readonly surface?: Direction;
  /** Stops the fit when it is aborted; its reason is thrown. */
  readonly signal?: StopSignal;
}

/** Result of {@link fitBallOutlines}. */
export interface BallOutlines extends FittedOutlines {
  /**
   * Check for the problem that compares the outlines: the estimate is distrusted if a ball explains the pixels of too
   * few of the frames in which it was expected, or its masks are not round.
   */
  readonly check: Check<Posterior>;
  /**
   * Prior of the pixels by which all outlines are larger than the ball, px, for the stage that compares the outlines.
   */
  readonly sizeBias: { readonly mean: number; readonly standardDeviation: number };
}

/**
 * Outlines of a ball, fitted to all pixels around it: in each frame the position and size at which a picture of the
 * ball, with any smooth shading, blurred by its motion while the shutter is open and in front of the film's background,
 * best matches the frame. Outlines of masks are displaced by blur, dark sides and background colours, by up to a tenth
 * of the ball's displacement in a frame.
 *
 * In a frame with a bounce the motion before it and the motion after it are tried; the one that explains more pixels is
 * taken, and its outline gets a larger uncertainty.
 *
 * ```ts
 * const { outlines, check } = await fitBallOutlines(film, camera, { approximate: observedOutlines(film) });
 * ```
 * @throws for a shutter outside [0, 1], and for a camera or frames of another film.
 */
export async function fitBallOutlines(
  film: FilmPictures,
  camera: FilmCamera,
  options: BallOutlineOptions,
): Promise<BallOutlines> {
  refuseUnknownOptions<BallOutlineOptions>('fitBallOutlines', options, {
    approximate: 0,
    shutter: 0,
    surface: 0,
    signal: 0,
  });
  const { approximate, shutter, surface, signal } = options;
  refuseShutterOutOfRange('fitBallOutlines', shutter);
  refuseOtherFilm('fitBallOutlines', film, camera, approximate.length);
  const round = approximate.map((seen, frame) => seen && roundOf(film, frame, seen));
  const near = round.map((one) => one?.start);
  const starts = near.map((_, frame) => startsAt(near, frame, film.frames));
  const fitted = await runStepsWithPauses(fitOutlines(film, shapeOfBall(camera, surface), starts, shutter), signal);
  const sizes = near.flatMap((seen) => seen?.size ?? []);
  const more = sizes.length === 0 ? 0 : BALL.few.size * fewPixels(upperMedian(sizes));
  const { mean, standardDeviation } = BALL.sizeBias;
  const sizeBias = { mean, standardDeviation: Math.hypot(standardDeviation, more) };
  const rims = round.map((one) => one?.rim);
  const check = seenCheck('a ball', 'not round', rims, fitted.outlines, (frame, { off, between }, found) => {
    const fromMiddle: Direction = [between[0] - found.x, between[1] - found.y];
    const isHidden = surface !== undefined && isNearContact(surface, found.size, fromMiddle);
    const isCut = off < -rimError(found.size) && differsFromBackground(film, frame, between);
    return !isHidden && !isCut;
  });
  return { ...fitted, check, sizeBias };
}

/**
 * Starts of the fit to a frame: two where the ball's path turns, with the motion before and after; none if the ball has
 * no approximate outline there.
 */
function startsAt(near: BallOutlineOptions['approximate'], frame: number, frames: Frames): BallStart[] {
  const here = near[frame];
  if (!here) return [];
  const wayTo = (beside: number): BallStart['displacement'] | undefined => {
    const there = near[beside];
    if (!there) return undefined;
    const { times, frameRate } = frames;
    const intervals = times ? (times[beside] - times[frame]) * frameRate : beside - frame;
    return [(there.x - here.x) / intervals, (there.y - here.y) / intervals];
  };
  // Beside frames without a picture the next ones tell the motion.
  const [before, after] = [-1, 1].map((step) =>
    [1, ...(frames.times ? BALL.beside : [])].map((k) => wayTo(frame + k * step)).find((way) => way !== undefined),
  );
  const start = (displacement: BallStart['displacement'], displacementChange = 0): BallStart => ({
    x: here.x,
    y: here.y,
    size: here.size,
    displacement,
    displacementChange,
    sizeExcess: excessOf(near, frame),
  });
  if (!before || !after) return [start(before ?? after ?? [0, 0])];
  const turn = Math.hypot(after[0] - before[0], after[1] - before[1]);
  const far = Math.max(Math.hypot(...before), Math.hypot(...after));
  if (turn > BALL.turn.pixels + BALL.turn.part * far) return [start(before, turn), start(after, turn)];
  return [start([(before[0] + after[0]) / 2, (before[1] + after[1]) / 2])];
}

/**
 * Excess of a mask's size over the median in neighbouring frames, px: an estimate of what else the mask contains, such
 * as the ball's shadow. 0 if it is small.
 */
function excessOf(near: BallOutlineOptions['approximate'], frame: number): number {
  const { part, frames } = BALL.excess;
  const sizes = near
    .slice(Math.max(0, frame - frames), frame + frames + 1)
    .flatMap((seen) => (seen ? [seen.size] : []));
  const usual = upperMedian(sizes);
  const excess = near[frame]!.size - usual;
  return excess > part * usual ? excess : 0;
}
