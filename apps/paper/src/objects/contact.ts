import { objectStudy } from './study.ts';

/**
 * Table 2: mass and contact material together. Touches make false minima, so points of the ranges are looked at first, and around the ends of
 * descents.
 */
export default objectStudy(['mass', 'ke', 'kd', 'kf', 'mu'], {
  horizons: [0.2, 0.3, 0.45, 0.7, 1],
  scan: 256,
  starts: 4,
  hops: 4,
  iterations: 40,
});
