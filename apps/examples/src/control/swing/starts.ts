import { Link } from '@gradsim/articulated';
import { standardNormal } from '@gradsim/numeric';

/** Initial joint angles, rad, and rates, rad/s. */
export type Start = Readonly<Record<string, ArrayLike<number>>>;

export const start = (coordinate: readonly number[], rate: readonly number[]): Start => ({
  [Link.coordinate.key]: coordinate,
  [Link.rate.key]: rate,
});

const within = (random: () => number, reach: number): number => reach * (2 * random() - 1);

/** Draws starts of the swing-up: hanging within 0.3 rad and 0.3 rad/s. */
export const hanging = (random: () => number): Start =>
  start([within(random, 0.3), within(random, 0.3)], [within(random, 0.3), within(random, 0.3)]);

/**
 * Draws starts of training: a quarter hanging, a quarter near the top, half anywhere in between. Training runs are
 * short; together these starts cover a long run.
 */
export function anywhere(random: () => number): Start {
  const kind = random();
  if (kind < 0.25) return hanging(random);
  if (kind < 0.5)
    return start(
      [Math.PI + 0.3 * standardNormal(random), 0.3 * standardNormal(random)],
      [standardNormal(random), 1.5 * standardNormal(random)],
    );
  return start(
    [2 * Math.PI * random(), 0.8 * standardNormal(random)],
    [3 * standardNormal(random), 3 * standardNormal(random)],
  );
}
