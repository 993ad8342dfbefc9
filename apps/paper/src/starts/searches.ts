import type { SearchOptions } from '@gradsim/optim';

/** Searches that are compared. */
export const SEARCHES: Readonly<Record<string, SearchOptions>> = {
  // Nothing said: horizons that grow.
  default: {},
  'all frames': { horizons: [1] },
  scan: { scan: 64 },
};
/** Factors between start and truth, up and down in turns. */
export const FACTORS = [2, 5, 10, 30, 100];
