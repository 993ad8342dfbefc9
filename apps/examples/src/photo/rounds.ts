import type { Film } from '@gradsim/film';
import type { ExperimentContext, ParameterSpec, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { layoutOf, Pixel, toRows } from '@gradsim/render';
import type { Frames } from '@gradsim/video';
import { trusted } from './trust.ts';

/** Search options of the first estimate, which uses all pixels. */
const FIRST_SEARCH = { horizons: [0.2, 0.3, 0.45, 0.7, 1], scan: 256, starts: 4, hops: 4, iterations: 40 } as const;
/** Search options of each later estimate, which starts at the result of the one before. */
const ROUND_SEARCH = { iterations: 10 } as const;
/** Number of later estimates, in each of which pixels count less that were outliers in the one before. */
const ROUNDS = 3;

/**
 * Estimates the parameters by a search, then repeatedly with pixels weighted by their residuals at the estimate before.
 * @returns the final weights of the pixels, and the parameters with the last estimate as their start.
 */
export async function searchInRounds(
  seen: Film,
  { parameters, ...problem }: Omit<Problem, 'parameters'> & { readonly parameters: readonly ParameterSpec[] },
  { device, signal, log }: Pick<ExperimentContext, 'device' | 'signal' | 'log'>,
): Promise<{ readonly weights: Frames; readonly parameters: readonly ParameterSpec[] }> {
  const { model } = problem;
  const layout = layoutOf(model);
  const drawn = { ...seen.masks, data: toRows(layout, Float32Array.from(seen.observation(model).target), 1) };
  let weights = seen.weights;
  let started = parameters;
  for (let round = 0; round <= ROUNDS; round++) {
    const observations = [seen.observation(model, { weights })];
    const options = { search: round === 0 ? FIRST_SEARCH : ROUND_SEARCH };
    const found = await estimate({ ...problem, parameters: started, observations, options }, { device, signal });
    started = parameters.map((spec) => ({ ...spec, start: found.parameters[spec.name].estimate }));
    weights = trusted(seen.weights, drawn, toRows(layout, found.predicted[Pixel.alpha.key], 1));
    log(
      `${round === 0 ? 'search' : `round ${round}`}: ${started.map(({ name, start }) => `${name} ${start!.toPrecision(3)}`).join(', ')}`,
    );
  }
  return { weights, parameters: started };
}
