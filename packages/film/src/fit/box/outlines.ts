import { dot, multiplyQuaternions, rotate, rotationAbout } from '@gradsim/base';
import type { StopSignal } from '@gradsim/core';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Check, Posterior } from '@gradsim/optim';
import { runStepsWithPauses } from '@gradsim/video';
import type { FilmCamera } from '../../camera.ts';
import type { Film } from '../../film.ts';
import { type ObservedOutline, observedOutlines } from '../../outlines/observed.ts';
import { boxOutline } from '../../starts/box/outline.ts';
import type { BoxState } from '../../starts/box/turning.ts';
import { BOX } from '../../tuning/box.ts';
import type { Canvas } from '../canvas.ts';
import { type FittedOutlines, fitOutlines, type Shape } from '../outlines.ts';
import type { PartSeen } from '../parts.ts';
import { refuseOtherFilm, refuseShutterOutOfRange } from '../pictures.ts';
import { seenCheck } from '../seen-check.ts';
import { movedOn, sidesOf, sidesSeen } from './picture.ts';

/** Options of {@link fitBoxOutlines}. */
export interface BoxOutlineOptions {
  /** Size of the box along its axes, m. */
  readonly size: readonly number[];
  /** Approximate poses and motion by frame, with errors of some pixels at most. Frames without one get no outline. */
  readonly states: readonly (BoxState | undefined)[];
  /** The floor, a plane: near it the contact shadow hides the lower rim of the box. Default y = 0. */
  readonly floor?: Plane;
  /** Outlines of masks by frame, with which the check compares. Default: those of the track with the largest area. */
  readonly observed?: readonly (ObservedOutline | null | undefined)[];
  /** Exposure time as a fraction of the frame interval. Default: fitted to the fastest frames. */
  readonly shutter?: number;
  /** Stops the fit when it is aborted; its reason is thrown. */
  readonly signal?: StopSignal;
}

/** A plane: the points x with normal . x = offset, m; the normal is of length 1. */
interface Plane {
  readonly normal: readonly number[];
  readonly offset: number;
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
    signal: 0,
  });
  const { size, states, floor = { normal: [0, 1, 0], offset: 0 }, observed, shutter, signal } = options;
  if (size.length !== 3 || !size.every((side) => side > 0 && Number.isFinite(side)))
    throw new GradsimError('film/option-out-of-range', `fitBoxOutlines: size is (${size.join(', ')}).`, {
      field: 'size',
      hint: 'Give three lengths above 0, in metres.',
    });
  refuseShutterOutOfRange('fitBoxOutlines', shutter);
  refuseOtherFilm('fitBoxOutlines', film, camera, states.length);
  const starts = states.map((state, frame) => (state && film.isCompared(frame) ? [state] : []));
  const shape = shapeOfBox({ size, floor, camera, frameTime: 1 / film.frameRate });
  const fitted = await runStepsWithPauses(fitOutlines(film, shape, starts, shutter), signal);
  const expected = (observed ?? observedOutlines(film)).map((seen, frame) =>
    starts[frame]?.length ? seen : undefined,
  );
  return { ...fitted, check: seenCheck('such a box', 'no such box', expected, fitted.outlines) };
}

interface GivenBoxGeometry {
  readonly size: readonly number[];
  readonly floor: Plane;
  readonly camera: FilmCamera;
  /** Frame interval, s. */
  readonly frameTime: number;
}

/**
 * Shape of a box in a picture, with its exposure time in s. Its unknowns are three of position, m, three of rotation,
 * rad, and the relative change of exposure.
 */
const shapeOfBox = ({
  size,
  floor,
  camera,
  frameTime,
}: GivenBoxGeometry): Shape<BoxState, BoxState & { readonly seconds: number }> => ({
  tuning: BOX,
  wholeFrame: frameTime,
  speed: (state) => cornerDisplacement(size, state, frameTime, camera),
  corners: (state) => [-0.25, 0, 0.25].flatMap((part) => shownAt(size, state, part * frameTime, camera)),
  stateAt: (start, values, seconds) => ({
    ...start,
    position: start.position.map((c, k) => c + values[k]),
    orientation: multiplyQuaternions(rotationAbout(values.slice(3, 6)), start.orientation),
    seconds,
  }),
  parts: (state, canvas, soft, coversAlone) =>
    sidesSeen(size, state, state.seconds, camera, canvas, soft).map((side) => ({
      cover: side.cover,
      patterns: coversAlone || side.area < BOX.largeSide ? [] : patternsOf(side, canvas),
    })),
  outline: (state) => boxOutline(size, state, camera.project),
  uncertainty: (start, { state, exposure }) => {
    const blur = cornerDisplacement(size, start, exposure, camera);
    const low = Math.min(...sidesOf(size).corners.map((c) => dot(floor.normal, rotate(state.orientation, c))));
    const height = dot(floor.normal, state.position) + low - floor.offset;
    const foot = BOX.footUncertainty * Math.min(Math.max(1 - height / (BOX.footHeight * Math.min(...size)), 0), 1);
    return Math.hypot(BOX.uncertainty, BOX.perBlur * blur, foot);
  },
});

/**
 * Light patterns of a side beside the uniform one: proportional to the horizontal and the vertical distance from its
 * middle in the picture.
 */
function patternsOf(
  { cover, x, y }: { cover: Float64Array; x: number; y: number },
  canvas: Canvas,
): PartSeen['patterns'] {
  const { width, height } = canvas.cut;
  const [across, down] = [canvas.sheet(), canvas.sheet()];
  for (let row = 0, p = 0; row < height; row++)
    for (let column = 0; column < width; column++, p++) {
      across[p] = (cover[p] * (column - x)) / BOX.across;
      down[p] = (cover[p] * (row - y)) / BOX.across;
    }
  return [across, down];
}

function shownAt(size: readonly number[], state: BoxState, after: number, camera: FilmCamera) {
  const { position, orientation } = movedOn(state, after);
  return sidesOf(size).corners.map((corner) =>
    camera.project(rotate(orientation, corner).map((c, k) => c + position[k])),
  );
}

/** Displacement in the picture of a box's fastest corner in a time interval centred on the state's time, px. */
export function cornerDisplacement(
  size: readonly number[],
  state: BoxState,
  seconds: number,
  camera: FilmCamera,
): number {
  const [before, after] = [-0.5, 0.5].map((part) => shownAt(size, state, part * seconds, camera));
  return Math.max(...before.map(([x, y], k) => Math.hypot(after[k][0] - x, after[k][1] - y)));
}
