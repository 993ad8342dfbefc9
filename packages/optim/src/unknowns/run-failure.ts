/**
 * Error of a run that failed: a result or gradient is not finite, an alarm was raised, or a field refused its values,
 * such as a negative mass. In a search it only rejects the point.
 */
export class RunFailure extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }

  /** Calls a function that sets values; converts an error of refused values to a RunFailure. */
  static whileSetting<T>(set: () => T): T {
    try {
      return set();
    } catch (error) {
      throw new RunFailure(error);
    }
  }
  /** Awaits results of a run; converts the error of a failed run to a RunFailure. */
  static async whileReading<T>(read: Promise<T>): Promise<T> {
    try {
      return await read;
    } catch (error) {
      throw new RunFailure(error);
    }
  }
}

/** Error of a run that succeeded, but whose gradient overflowed in the backward pass. */
export class GradientFailure extends RunFailure {}
