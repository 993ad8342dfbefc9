/** A finding against a result. */
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
  /** True if the result is not to be trusted because of it; otherwise it is for information. */
  readonly grave: boolean;
  /** Unknowns that it concerns, if not all. */
  readonly unknowns?: readonly string[];
  /** A sentence for people. */
  readonly note: string;
}

/** Maximum number of names that a note lists. */
export const MAX_NAMED = 6;

/** Names for a note: the first few, and how many more there are. */
export const listed = (names: readonly string[]): string =>
  names.length > MAX_NAMED
    ? `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`
    : names.join(', ');
