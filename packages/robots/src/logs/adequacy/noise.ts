import { sumOfSquares } from '@gradsim/base';
import { lowPass } from '../recording/low-pass.ts';

/** Multiple of the band above which torques hold noise alone. */
const NOISE_BAND_FACTOR = 3;
/** Bandwidth of the noise that the filter of a band leaves, over the band: integral of 1 / (1 + x^4)^2. */
const BANDWIDTH = 0.833;

/**
 * Noise of torques in a band, root mean square, from what they hold above it, as if it were white; 0 if samples are too far
 * apart to tell. The ends are left out.
 * @param counts 0 for samples that do not count, such as those of impacts.
 */
export function noiseInBand(torques: Float64Array, band: number, step: number, counts?: Float64Array): number {
  const above = 1 / (2 * step) - NOISE_BAND_FACTOR * band;
  if (above < NOISE_BAND_FACTOR * band) return 0;
  const slow = lowPass(torques, NOISE_BAND_FACTOR * band, step);
  const ends = Math.min(Math.ceil(1 / (2 * band * step)), Math.floor(torques.length / 4));
  const fast = torques
    .map((x, s) => x - slow[s])
    .slice(ends, torques.length - ends)
    .filter((_, s) => !counts || counts[s + ends] > 0);
  if (fast.length === 0) return 0;
  return Math.sqrt((sumOfSquares(fast) / fast.length) * ((BANDWIDTH * band) / above));
}
