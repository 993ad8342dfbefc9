import { Link } from '@gradsim/articulated';
import { standardNormal } from '@gradsim/base';

/** Initial joint angles, rad, and angular velocities, rad/s, by field key. */
export type Start = Readonly<Record<string, ArrayLike<number>>>;

export const start = (coordinate: readonly number[], rate: readonly number[]): Start => ({
  [Link.coordinate.key]: coordinate,
  [Link.rate.key]: rate,
});

const within = (random: () => number, reach: number): number => reach * (2 * random() - 1);

/** Draws a start of the swing-up: angles within 0.3 rad of hanging, and rates within 0.3 rad/s. */
export const hangingStart = (random: () => number): Start =>
  start([within(random, 0.3), within(random, 0.3)], [within(random, 0.3), within(random, 0.3)]);

/**
 * Draws a start for training: a quarter hang, a quarter are near the top, half are anywhere in between. Training runs
 * are short; together these starts cover the states of a long run.
 */
export function randomStart(random: () => number): Start {
  const kind = random();
  if (kind < 0.25) return hangingStart(random);
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
