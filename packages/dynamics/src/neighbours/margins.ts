import type { F32 } from '@gradsim/core';

/** Distances, m, by which neighbours are searched beyond contact, given the longest substep dt of the run, s. */
export interface SearchMargins {
  /** Distance that an element may move from one search to the next. */
  readonly travel: (dt: F32) => F32;
  /** Distance outside of contact at which what leaves has still been pressed within the time of the force. */
  readonly outside: (dt: F32) => F32;
  /** Margin of the search: both of a pair may move, and one that has just left counts. */
  readonly search: (dt: F32) => F32;
}

/** @param refresh substeps from one search to the next. */
export const marginsOf = ({
  maxSpeed,
  refresh,
}: {
  readonly maxSpeed: number;
  readonly refresh: number;
}): SearchMargins => ({
  travel: (dt) => dt.mul(maxSpeed * refresh),
  // Half of a substep's displacement, at twice the speed.
  outside: (dt) => dt.mul(maxSpeed),
  search: (dt) => dt.mul(maxSpeed * (2 * refresh + 1)),
});
