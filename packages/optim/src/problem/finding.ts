/** What speaks against a result. */
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
  /** Whether the result is not to be trusted because of it. What is not `grave` is to be known. */
  readonly grave: boolean;
  /** The unknowns that it is about, where it is not about all. */
  readonly unknowns?: readonly string[];
  /** A sentence for people. */
  readonly note: string;
}

/** Most names that a note lists. */
export const MOST_NAMED = 6;

/** Names for a note: the first few, and how many more there are. */
export const listed = (names: readonly string[]): string =>
  names.length > MOST_NAMED
    ? `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`
    : names.join(', ');
