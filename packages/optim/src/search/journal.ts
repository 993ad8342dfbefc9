/**
 * Records the results of the long parts of a run, in order, so that an interrupted run can be resumed: the same run
 * makes the same requests, and gets the recorded results. Everything else in a run follows from these and from its
 * seed, bit for bit.
 */
export interface Journal {
  /**
   * Result of `work`: computed now, or recorded when the run got here before.
   * @param name of the work.
   * @param given inputs of the work: numbers that identify it.
   * @throws when the recorded run did something else here.
   */
  readonly once: <T>(what: string, given: readonly ArrayLike<number>[], work: () => Promise<T>) => Promise<T>;
}

/** Records nothing. */
export const noJournal: Journal = { once: (_what, _given, work) => work() };
