import type { SearchOptions } from '@gradsim/optim';
import { type ObjectUnknown, objectStudy } from './study.ts';

/** Unknowns of Table 2. */
export const CONTACT_UNKNOWNS: readonly ObjectUnknown[] = ['mass', 'ke', 'kd', 'kf', 'mu'];

/**
 * Search options of Table 2. Contacts cause false minima, so points of the ranges are compared first, frames near
 * contacts are added a few at a time, and descents hop out of small minima.
 */
export const CONTACT_SEARCH: SearchOptions = {
  horizons: 'growing',
  scan: 256,
  starts: 4,
  hops: 4,
  iterations: 40,
};

/** Study of Table 2: mass and contact material together. */
export default objectStudy(CONTACT_UNKNOWNS, CONTACT_SEARCH);
