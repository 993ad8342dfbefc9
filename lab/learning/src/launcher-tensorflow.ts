import type { TensorOperation } from '@gradsim/tensorflow';
import { tensorOperation } from '@gradsim/tensorflow';
import * as tf from '@tensorflow/tfjs';
import type { Flight, Shots } from './launcher.ts';
import { drawWeights, FRAMES, LAYERS, REACH, SETTINGS, SPEED } from './launcher.ts';

/** Launcher, flight and camera as one network of TensorFlow.js, whose middle layer is the simulation. */
export class TensorflowLauncher {
  readonly weights: readonly tf.Variable[];
  readonly #fly: TensorOperation<'velocity', 'path'>;

  constructor(flown: Flight, random: () => number) {
    this.#fly = tensorOperation(flown);
    this.weights = drawWeights(random).map((values, k) =>
      tf.variable(tf.tensor(values, k % 2 ? [values.length] : [...LAYERS[k / 2]])),
    );
  }

  /** Loss: mean squared difference of predicted and seen picture coordinates. */
  loss({ count, settings, seen }: Shots): tf.Scalar {
    const [w1, b1, w2, b2, w3, b3, w4, b4] = this.weights;
    const layer = (x: tf.Tensor, w: tf.Tensor, b: tf.Tensor): tf.Tensor => tf.add(tf.matMul(x, w), b);

    const launcher = layer(tf.tanh(layer(tf.tensor(settings, [count, SETTINGS]), w1, b1)), w2, b2);
    const { path } = this.#fly({ velocity: tf.reshape(tf.mul(launcher, SPEED), [count, 1, 3]) });
    const positions = tf.reshape(tf.div(path, REACH), [count * FRAMES, 3]);
    const camera = layer(tf.tanh(layer(positions, w3, b3)), w4, b4);

    return tf.mean(tf.squaredDifference(camera, tf.tensor(seen, [count * FRAMES, 2])));
  }

  /** Trains on one batch after another; returns the loss of each batch before its step. */
  async train(batches: Iterable<Shots>, learningRate: number): Promise<number[]> {
    const losses: number[] = [];
    const optimizer = tf.train.adam(learningRate);
    for (const shots of batches) {
      const loss = optimizer.minimize(() => this.loss(shots), true, [...this.weights])!;
      losses.push(loss.dataSync()[0]);
      loss.dispose();
    }
    return losses;
  }

  /** Returns the loss for shots without training on them. */
  async test(shots: Shots): Promise<number> {
    return tf.tidy(() => this.loss(shots).dataSync()[0]);
  }
}
