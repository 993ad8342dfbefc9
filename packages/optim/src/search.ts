import { randomNumbers } from '@gradsim/base';
import type { Simulation } from '@gradsim/core';
import { refuseDeadUnknowns } from './objective/dead-unknowns.ts';
import type { End, Ends, Found } from './posterior/found.ts';
import type { Prepared } from './prepare.ts';
import { endOf, prepare, whileRunning } from './prepare.ts';
import type { Problem } from './problem/problem.ts';
import type { EstimateControls } from './result.ts';
import { searchHorizon } from './search/basin-hopping.ts';
import { drawStarts } from './search/starting-points.ts';

/**
 * Searches the values of a problem's unknowns that minimise the squared residuals and the other losses: the first act
 * of {@link estimate}. {@link infer} finds out how sure they are.
 *
 * ```ts
 * const found = await search(problem, { device });
 * console.log(found.parameters.mass, found.loss, found.stopped);
 * ```
 * @throws before anything runs, if the problem is inconsistent; later, if no start gives finite values, or if a loss
 * returns something invalid. A failure after the first iteration is an {@link EstimateError} that contains the best
 * point so far.
 */
export async function search(problem: Problem, controls: EstimateControls): Promise<Found> {
  const prepared = await prepare(problem, controls);
  return whileRunning(prepared, () => searchIn(prepared));
}

/** Searches a prepared problem, with its given quantities at their measured values. */
export async function searchIn(prepared: Prepared): Promise<Found> {
  const { unknowns, options } = prepared;
  const { starts, scan } = options.search;
  const ends = await throughHorizons(prepared, (random) => drawStarts(unknowns, Math.max(starts, scan), random));
  const [{ x, loss }] = ends.ends;
  const values = unknowns.values(x);
  const point = { parameters: unknowns.parameters(values), arrays: unknowns.arrays(values) };
  return { ...endOf(prepared, ends), ...point, loss };
}

/**
 * Searches the horizons of a problem one after another, each from candidates of the one before.
 * @param starts returns the points that the search starts from, given a generator of uniform random numbers in [0, 1).
 */
export async function throughHorizons(
  { unknowns, objective, options, controls, horizons, predictor }: Prepared,
  starts: (random: () => number) => readonly Float64Array[],
): Promise<Ends> {
  refuseDeadUnknowns(predictor.model, unknowns, objective);
  const random = randomNumbers(options.search.seed);
  let points = starts(random);
  const [first] = points;
  let best: End | null = null;
  const predicted = (): Simulation => {
    unknowns.apply(predictor, [best?.x ?? points[0]]);
    predictor.forward();
    return predictor;
  };
  for (let horizon = horizons.first(); ; ) {
    const { share, plan } = horizon;
    // An interrupted search still ends with an evaluation of all frames.
    if (share === 1 || !controls.signal?.aborted) {
      const { candidates, ...ends } = await searchHorizon(plan, points, random);
      if (share === 1) return ends;
      // A few frames may lead away from a start that is near the truth; where candidates are compared, so is it.
      points = candidates.length > 1 ? [...candidates, first] : candidates;
      [best] = ends.ends;
    }
    horizon = await horizons.next(horizon, predicted);
  }
}
