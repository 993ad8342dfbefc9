import type { StopSignal } from '@gradsim/core';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Check, Posterior } from '@gradsim/optim';
import { runStepsWithPauses } from '@gradsim/video';
import type { Film } from '../../film.ts';
import type { FilmCamera } from '../../film-camera.ts';
import { type ObservedOutline, observedOutlines } from '../../outlines/observed.ts';
import type { ExposedBox } from '../../starts/box/turning.ts';
import { BOX } from '../../tuning/box.ts';
import { type FittedOutlines, fitOutlines } from '../outlines.ts';
import { refuseOtherFilm, refuseShutterOutOfRange } from '../pictures.ts';
import { seenCheck } from '../seen-check.ts';
import { type Plane, shapeOfBox } from './shape.ts';

/** Options of {@link fitBoxOutlines}. */
export interface BoxOutlineOptions {
  /** Size of the box along its axes, m. */
  readonly size: readonly number[];
  /** Approximate poses and motion by frame, with errors of some pixels at most. Frames without one get no outline. */
  readonly states: readonly (ExposedBox | undefined)[];
  /** The floor, a plane: near it the contact shadow hides the lower rim of the box. Default y = 0. */
  readonly floor?: Plane;
  /** Outlines of masks by frame, with which the check compares. Default: those of the track with the largest area. */
  readonly observed?: readonly (ObservedOutline | null | undefined)[];
  /** Exposure time as a fraction of the frame interval. Default: fitted to the fastest frames. */
  readonly shutter?: number;
  /**
   * Rounds of the fit: `coarse` for states some pixels off, `middle` for those of a motion through outlines of a coarse fit, `fine` for
   * those of a motion through outlines of another. Default: all in one.
   */
  readonly rounds?: 'coarse' | 'middle' | 'fine';
  /** Stops the fit when it is aborted; its reason is thrown. */
  readonly signal?: StopSignal;
}

/** Result of {@link fitBoxOutlines}. */
export interface BoxOutlines extends FittedOutlines {
  /**
   * Check for the problem that compares the outlines: the estimate is distrusted if the box explains the pixels of too few of the
   * frames in which it was expected, or the masks have another shape.
   */
  readonly check: Check<Posterior>;
}

/**
 * Outlines of a box, fitted to all pixels around it: in each frame the pose whose picture best matches the frame, with
 * an own colour for each side, blurred by the box's motion while the shutter is open, in front of the film's
 * background. Its outline in the middle of the exposure is far more accurate than that of a mask, which blur and
 * background colours displace.
 *
 * ```ts
 * const { outlines } = await fitBoxOutlines(film, camera, { size: [0.1, 0.06, 0.04], states });
 * ```
 * @throws for sizes that are not above 0, a shutter outside [0, 1], and a camera or states of another film.
 */
export async function fitBoxOutlines(film: Film, camera: FilmCamera, options: BoxOutlineOptions): Promise<BoxOutlines> {
  refuseUnknownOptions<BoxOutlineOptions>('fitBoxOutlines', options, {
    size: 0,
    states: 0,
    floor: 0,
    observed: 0,
    shutter: 0,
    rounds: 0,
    signal: 0,
  });
  const { size, states, floor = { normal: [0, 1, 0], offset: 0 }, observed, shutter, rounds, signal } = options;
  if (size.length !== 3 || !size.every((side) => side > 0 && Number.isFinite(side)))
    throw new GradsimError('film/option-out-of-range', `fitBoxOutlines: size is (${size.join(', ')}).`, {
      field: 'size',
      hint: 'Give three lengths above 0, in metres.',
    });
  refuseShutterOutOfRange('fitBoxOutlines', shutter);
  refuseOtherFilm('fitBoxOutlines', film, camera, states.length);
  const starts = states.map((state, frame) => (state && film.isCompared(frame) ? [state] : []));
  const shape = shapeOfBox({
    size,
    floor,
    camera,
    frameTime: 1 / film.frameRate,
    ...(rounds && { rounds: BOX[rounds] }),
  });
  const fitted = await runStepsWithPauses(fitOutlines(film, shape, starts, shutter), signal);
  const expected = (observed ?? observedOutlines(film)).map((seen, frame) =>
    starts[frame]?.length ? seen : undefined,
  );
  return { ...fitted, check: seenCheck('such a box', 'no such box', expected, fitted.outlines) };
}
