import type { Operation } from '@gradsim/optim';

import * as tf from '@tensorflow/tfjs';
import type { Task } from './throw.ts';
import { DECIDED, drags, goals, TOLD, told } from './throw.ts';
import type { Thrower } from './trained.ts';

const HIDDEN = 32;

/** The flight as an operation of TensorFlow.js, from velocities to ends: its derivatives are those of the simulation. */
export function flight(throwing: Operation<'velocity' | 'drag', 'end'>, drag: ArrayLike<number>) {
  return tf.customGrad((...given) => {
    const velocity = given[0] as tf.Tensor;
    const { value, pullback } = throwing.at({ velocity: velocity.dataSync(), drag });
    // TensorFlow.js takes numbers of single precision.
    const tensor = (values: Float64Array): tf.Tensor => tf.tensor(Float32Array.from(values), velocity.shape);
    return {
      value: tensor(value.end),
      gradFunc: (slopes: tf.Tensor) => tensor(pullback({ end: slopes.dataSync() }).velocity),
    };
  });
}

/** A network of TensorFlow.js that learns to throw. */
export class TensorflowThrower implements Thrower {
  readonly #weights: readonly tf.Variable[];
  readonly #throwing: Operation<'velocity' | 'drag', 'end'>;

  /** @param throwing a batch of as many worlds as tasks come at a time. */
  constructor(throwing: Operation<'velocity' | 'drag', 'end'>, seed: number) {
    this.#throwing = throwing;
    const layer = (rows: number, columns: number, k: number): tf.Variable[] => [
      tf.variable(tf.randomNormal([rows, columns], 0, 1 / Math.sqrt(rows), 'float32', seed + k)),
      tf.variable(tf.zeros([columns])),
    ];
    this.#weights = [...layer(TOLD, HIDDEN, 0), ...layer(HIDDEN, HIDDEN, 1), ...layer(HIDDEN, DECIDED, 2)];
  }

  decide(tasks: readonly Task[]): Float32Array {
    return tf.tidy(() => this.#decide(tasks).dataSync<'float32'>());
  }

  #decide(tasks: readonly Task[]): tf.Tensor {
    const [w1, b1, w2, b2, w3, b3] = this.#weights;
    const x = tf.tensor2d(told(tasks), [tasks.length, TOLD]);
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
          const end = flight(this.#throwing, drags(tasks))(this.#decide(tasks));
          const goal = tf.tensor2d(goals(tasks), [tasks.length, DECIDED]);
          return tf.mean(tf.sum(tf.squaredDifference(end, goal), 1));
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
