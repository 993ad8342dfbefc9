/**
 * A run that failed: something in it, or in its gradient, is not finite, it raised an alarm, or fields refused its
 * values, a negative mass say. In a search it merely marks a point that went too far.
 */
export class RunFailure extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }

  /** Sets values, and turns a refusal into a RunFailure. */
  static in<T>(set: () => T): T {
    try {
      return set();
    } catch (error) {
      throw new RunFailure(error);
    }
  }
  /** Reads results, and turns a failure into a RunFailure. */
  static async of<T>(read: Promise<T>): Promise<T> {
    try {
      return await read;
    } catch (error) {
      throw new RunFailure(error);
    }
  }
}

/** A run that can be read, but whose gradient overflowed in the backward pass. */
export class GradientFailure extends RunFailure {}
