import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { randomNumbers } from '@gradsim/numeric';
import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';
import type { Example } from './example.ts';
import { ConvNet, scalesOf } from './network.ts';

/** Number of examples per step of Adam. */
const BATCH = 16;
/** Learning rate of Adam. */
const LEARNING_RATE = 1e-3;

/** Progress after a pass over all examples. */
export interface Epoch {
  readonly epoch: number;
  /** Mean loss over the steps of the epoch. */
  readonly loss: number;
}

/** Options of {@link train}. */
export interface TrainOptions {
  /** Total number of passes over all examples, including those before a resumption. */
  readonly epochs: number;
  readonly seed: number;
  /** Path of the checkpoint file: training resumes from it if it exists, and writes it after every epoch. */
  readonly checkpoint: string;
  readonly onEpoch?: (epoch: Epoch) => void;
}

/** Content of a checkpoint. */
interface Checkpoint {
  readonly epoch: number;
  readonly seed: number;
  readonly examples: number;
  readonly weights: readonly Float32Array[];
  /** State tensors of Adam, with their names. */
  readonly optimizer: readonly {
    readonly name: string;
    readonly shape: number[];
    readonly values: Float32Array | Int32Array;
  }[];
}

/**
 * Trains a network with Adam. After an interruption, the same call resumes from the last complete epoch and reaches the
 * same weights except for rounding, since powers of Adam's decay rates are recomputed.
 *
 * @throws for a checkpoint of another seed or number of examples.
 */
export async function train(examples: readonly Example[], options: TrainOptions): Promise<ConvNet> {
  await tf.setBackend('wasm');
  const { epochs, seed, checkpoint, onEpoch } = options;
  const network = new ConvNet(scalesOf(examples), seed);
  const optimizer = tf.train.adam(LEARNING_RATE);
  for (let epoch = 1 + (await resume(network, optimizer, examples.length, options)); epoch <= epochs; epoch++) {
    const order = shuffled(examples, randomNumbers(1000 * seed + epoch));
    let [sum, steps] = [0, 0];
    for (let from = 0; from < order.length; from += BATCH, steps++) {
      const loss = optimizer.minimize(() => network.loss(order.slice(from, from + BATCH)), true, [...network.weights])!;
      sum += loss.dataSync()[0];
      loss.dispose();
    }
    const content: Checkpoint = {
      epoch,
      seed,
      examples: examples.length,
      weights: network.weights.map((weight) => weight.dataSync<'float32'>().slice()),
      optimizer: (await optimizer.getWeights()).map(({ name, tensor }) => ({
        name,
        shape: tensor.shape,
        values: tensor.dataSync<'float32'>().slice(),
      })),
    };
    // A file that is half written never has the name.
    writeFileSync(`${checkpoint}.new`, serialize(content));
    renameSync(`${checkpoint}.new`, checkpoint);
    onEpoch?.({ epoch, loss: sum / steps });
  }
  optimizer.dispose();
  return network;
}

/** Loads weights and Adam's state from the checkpoint. Returns its epoch; 0 if there is none. */
async function resume(
  network: ConvNet,
  optimizer: tf.Optimizer,
  examples: number,
  { checkpoint, seed }: TrainOptions,
): Promise<number> {
  if (!existsSync(checkpoint)) return 0;
  const kept = deserialize(readFileSync(checkpoint)) as Checkpoint;
  if (kept.seed !== seed || kept.examples !== examples)
    throw new Error(
      `${checkpoint} is of seed ${kept.seed} and ${kept.examples} examples, not of ${seed} and ${examples}. Choose another folder.`,
    );
  network.weights.forEach((weight, k) => {
    weight.assign(tf.tensor(kept.weights[k], weight.shape));
  });
  const state = kept.optimizer.map(({ name, shape, values }) => ({ name, tensor: tf.tensor(values, shape) }));
  await optimizer.setWeights(state);
  return kept.epoch;
}

/** Returns the items in random order (Fisher and Yates' shuffle). */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let k = order.length - 1; k > 0; k--) {
    const other = Math.floor((k + 1) * random());
    [order[k], order[other]] = [order[other], order[k]];
  }
  return order;
}
