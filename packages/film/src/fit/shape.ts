import type { ObservedOutline } from '../outlines/observed.ts';
import type { Round } from '../tuning/pictures.ts';
import type { Canvas } from './canvas.ts';
import type { PartSeen } from './parts.ts';
import { type FittedThing, fitThing } from './picture-fit.ts';
import type { Pictures } from './pictures.ts';

/** Tuned numbers for fitting a shape; see `BALL` and `BOX`. */
export interface ShapeTuning {
  readonly margin: number;
  readonly fastSpeed: number;
  readonly mostFast: number;
  /** Finite-difference steps of the unknowns; the last one is the relative step of the exposure. */
  readonly steps: readonly number[];
  readonly start: readonly number[];
  readonly rounds: readonly Round[];
  readonly maxDistance: number;
  readonly mostOutliers: number;
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

/** Fit of a shape's state to a frame. */
export interface FrameFit<Start> {
  readonly pictures: Pictures;
  readonly start: Start;
  /** Exposure, with `findsExposure` an approximate one that is fitted, too. */
  readonly exposure: number;
  readonly findsExposure: boolean;
}

/** Fits the state, and with `findsExposure` the exposure, to a frame. */
export function fitState<Start, State>(
  { tuning, stateAt, parts }: Shape<Start, State>,
  { pictures, start, exposure, findsExposure }: FrameFit<Start>,
): FittedState<State> {
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
