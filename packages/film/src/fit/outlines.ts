import { evenIndices, upperMedian } from '@gradsim/base';
import type { WorkSteps } from '@gradsim/video';
import type { Film } from '../film.ts';
import type { ObservedOutline } from '../outlines/observed.ts';
import { PICTURES, type Round } from '../tuning/pictures.ts';
import type { Canvas } from './canvas.ts';
import type { PartSeen } from './parts.ts';
import { type FittedThing, fitThing } from './picture-fit.ts';
import { cutAround, picturesIn } from './pictures.ts';

/** Tuned numbers for fitting a shape; see `BALL` and `BOX`. */
export interface ShapeTuning {
  readonly margin: number;
  readonly fastSpeed: number;
  readonly mostFast: number;
  /** Finite-difference steps of the unknowns; the last one is the relative step of the exposure. */
  readonly steps: readonly number[];
  readonly start: readonly number[];
  readonly insideWorth: number;
  readonly rounds: readonly Round[];
  readonly maxDistance: number;
  readonly mostOutliers: number;
  /** Outliers of a thing whose pattern leaves many in all frames: how many more than the median, and the most. Default: as of others. */
  readonly patterned?: { readonly above: number; readonly most: number };
}

/**
 * A shape whose outline is fitted to the pixels of a film: its state in a frame, its parts in the picture, its outline.
 *
 * @typeParam Start approximate state expected in a frame.
 * @typeParam State state from which its picture is drawn, including its motion during the exposure.
 */
export interface Shape<Start, State> {
  readonly tuning: ShapeTuning;
  /** Exposure that lasts a whole frame interval, in the unit of `exposure` in `stateAt`. */
  readonly wholeFrame: number;
  /** Displacement in the picture in a frame interval, px. */
  speed(start: Start): number;
  /** Points of the picture whose bounding box, with a margin, is compared. */
  corners(start: Start): readonly (readonly number[])[];
  /** True if a pixel at a place in the picture, px, tells the state. Default: all that the shape may cover. */
  isCompared?(start: Start, x: number, y: number): boolean;
  /** State for values of the unknowns, relative to the start: 0 returns the start. */
  stateAt(start: Start, values: readonly number[], exposure: number): State;
  /**
   * Visible parts of the shape in an exposure, drawn on arrays of the canvas; rims are drawn over a width of `soft` px.
   * With `coversAlone` the parts need no patterns.
   */
  parts(state: State, canvas: Canvas, soft: number, coversAlone: boolean): PartSeen[];
  outline(state: State): Required<Omit<ObservedOutline, 'uncertainty' | 'isSized'>>;
  /** Standard deviation of the fitted outline's middle and size, px. */
  uncertainty(start: Start, found: FittedState<State>): number;
}

/** State fitted to a frame, with its exposure. */
export interface FittedState<State> extends Omit<FittedThing, 'values'> {
  readonly state: State;
  readonly exposure: number;
}

/** Outlines fitted to a film. */
export interface FittedOutlines {
  /** Outlines by frame; undefined in frames whose pixels the shape does not explain. */
  readonly outlines: readonly (ObservedOutline | undefined)[];
  /** Exposure time as a fraction of the frame interval; 0 if nothing is fast enough to determine it. */
  readonly shutter: number;
}

/** Number of frames, spread over the film, that are fitted first: if none of them shows the shape, no other is tried. */
const FIRST_FRAMES = 8;

/** Frames of a film, and its background. */
export type FilmPictures = Pick<Film, 'frames' | 'background'>;

/**
 * Fits a shape to all pixels around it, frame by frame: first the exposure time, from the fastest frames, then each
 * frame with that exposure. Of several starts in a frame, as before and after a bounce, the one that explains most
 * pixels is taken. Done in steps. A frame gets no outline if too many pixels stay unexplained, or the fitted shape looks like the
 * background or is far from its expected position.
 *
 * @param starts approximate states by frame; an empty list where the shape is not expected.
 * @param shutter exposure time as a fraction of the frame interval, if known.
 */
