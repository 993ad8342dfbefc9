import type { FieldKey } from '@gradsim/core';
import { describeValue, GradsimError, refuseUnknownChoice } from '@gradsim/core';

/** Choice of frames: all, some by rule, or a list of frame numbers. */
export type FrameChoice = 'all' | 'first and last' | 'last' | { readonly every: number } | readonly number[];

/** An observation: target values that a recorded field should have. */
export interface Observation {
  /**
   * The observed field, by reference or key: `pixels.rgba`, `bodyVertices.position` (3D supervision), `Body.position`.
   * For orientations, such as `Body.orientation`, a residual is the rotation vector from target to output, rad, in
   * world axes; neither the sign nor the length of a quaternion matters.
   */
  readonly field: FieldKey;
  /**
   * Flat target values, [frame][element][component], for all frames of the observation; with `instants`, these are
   * fewer than those of the simulation. A missing value is NaN and must have the weight 0.
   */
  readonly target: ArrayLike<number>;
  /** Frames that are compared, by their numbers in the observation. Default `all`. */
  readonly frames?: FrameChoice;
  /**
   * Weights of squared residuals: one per component, one per element and component, or one per value of every frame.
   * For orientations there are three components, those of the rotation vector. Default 1.
   */
  readonly weights?: ArrayLike<number>;
  /**
   * Standard deviation of the target's noise, one for all frames or one per frame, in the unit of the field (rad for
   * orientations). Weights are divided by its square, which makes observations in different units comparable. It should
   * include known errors of the model. `measured`: it is computed from the target's changes between frames. Default 1.
   */
  readonly noise?: number | ArrayLike<number> | 'measured';
  /**
   * Share of `noise`, 0 to 1, that is a lower bound of the errors, even if residuals scatter less: an error common to
   * many values, such as an outline displaced by a shadow, does not show as scatter. Standard errors are at least those
   * for the smallest bound of all observations, and no departure within it is reported. Default 0: the scatter of the
   * residuals determines them.
   */
  readonly leastShare?: number;
  /**
   * Exposure: number of consecutive frames of the simulation whose mean is one frame of the observation (motion blur).
   * The simulation's frame rate is then `instants` times that of the film. Default 1.
   */
  readonly instants?: number;
}

/** Maximum number of frames of an observation or a run. */
const MAX_FRAMES = 1e9;

/** Returns the numbers of the chosen frames, ascending. @throws for one out of range. */
export function chosenFrames(choice: FrameChoice, count: number): number[] {
  if (!Number.isInteger(count) || count < 1 || count > MAX_FRAMES)
    throw new GradsimError(
      'optim/option-out-of-range',
      `frames must be a whole number from 1 to ${MAX_FRAMES}, got ${describeValue(count)}.`,
      { field: 'frames' },
    );
  const all = [...Array(count).keys()];
  if (typeof choice !== 'object' || choice === null) {
    refuseUnknownChoice('frames', choice, ['all', 'first and last', 'last']);
    if (choice === 'all') return all;
    return choice === 'last' || count === 1 ? [count - 1] : [0, count - 1];
  }
  if (!isList(choice)) {
    if (!Number.isInteger(choice.every) || choice.every < 1)
      throw new GradsimError('optim/option-out-of-range', `Every ${choice.every}th frame cannot be taken.`, {
        hint: 'Give a whole number of at least 1.',
      });
    return all.filter((f) => f % choice.every === 0);
  }
  if (choice.length === 0)
    throw new GradsimError('optim/no-frames', 'frames names none.', { hint: 'Leave it out for all.' });
  for (const frame of choice) {
    if (!Number.isInteger(frame) || frame < 0 || frame >= count)
      throw new GradsimError('optim/no-such-frame', `Frame ${frame} is not among the ${count} frames.`);
  }
  return [...new Set(choice)].sort((a, b) => a - b);
}

const isList = (choice: { readonly every: number } | readonly number[]): choice is readonly number[] =>
  Array.isArray(choice);
