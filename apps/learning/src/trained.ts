import type { Device } from '@gradsim/core';
import type { Operation } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';
import type { Task } from './throw.ts';
import { drags, drawTasks, meanMiss, throwing } from './throw.ts';

/** A network that decides how to throw, and learns. */
export interface Thrower {
  /** The velocities that it throws with, [task][axis]. */
  decide(tasks: readonly Task[]): ArrayLike<number>;
  /** Learns from one batch after another; gives the loss of each, the mean squared distance from the goal, m^2. */
  train(batches: Iterable<readonly Task[]>, learningRate: number): number[];
}

/** Learning rates, one after the other. */
const RATES = [0.008, 0.001];

/**
 * Trains a network on drawn tasks and has it throw at others: how far from their goals the balls are, m, before and after.
 * @param batches so many with a high learning rate, and as many with a low one.
 */
export async function trained(
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
    return meanMiss(operation.at({ velocity, drag: drags(others) }).value.end, others);
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
