import type { Device } from '@gradsim/core';
import type { Operation } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';
import type { Task } from './throw.ts';
import { drags, drawTasks, meanDistanceFromGoal, throwing } from './throw.ts';

/** A trainable network that maps tasks to throws. */
export interface Thrower {
  /** Returns the initial velocity of each throw, m/s: [task][axis]. */
  decide(tasks: readonly Task[]): ArrayLike<number>;
  /**
   * Trains on one batch after another; returns the loss of each batch, the mean squared distance from the goal, m^2.
   */
  train(batches: Iterable<readonly Task[]>, learningRate: number): number[];
}

/** Learning rates of the two successive parts of the training. */
const RATES = [0.008, 0.001];

/**
 * Trains a network on random tasks, and tests it on others: returns the mean distance of the balls from their goals, m,
 * before and after, the numbers of batches and throws, and the duration, s.
 * @param batches number of batches at each of the two learning rates.
 */
export async function trainThrower(
  Network: new (throwing: Operation<'velocity' | 'drag', 'end'>, seed: number) => Thrower,
  {
    device,
    batch,
    batches,
    seed,
  }: { readonly device: Device; readonly batch: number; readonly batches: number; readonly seed: number },
) {
  const operation = await throwing(device, batch);
  const network = new Network(operation, seed);
  const random = randomNumbers(seed);
  const others = drawTasks(batch, random);
  const missed = (): number => {
    const velocity = network.decide(others);
    return meanDistanceFromGoal(operation.at({ velocity, drag: drags(others) }).value.end, others);
  };
  function* drawn(): Generator<readonly Task[]> {
    for (let k = 0; k < batches; k++) yield drawTasks(batch, random);
  }
  const before = missed();
  const began = performance.now();
  const losses = RATES.flatMap((rate) => network.train(drawn(), rate));
  const seconds = (performance.now() - began) / 1000;
  const after = missed();
  operation.dispose();
  return { batches: losses.length, throws: losses.length * batch, before, after, seconds };
}
