import { refuseUnknownOptions } from '@gradsim/core';
import { upperMedian } from '@gradsim/numeric';
import type { Check } from '@gradsim/optim';
import type { FilmCamera } from '../../camera.ts';
import type { SeenOutline } from '../../outlines/seen.ts';
import { BALL } from '../../tuning/ball.ts';
import { PICTURES } from '../../tuning/pictures.ts';
import { type FilmPictures, type FittedOutlines, fitOutlines, type Shape } from '../outlines.ts';
import { refuseOtherFilm, refuseOtherShutter } from '../pictures.ts';
import { roundnessCheck } from './check.ts';
import { type BallState, ballSeen, ellipseOf, reachesOfBall } from './picture.ts';

/** Options of {@link ballOutlinesIn}. */
export interface BallOutlineOptions {
  /**
   * Approximate outlines, frame by frame, some pixels off at most: its masks, by `outlinesIn`. Frames without one are
   * left out.
   */
  readonly near: readonly (SeenOutline | null | undefined)[];
  /** Shutter: the part of a frame's time that it was open. Default: fitted to the fastest frames. */
  readonly shutter?: number;
}

/** The outlines that were found. */
export interface BallOutlines extends FittedOutlines {
  /**
   * Check for the problem that compares them: distrusted if a ball explains too few of the frames in which it was
   * expected, or masks are not round.
   */
  readonly check: Check;
  /** Prior of the pixels by which all of them are larger than the ball, for the stage that compares them. */
  readonly sizeOff: { readonly mean: number; readonly standardDeviation: number };
}

/**
 * Outlines of a ball, from all pixels around it: in each frame the place and the size at which its exposure, lit in any smooth
 * way and blurred by its motion while the shutter was open, comes nearest to what is seen before the film's background. Masks are
 * pulled to one side by blur, dark sides and colours like those behind, by up to a tenth of the way that the ball goes in a frame.
 *
 * Before and after a bounce a ball goes different ways; the one that explains more is taken, and its outline counts as known less well.
 *
 * ```ts
 * const { outlines, check } = ballOutlinesIn(film, camera, { near: outlinesIn(film) });
 * ```
 * @throws for a shutter that is not from 0 to 1, and for a camera or frames of another film.
 */
export function ballOutlinesIn(film: FilmPictures, camera: FilmCamera, options: BallOutlineOptions): BallOutlines {
  refuseUnknownOptions<BallOutlineOptions>('ballOutlinesIn', options, { near: 0, shutter: 0 });
  const { near, shutter } = options;
  refuseOtherShutter('ballOutlinesIn', shutter);
  refuseOtherFilm('ballOutlinesIn', film, camera, near.length);
  const starts = near.map((_, frame) => startsAt(near, frame));
  const fitted = fitOutlines(film, shapeOfBall(camera), starts, shutter);
  return { ...fitted, check: roundnessCheck(near, fitted.outlines), sizeOff: BALL.sizeOff };
}

/** Approximate place and motion of a ball in a frame. */
interface BallStart extends Pick<BallState, 'x' | 'y' | 'size'> {
  /** Displacement in a frame, px. */
  readonly way: readonly [right: number, down: number];
  /** Change of the displacement to the next frame, px. */
  readonly turn: number;
  /** Excess of its mask's size over those before and after, px. */
  readonly excess: number;
}

/** A ball in a picture: its unknowns are the place, the size and the exposure. */
const shapeOfBall = (camera: FilmCamera): Shape<BallStart, BallState> => ({
  tuning: BALL,
  wholeFrame: 1,
  speed: ({ way }) => Math.hypot(...way),
  corners: (start) => {
    const { along } = ellipseOf(start, camera);
    const [wide, high] = start.way.map((far) => along + Math.abs(far) / 2);
    return [
      [start.x - wide, start.y - high],
      [start.x + wide, start.y + high],
    ];
  },
  stateAt: ({ x, y, size, way }, [right, down, larger], shutter) => ({
    x: x + right,
    y: y + down,
    size: size * (1 + larger),
    blur: [shutter * way[0], shutter * way[1]],
  }),
  parts: (state, canvas, soft, coversAlone) => ballSeen(state, camera, canvas, { soft, coversAlone }),
  outline: (state) => ({ x: state.x, y: state.y, size: state.size, reaches: reachesOfBall(state, camera) }),
  uncertainty: ({ turn, excess }, { state, deviations }) =>
    Math.hypot(
      BALL.uncertainty,
      PICTURES.scatterFactor * Math.hypot(deviations[0], deviations[1]),
      BALL.perBlur * Math.hypot(...state.blur),
      BALL.perTurn * turn,
      excess,
    ),
});

/** Starts of a frame: two where the ball's path turns there, before and after; none where it is not visible. */
function startsAt(near: BallOutlineOptions['near'], frame: number): BallStart[] {
  const [from, here, to] = [near[frame - 1], near[frame], near[frame + 1]];
  if (!here) return [];
  const before = from ? ([here.x - from.x, here.y - from.y] as const) : undefined;
  const after = to ? ([to.x - here.x, to.y - here.y] as const) : undefined;
  const start = (way: BallStart['way'], turn = 0): BallStart => ({
    x: here.x,
    y: here.y,
    size: here.size,
    way,
    turn,
    excess: excessOf(near, frame),
  });
  if (!before || !after) return [start(before ?? after ?? [0, 0])];
  const turn = Math.hypot(after[0] - before[0], after[1] - before[1]);
  const far = Math.max(Math.hypot(...before), Math.hypot(...after));
  if (turn > BALL.turn.pixels + BALL.turn.part * far) return [start(before, turn), start(after, turn)];
  return [start([(before[0] + after[0]) / 2, (before[1] + after[1]) / 2])];
}

/**
 * Excess of a mask's size over those before and after, px: an estimate of what else it contains, such as the ball's
 * shadow.
 */
function excessOf(near: BallOutlineOptions['near'], frame: number): number {
  const { part, frames } = BALL.excess;
  const sizes = near
    .slice(Math.max(0, frame - frames), frame + frames + 1)
    .flatMap((seen) => (seen ? [seen.size] : []));
  const usual = upperMedian(sizes);
  const excess = near[frame]!.size - usual;
  return excess > part * usual ? excess : 0;
}