export function* fitOutlines<Start, State>(
  film: FilmPictures,
  shape: Shape<Start, State>,
  starts: readonly (readonly Start[])[],
  shutter?: number,
): WorkSteps<FittedOutlines> {
  const { maxDistance } = shape.tuning;
  const open = Math.min(Math.max(shutter ?? (yield* shutterOf(film, shape, starts)), 0), 1);
  const exposure = shape.wholeFrame * open;
  const outlineOf = (own: readonly Start[], frame: number) => {
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
    const isThere =
      found.backgroundFraction < PICTURES.mostBackground &&
      Math.hypot(here.x - expected.x, here.y - expected.y) < maxDistance;
    if (!isThere) return undefined;
    return { outline: { ...here, uncertainty: shape.uncertainty(start, found) }, outliers: found.outlierFraction };
  };
  const all: ReturnType<typeof outlineOf>[] = starts.map(() => undefined);
  const expected = [...starts.keys()].filter((frame) => starts[frame].length > 0);
  const first = evenIndices(expected.length, FIRST_FRAMES).map((k) => expected[k]);
  const most = shape.tuning.patterned?.most ?? shape.tuning.mostOutliers;
  for (const [tried, frame] of [...new Set([...first, ...expected])].entries()) {
    // Another thing is in none of its frames, and to fit something to each may take a minute.
    if (tried === FIRST_FRAMES && !all.some((own) => own && own.outliers < most)) break;
    all[frame] = outlineOf(starts[frame], frame);
    yield;
  }
  const limit = mostOutliersOf(
    shape.tuning,
    all.flatMap((own) => (own ? [own.outliers] : [])),
  );
  return {
    outlines: all.map((own) => (own && own.outliers < limit ? own.outline : undefined)),
    shutter: exposure / shape.wholeFrame,
  };
}

/** Fraction of outliers up to which a frame shows the thing, from those of all frames. */
function mostOutliersOf({ mostOutliers, patterned }: ShapeTuning, outliers: readonly number[]): number {
  if (!patterned || outliers.length === 0) return mostOutliers;
  return Math.max(mostOutliers, Math.min(upperMedian(outliers) + patterned.above, patterned.most));
}

/**
 * Exposure time as a fraction of the frame interval: the median over the fastest frames with a single start; 0 if none
 * is fast.
 */
function* shutterOf<Start, State>(
  film: FilmPictures,
  shape: Shape<Start, State>,
  starts: readonly (readonly Start[])[],
): WorkSteps<number> {
  const { fastSpeed, mostFast, mostOutliers } = shape.tuning;
  const fastest = fastestOf(
    starts.map((own) => (own.length === 1 ? shape.speed(own[0]) : 0)),
    fastSpeed,
    mostFast,
  );
  const exposures: number[] = [];
  for (const frame of fastest) {
    const start = starts[frame][0];
    const found = fitState(film, frame, shape, start, PICTURES.shutter * shape.wholeFrame, { findsExposure: true });
    if (found.outlierFraction < mostOutliers) exposures.push(found.exposure);
    yield;
  }
  return exposures.length === 0 ? 0 : upperMedian(exposures) / shape.wholeFrame;
}

/** Indices of the fastest frames among those faster than `minSpeed`, at most `maxCount` of them. */
export const fastestOf = (speeds: readonly number[], minSpeed: number, maxCount: number): number[] =>
  [...speeds.keys()]
    .filter((frame) => speeds[frame] > minSpeed)
    .sort((a, b) => speeds[b] - speeds[a])
    .slice(0, maxCount);

/** Fits the state, and with `findsExposure` the exposure, to a frame. */
function fitState<Start, State>(
  film: FilmPictures,
  frame: number,
  { tuning, corners, stateAt, parts, isCompared }: Shape<Start, State>,
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
      insideWorth: tuning.insideWorth,
      ...(isCompared && { isCompared: (x, y) => isCompared(start, x, y) }),
      partsAt: (tried, soft, canvas, coversAlone) => parts(at(tried).state, canvas, soft, coversAlone),
    },
    tuning.rounds,
  );
  return { ...at(values), ...explained };
}
