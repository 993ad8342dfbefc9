import type { FieldKey } from '@gradsim/core';
import { GradsimError, refuseUnknownChoice } from '@gradsim/core';

/** Choice of the frames that a comparison uses. */
export type FrameChoice = 'all' | 'first and last' | 'last' | { readonly every: number } | readonly number[];

/** An observation: targets for a recorded field. */
export interface Observation {
  /**
   * A recorded field, by reference or key: `pixels.rgba`, `bodyVertices.position` (3D supervision), `Body.position`. Of
   * orientations, `Body.orientation`, the difference is the rotation vector from one to the other, in radians along world
   * axes: neither sign nor length of a quaternion matters.
   */
  readonly field: FieldKey;
  /**
   * Targets, `[frame][element][component]`: as many frames as the observation has, see `instants`. A value that is missing is
   * NaN, with a weight of 0.
   */
  readonly target: ArrayLike<number>;
  /** Frames that count, in frames of the observation. Default `all`. */
  readonly frames?: FrameChoice;
  /**
   * Weight of every component, or of every element and component, or of every value in every frame. Orientations have three
   * values an element, the components of a rotation vector. Default 1.
   */
  readonly weights?: ArrayLike<number>;
  /**
   * Standard deviation of the target's noise, for all or frame by frame, in the unit of the field, of orientations in radians:
   * weights are divided by its square, so that what was seen in different units can be weighed together. What the model is
   * known to be off belongs to it. `measured` takes it from how values jump from frame to frame. Default 1.
   */
  readonly noise?: number | ArrayLike<number> | 'measured';
  /**
   * True if `noise` is a lower bound of the errors, whatever their scatter: an error that many values have in common,
   * such as an outline beside a shadow, does not show in residuals. Standard errors are then at least those of that
   * noise, if all observations say so. Default false: the scatter of residuals decides.
   */
  readonly isLeastNoise?: boolean;
  /**
   * Exposure: each frame of the observation is the mean of this number of frames of the simulation (motion blur). The
   * simulation then runs at `instants` times the video's rate. Default 1.
   */
  readonly instants?: number;
}

/** Maximum number of substeps of a simulation. */
const MAX_FRAMES = 1e9;

/** Numbers of the chosen frames, ascending. @throws when one is out of range. */
export function chosenFrames(choice: FrameChoice, count: number): number[] {
  if (!Number.isInteger(count) || count < 1 || count > MAX_FRAMES)
    throw new GradsimError(
      'optim/option-out-of-range',
      `frames must be a whole number from 1 to ${MAX_FRAMES}, got ${count}.`,
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
