import type { Operation } from '@gradsim/optim';
import type { TensorOperation } from '@gradsim/tensorflow';
import { tensorOperation } from '@gradsim/tensorflow';
import * as tf from '@tensorflow/tfjs';
import type { Task } from './throw.ts';
import { drags, goals, INPUTS, networkInputs, OUTPUTS } from './throw.ts';
import type { Thrower } from './trained.ts';

/** Number of units in each hidden layer. */
const HIDDEN = 32;

/** The thrower's network in TensorFlow.js. */
export class TensorflowThrower implements Thrower {
  readonly #weights: readonly tf.Variable[];
  readonly #fly: TensorOperation<'velocity' | 'drag', 'end'>;

  /** @param throwing operation with as many worlds as a batch has tasks. */
  constructor(throwing: Operation<'velocity' | 'drag', 'end'>, seed: number) {
    this.#fly = tensorOperation(throwing);
    const layer = (rows: number, columns: number, k: number): tf.Variable[] => [
      tf.variable(tf.randomNormal([rows, columns], 0, 1 / Math.sqrt(rows), 'float32', seed + k)),
      tf.variable(tf.zeros([columns])),
    ];
    this.#weights = [...layer(INPUTS, HIDDEN, 0), ...layer(HIDDEN, HIDDEN, 1), ...layer(HIDDEN, OUTPUTS, 2)];
  }

  decide(tasks: readonly Task[]): Float32Array {
    return tf.tidy(() => this.#decide(tasks).dataSync<'float32'>());
  }

  #decide(tasks: readonly Task[]): tf.Tensor {
    const [w1, b1, w2, b2, w3, b3] = this.#weights;
    const x = tf.tensor2d(networkInputs(tasks), [tasks.length, INPUTS]);
    const layer = (input: tf.Tensor, w: tf.Tensor, b: tf.Tensor): tf.Tensor => tf.add(tf.matMul(input, w), b);
    const y = tf.tanh(layer(tf.tanh(layer(x, w1, b1)), w2, b2));
    return tf.mul(layer(y, w3, b3), 5);
  }

  train(batches: Iterable<readonly Task[]>, learningRate: number): number[] {
    const losses: number[] = [];
    const optimizer = tf.train.adam(learningRate);
    for (const tasks of batches) {
      const loss = optimizer.minimize(
        () => {
          const velocity = tf.reshape(this.#decide(tasks), [tasks.length, 1, OUTPUTS]);
          const drag = tf.tensor(drags(tasks), [tasks.length, 1, 1]);
          const { end } = this.#fly({ velocity, drag });
          const goal = tf.tensor(goals(tasks), end.shape);
          return tf.mean(tf.sum(tf.squaredDifference(end, goal), [1, 2]));
        },
        true,
        [...this.#weights],
      );
      losses.push(loss!.dataSync()[0]);
      loss!.dispose();
    }
    return losses;
  }
}
