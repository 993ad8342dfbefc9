import { upperMedian } from '@gradsim/numeric';
import type { Film } from '../film.ts';
import type { SeenOutline } from '../outlines/seen.ts';
import { PICTURES, type Round } from '../tuning/pictures.ts';
import type { Canvas } from './canvas.ts';
import type { PartSeen } from './parts.ts';
import { type FittedThing, fitThing } from './picture-fit.ts';
import { cutAround, picturesIn } from './pictures.ts';

/** Tuned numbers of a shape; see those of balls and boxes. */
export interface ShapeTuning {
  readonly margin: number;
  readonly fast: number;
  readonly mostFast: number;
  /** Steps of differences by unknown; the last one is of the exposure, as a part of it. */
  readonly steps: readonly number[];
  readonly start: readonly number[];
  readonly rounds: readonly Round[];
  readonly farthest: number;
  readonly mostOutliers: number;
}

/**
 * A shape whose outline is fitted to the pixels of a film: its state in a frame, its parts in the picture, its outline.
 *
 * @typeParam Start about where it is expected in a frame.
 * @typeParam State of which its picture is made, exposure included.
 */
export interface Shape<Start, State> {
  readonly tuning: ShapeTuning;
  /** Exposure of a whole frame's time, in the unit that `stateAt` takes. */
  readonly wholeFrame: number;
  /** Displacement from frame to frame, px. */
  speed(start: Start): number;
  /** Points of the picture around which pixels are compared. */
  corners(start: Start): readonly (readonly number[])[];
  /** State at values of its unknowns, 0 at the start. */
  stateAt(start: Start, values: readonly number[], exposure: number): State;
  /**
   * Picture of its exposure, on the sheets of the canvas; `soft` is the softness of rims, px. With `coversAlone` its parts need no
   * patterns.
   */
  parts(state: State, canvas: Canvas, soft: number, coversAlone: boolean): PartSeen[];
  outline(state: State): Required<Omit<SeenOutline, 'uncertainty'>>;
  /** Standard deviation of its outline, pixels. */
  uncertainty(start: Start, found: FittedState<State>): number;
}

/** A state found in a frame. */
export interface FittedState<State> extends Omit<FittedThing, 'values'> {
  readonly state: State;
  readonly exposure: number;
}

/** Outlines that are found in a film. */
export interface FittedOutlines {
  /** Outlines by frame; undefined if the shape does not explain the picture. */
  readonly outlines: readonly (SeenOutline | undefined)[];
  /** Fraction of a frame's time that the shutter was open; 0 if nothing is fast enough to determine it. */
  readonly shutter: number;
}

/** A film, and its background. */
export type FilmPictures = Pick<Film, 'frames' | 'background'>;

/**
 * Fits a shape to all pixels around it, frame by frame: first the shutter, from the fastest frames, then each frame with it. Of
 * several starts of a frame, as before and after a bounce, the one that explains most is taken. A frame in which the shape leaves
 * too much unexplained, looks like the background, or is far from where it was expected has no outline.
 *
 * @param starts by frame; none where it is not expected.
 * @param shutter where it is known, the part of a frame's time that it was open.
 */
export function fitOutlines<Start, State>(
  film: FilmPictures,
  shape: Shape<Start, State>,
  starts: readonly (readonly Start[])[],
  shutter?: number,
): FittedOutlines {
  const { mostOutliers, farthest } = shape.tuning;
  const open = Math.min(Math.max(shutter ?? shutterOf(film, shape, starts), 0), 1);
  const exposure = shape.wholeFrame * open;
  const outlines = starts.map((own, frame): SeenOutline | undefined => {
    if (own.length === 0) return undefined;
    const { start, found } = own
      .map((each) => ({ start: each, found: fitState(film, frame, shape, each, exposure) }))
      .reduce((best, each) => (each.found.outlierFraction < best.found.outlierFraction ? each : best));
    const here = shape.outline(found.state);
    const expected = shape.outline(
      shape.stateAt(
        start,
        shape.tuning.steps.map(() => 0),
        exposure,
      ),
    );
    const isFound =
      found.outlierFraction < mostOutliers &&
      found.backgroundFraction < PICTURES.mostBackground &&
      Math.hypot(here.x - expected.x, here.y - expected.y) < farthest;
    return isFound ? { ...here, uncertainty: shape.uncertainty(start, found) } : undefined;
  });
  return { outlines, shutter: exposure / shape.wholeFrame };
}

/**
 * Fraction of a frame's time that the shutter was open, from the fastest frames that have one start; 0 if none is fast.
 */
function shutterOf<Start, State>(
  film: FilmPictures,
  shape: Shape<Start, State>,
  starts: readonly (readonly Start[])[],
): number {
  const { fast, mostFast, mostOutliers } = shape.tuning;
  const exposures = fastestOf(
    starts.map((own) => (own.length === 1 ? shape.speed(own[0]) : 0)),
    fast,
    mostFast,
  )
    .map((frame) =>
      fitState(film, frame, shape, starts[frame][0], PICTURES.shutter * shape.wholeFrame, { findsExposure: true }),
    )
    .filter(({ outlierFraction }) => outlierFraction < mostOutliers)
    .map(({ exposure }) => exposure);
  return exposures.length === 0 ? 0 : upperMedian(exposures) / shape.wholeFrame;
}

/** Fastest frames among those faster than `least`, at most `most`. */
export const fastestOf = (speeds: readonly number[], least: number, most: number): number[] =>
  [...speeds.keys()]
    .filter((frame) => speeds[frame] > least)
    .sort((a, b) => speeds[b] - speeds[a])
    .slice(0, most);

/** Fits the state to a frame. */
function fitState<Start, State>(
  film: FilmPictures,
  frame: number,
  { tuning, corners, stateAt, parts }: Shape<Start, State>,
  start: Start,
  exposure: number,
  { findsExposure = false } = {},
): FittedState<State> {
  const pictures = picturesIn(film, frame, cutAround(corners(start), tuning.margin, film.frames));
  const last = tuning.steps.length - 1;
  const count = findsExposure ? last + 1 : last;
  const at = (values: readonly number[]): Pick<FittedState<State>, 'state' | 'exposure'> => {
    const own = exposure * (1 + (values[last] ?? 0));
    return { state: stateAt(start, values, own), exposure: own };
  };
  const { values, ...explained } = fitThing(
    pictures,
    {
      steps: tuning.steps.slice(0, count),
      start: tuning.start.slice(0, count),
      partsAt: (tried, soft, canvas, coversAlone) => parts(at(tried).state, canvas, soft, coversAlone),
    },
    tuning.rounds,
  );
  return { ...at(values), ...explained };
}
