/** A fact about a result that may count against it. */
export interface Finding {
  /** Name of the kind of fact, as the check that found it states it. */
  readonly kind: string;
  /** True if the result must not be trusted because of it; false if it only informs. */
  readonly isCritical: boolean;
  /** Names of the unknowns that it concerns; undefined for all. */
  readonly unknowns?: readonly string[];
  /** The finding as a sentence. */
  readonly note: string;
}
