/**
 * Records the results of the long operations of a run, in order, so that an interrupted run can be resumed: the same
 * run performs the same operations, and gets the recorded results. Everything else follows from these results and the
 * seed, bit for bit.
 */
export interface Journal {
  /**
   * Returns the recorded result of an operation if there is one; else runs `work` and records its result.
   * @param what name of the operation.
   * @param given numbers that identify the operation's inputs.
   * @throws if the recorded run performed another operation at this point.
   */
  readonly once: <T>(what: string, given: readonly ArrayLike<number>[], work: () => Promise<T>) => Promise<T>;
}

/** Journal that records nothing and always runs the operation. */
export const noJournal: Journal = { once: (_what, _given, work) => work() };
