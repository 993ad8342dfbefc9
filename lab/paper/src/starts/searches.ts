import type { SearchOptions } from '@gradsim/optim';

/** Options of the searches to compare, by name. */
export const SEARCHES: Readonly<Record<string, SearchOptions>> = {
  // Nothing said: horizons that grow.
  default: {},
  'all frames': { horizons: [1] },
  scan: { scan: 64 },
};
/** Factors between initial and true value; instances start alternately above and below the truth. */
export const FACTORS = [2, 5, 10, 30, 100];
