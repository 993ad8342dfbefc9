/**
 * Remembers what the long parts of a run gave, in order, so that a run which was ended at any moment can be gone on
 * with: the same run asks for the same, and is given what it was given then. All else of a run follows from that and
 * from its seed, bit for bit.
 */
export interface Journal {
  /**
   * What `work` gives: now, or when the run got here before.
   * @param what names the work.
   * @param given what it works with: numbers by which the journal knows that it is the same.
   * @throws when the run that the journal is of did something else here.
   */
  readonly once: <T>(what: string, given: readonly ArrayLike<number>[], work: () => Promise<T>) => Promise<T>;
}

/** Remembers nothing. */
export const noJournal: Journal = { once: (_what, _given, work) => work() };
