import { mean, standardNormal } from '@gradsim/base';
import { REINFORCE_OF_THE_PAPER } from '@gradsim/baselines';
import { randomNumbers } from '@gradsim/optim';
import type { Line } from '../lines.ts';

/** The landscape that REINFORCE sees. */
export interface ReinforceView {
  /** At each mass the mean loss of one step's draws around it. */
  readonly points: Line['points'];
  /** Fraction of steps that lead away from the truth. */
  readonly wrong: number;
}

/**
 * What a step of REINFORCE, with the paper's settings, sees of a loss over one unknown: the mean loss of five draws
 * around each point, and the way that it takes from there. Losses between points are interpolated.
 */
export function reinforceView(
  { values, losses }: { readonly values: readonly number[]; readonly losses: readonly number[] },
  truth: number,
  seed: number,
): ReinforceView {
  const random = randomNumbers(seed);
  const { samples, noise } = REINFORCE_OF_THE_PAPER;
  const [low, high] = [values[0], values[values.length - 1]];
  const spread = noise * (high - low);
  const at = (value: number): number => {
    // Beyond an end the range is mirrored, as the search does.
    const inside = value < low ? 2 * low - value : value > high ? 2 * high - value : value;
    const place = ((inside - low) / (high - low)) * (values.length - 1);
    const k = Math.min(Math.floor(place), values.length - 2);
    return losses[k] + (place - k) * (losses[k + 1] - losses[k]);
  };
  let wrong = 0;
  const points = values.map((x) => {
    const draws = Array.from({ length: samples }, () => standardNormal(random));
    const found = draws.map((draw) => at(x + spread * draw));
    const middle = mean(found);
    // A step follows the mean of rewards times draws, and rewards are how far losses lie below their mean.
    const step = mean(draws.map((draw, k) => (middle - found[k]) * draw));
    if (step * (truth - x) < 0) wrong++;
    return { x, y: middle };
  });
  return { points, wrong: wrong / values.length };
}
