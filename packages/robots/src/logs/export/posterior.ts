import type { Identification } from '../identification.ts';
import type { Identified } from '../identified.ts';
import type { ParameterRange } from './ranges.ts';

/**
 * Mean and covariance of what the logs determine, as JSON: `combinations` with names, units and means, `covariance` by rows in
 * the same order; `undetermined` directions, of which the logs say nothing; and `ranges` of the numbers of simulators.
 *
 * ```ts
 * const drawn = found.draw({ count: 64 });
 * const text = posteriorJson(found, rangesOf(found, drawn), 'range 0.2 around the calibrated robot');
 * ```
 * @param bounds what undetermined directions are drawn from, for people.
 */
export function posteriorJson(
  { combinations, covariance, undetermined }: Identification,
  ranges: readonly ParameterRange[],
  bounds: string,
): string {
  const named = ({ name, unit }: Identified) => ({ name, unit });
  const all = {
    combinations: combinations.map((one) => ({ ...named(one), mean: one.estimate })),
    covariance,
    undetermined: { bounds, directions: undetermined.map(named) },
    ranges,
  };
  return `${JSON.stringify(all, null, 2)}\n`;
}
