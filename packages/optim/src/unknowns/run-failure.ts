/**
 * A run that cannot be read: something in it, or in its gradient, is not finite, or it raised an alarm; or one that cannot
 * be, of values that fields refuse, a negative mass say. Where a search tries points that is no more than a point that
 * went too far.
 */
export class RunFailure extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }

  /** Sets what a run is of. */
  static in<T>(set: () => T): T {
    try {
      return set();
    } catch (error) {
      throw new RunFailure(error);
    }
  }
  /** Reads what a run gives. */
  static async of<T>(read: Promise<T>): Promise<T> {
    try {
      return await read;
    } catch (error) {
      throw new RunFailure(error);
    }
  }
}

/** A run that can be read, whose gradient cannot: on the way back it grew beyond all numbers. */
export class GradientFailure extends RunFailure {}
