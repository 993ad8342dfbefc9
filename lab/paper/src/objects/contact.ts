import { type ObjectStudyOptions, type ObjectUnknown, objectStudy } from './study.ts';

/** Unknowns of Table 2. */
export const CONTACT_UNKNOWNS: readonly ObjectUnknown[] = ['mass', 'ke', 'kd', 'kf', 'mu'];

/**
 * Contacts cause false minima, so points of the ranges are compared first, frames near contacts are added a few at a
 * time, and descents hop out of small minima. A body that touches many times amplifies a change of the mass so much that
 * the rounding of single precision alone divides the valley of the loss into minima, hence doubles.
 */
export const CONTACT_OPTIONS: ObjectStudyOptions = {
  device: 'f64',
  search: { horizons: 'growing', scan: 256, starts: 4, hops: 4, iterations: 40 },
};

/** Study of Table 2: mass and contact material together. */
export default objectStudy(CONTACT_UNKNOWNS, CONTACT_OPTIONS);
