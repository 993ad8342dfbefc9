/** Ways in which what is seen may depart from what a model shows, beside the changes of its unknowns. */
export type DepartureKind =
  | 'halves'
  | 'gain'
  | 'offset'
  | 'colour'
  | 'outline'
  | 'texture'
  | 'delay'
  | 'jump'
  | 'clock'
  | 'drag';

/** A direction g of the residuals. */
export interface Direction {
  readonly kind: DepartureKind;
  /** Number of the observation that it is about; null where it is about all. */
  readonly observation: number | null;
  /** Number of the unknown, of the component or of the frame that it is about; null where it is about no one. */
  readonly which: number | null;
}
