/** A fact about a result that may count against it. */
export interface Finding {
  readonly kind:
    | 'no overlap'
    | 'unexplained'
    | 'elsewhere'
    | 'some frames'
    | 'false derivatives'
    | 'exploding gradients'
    | 'unfinished'
    | 'interrupted'
    | 'range'
    | 'against priors'
    | 'against given'
    | 'uneven times'
    | 'unusual'
    | 'tolerance'
    | 'other minimum'
    | 'substep'
    | 'intervals'
    | 'mesh'
    | 'undetermined'
    | 'beyond noise'
    | 'departure'
    | 'check'
    | 'priors'
    | 'start without overlap'
    | 'correlation not measured'
    | 'precision'
    | 'no standard errors';
  /** True if the result must not be trusted because of it; false if it only informs. */
  readonly isCritical: boolean;
  /** Names of the unknowns that it concerns; undefined for all. */
  readonly unknowns?: readonly string[];
  /** The finding as a sentence. */
  readonly note: string;
}

/** Maximum number of names that a note lists. */
export const MAX_NAMED = 6;

/** Joins names for a note: the first few, and how many others there are. */
export const listed = (names: readonly string[]): string =>
  names.length > MAX_NAMED
    ? `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length === MAX_NAMED + 1 ? 'one other' : `${names.length - MAX_NAMED} others`}`
    : names.join(', ');
