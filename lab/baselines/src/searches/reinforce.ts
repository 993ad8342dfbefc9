import { mean, standardNormal } from '@gradsim/base';
import type { BlackBox, Point, SearchFrom } from './black-box.ts';
import { reflectIntoBox } from './black-box.ts';

/** Settings of {@link reinforce}. */
export interface ReinforceSettings {
  /** Number of simulations per step. */
  readonly samples: number;
  readonly steps: number;
  /** Initial standard deviation of the policy, as a fraction of each unknown's range. */
  readonly noise: number;
  /** Factor by which the standard deviation is multiplied after each step. */
  readonly noiseDecay: number;
  /**
   * Initial learning rate: at 1, the first step is the noise times the mean of rewards times draws.
   */
  readonly rate: number;
  /** Factor by which the learning rate is multiplied after each step. */
  readonly rateDecay: number;
}

/**
 * The paper's settings (Table 5), 625 simulations. Its noise is taken as a fraction of the range, and its decay as
 * that of the learning rate.
 */
export const REINFORCE_OF_THE_PAPER: ReinforceSettings = {
  samples: 5,
  steps: 125,
  noise: 0.05,
  noiseDecay: 1,
  rate: 1,
  rateDecay: 0.925,
};

/**
 * Settings with as many simulations: the best of a grid for the mass of eight training objects, which `npm run -s paper
 * -- reinforce` prints. Steps span the range at first, and then shrink.
 */
export const REINFORCE_TUNED: ReinforceSettings = {
  samples: 5,
  steps: 125,
  noise: 0.4,
  noiseDecay: 0.95,
  rate: 2,
  rateDecay: 1,
};

/**
 * Returns the mean of a Gaussian policy after its last step. Each step draws points x = m + s e around the mean m, with
 * e standard normal, and moves m by the policy gradient times s^2 times the learning rate. Rewards are negative losses,
 * normalised.
 *
 * Source: R. J. Williams, Machine Learning 8, 1992: d/dm E[r] = E[r (x - m)] / s^2.
 */
export async function reinforce(
  { dimension, losses }: BlackBox,
  { start, random, ...settings }: SearchFrom & ReinforceSettings,
): Promise<Point> {
  let at = start;
  let { noise, rate } = settings;
  for (let step = 0; step < settings.steps; step++) {
    const draws = Array.from({ length: settings.samples }, () =>
      Array.from({ length: dimension }, () => standardNormal(random)),
    );
    const found = await losses(draws.map((draw) => reflectIntoBox(at.map((x, k) => x + noise * draw[k]))));
    const move = policyStep(rewardsOf(found), draws);
    at = reflectIntoBox(at.map((x, k) => x + rate * noise * move[k]));
    noise *= settings.noiseDecay;
    rate *= settings.rateDecay;
  }
  return at;
}

/** Mean of the rewards times the draws e, which is s times the estimated policy gradient. */
export const policyStep = (rewards: readonly number[], draws: readonly Point[]): number[] =>
  draws[0].map((_, k) => mean(rewards.map((reward, i) => reward * draws[i][k])));

/**
 * Converts losses to rewards of mean 0 and variance 1. A failed run gets the worst of the other losses. All rewards are
 * 0 if the losses are equal.
 */
export function rewardsOf(losses: readonly number[]): number[] {
  const finite = losses.filter(Number.isFinite);
  if (finite.length === 0) return losses.map(() => 0);
  const worst = Math.max(...finite);
  const rewards = losses.map((loss) => -Math.min(loss, worst));
  const middle = mean(rewards);
  const deviation = Math.sqrt(mean(rewards.map((reward) => (reward - middle) ** 2)));
  return rewards.map((reward) => (deviation > 0 ? (reward - middle) / deviation : 0));
}
