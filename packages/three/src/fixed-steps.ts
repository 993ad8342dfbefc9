import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';

/** Options of {@link fixedSteps}. */
export interface FixedStepsOptions {
  /** Steps a second: the frame rate of the simulation, 1/s. */
  readonly frameRate: number;
  /**
   * Greatest number of steps at once. Time beyond it is dropped, so that a page that was hidden, or is too slow, does not
   * try to catch up. Default 4.
   */
  readonly maxSteps?: number;
}

/** Counts the steps of fixed length that are due in an animation loop. */
export interface FixedSteps {
  /**
   * Returns how many steps are due.
   * @param now current time, s, from any beginning; the first call sets the beginning and returns 0.
   */
  due(now: number): number;
  /** Time since the last step that is due, in steps, 0 to 1: to interpolate between two steps. */
  readonly fraction: number;
}

/**
 * Accumulates the time of an animation loop, so that a simulation takes steps of its own length whatever the screen's rate
 * is: its results do not depend on it.
 *
 * ```ts
 * const steps = fixedSteps({ frameRate: 60 });
 * renderer.setAnimationLoop((ms) => {
 *   for (let k = steps.due(ms / 1000); k > 0; k--) simulation.step();
 * });
 * ```
 * @throws GradsimError for options out of range.
 */
export function fixedSteps(options: FixedStepsOptions): FixedSteps {
  refuseUnknownOptions<FixedStepsOptions>('fixedSteps', options, { frameRate: 0, maxSteps: 0 });
  const { frameRate, maxSteps = 4 } = options;
  if (!(frameRate > 0 && Number.isFinite(frameRate)))
    throw new GradsimError(
      'three/option-out-of-range',
      `frameRate is ${describeValue(frameRate)}, but must be above 0 and finite.`,
      {
        field: 'frameRate',
        element: 'fixedSteps',
      },
    );
  if (!(Number.isInteger(maxSteps) && maxSteps > 0))
    throw new GradsimError(
      'three/option-out-of-range',
      `maxSteps is ${describeValue(maxSteps)}, but must be a whole number above 0.`,
      {
        field: 'maxSteps',
        element: 'fixedSteps',
      },
    );
  let last: number | undefined;
  let owed = 0;
  return {
    due: (now) => {
      owed += Math.max(now - (last ?? now), 0) * frameRate;
      last = now;
      const steps = Math.floor(owed);
      // What is dropped is whole steps, so that the rhythm stays.
      owed -= steps;
      return Math.min(steps, maxSteps);
    },
    get fraction() {
      return owed;
    },
  };
}
