import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { randomNumbers } from '@gradsim/base';
import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';
import type { Example } from './example.ts';
import { ConvNet, drawColorChange, scalesOf } from './network.ts';
import { shuffled } from './shuffled.ts';

/** Number of examples per step of Adam. */
const BATCH = 16;
/** Learning rate of Adam. */
const LEARNING_RATE = 1e-3;
/** Share of the examples that are not trained on: the weights kept are those of the epoch with the lowest loss over them. */
const VALIDATION_SHARE = 1 / 8;

/** Progress after a pass over all examples. */
export interface Epoch {
  readonly epoch: number;
  /** Mean loss over the steps of the epoch. */
  readonly loss: number;
  /** Loss over the examples that are not trained on. */
  readonly validation: number;
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
  readonly best: Best;
  /** State tensors of Adam, with their names. */
  readonly optimizer: readonly {
    readonly name: string;
    readonly shape: number[];
    readonly values: Float32Array | Int32Array;
  }[];
}

/** Weights of the epoch with the lowest loss over the examples that are not trained on. */
interface Best {
  readonly validation: number;
  readonly weights: readonly Float32Array[];
}

/**
 * Trains a network with Adam on seven eighths of the examples, and returns it with the weights of the epoch at which the
 * loss over the others was lowest. Colours are changed at random, since the motion does not depend on them. After an
 * interruption, the same call resumes from the last complete epoch and reaches the same weights except for rounding,
 * since powers of Adam's decay rates are recomputed.
 *
 * @throws for a checkpoint of another seed or number of examples.
 */
export async function train(examples: readonly Example[], options: TrainOptions): Promise<ConvNet> {
  await tf.setBackend('wasm');
  const { epochs, seed, checkpoint, onEpoch } = options;
  const count = Math.max(1, Math.round(VALIDATION_SHARE * examples.length));
  const [trained, others] = [examples.slice(count), examples.slice(0, count)];
  const network = new ConvNet(scalesOf(trained), seed);
  const optimizer = tf.train.adam(LEARNING_RATE);
  const kept = await resume(network, optimizer, examples.length, options);
  let best = kept?.best;
  for (let epoch = 1 + (kept?.epoch ?? 0); epoch <= epochs; epoch++) {
    const random = randomNumbers(1000 * seed + epoch);
    const order = shuffled(trained, random);
    let [sum, steps] = [0, 0];
    for (let from = 0; from < order.length; from += BATCH, steps++) {
      const batch = order.slice(from, from + BATCH);
      const colors = batch.map(() => drawColorChange(random));
      const loss = optimizer.minimize(() => network.loss(batch, colors), true, [...network.weights])!;
      sum += loss.dataSync()[0];
      loss.dispose();
    }
    const validation = validationLoss(network, others);
    const weights = network.weights.map((weight) => weight.dataSync<'float32'>().slice());
    if (!best || validation < best.validation) best = { validation, weights };
    const content: Checkpoint = {
      epoch,
      seed,
      examples: examples.length,
      weights,
      best,
      optimizer: (await optimizer.getWeights()).map(({ name, tensor }) => ({
        name,
        shape: tensor.shape,
        values: tensor.dataSync<'float32'>().slice(),
      })),
    };
    // A file that is half written never has the name.
    writeFileSync(`${checkpoint}.new`, serialize(content));
    renameSync(`${checkpoint}.new`, checkpoint);
    onEpoch?.({ epoch, loss: sum / steps, validation });
  }
  optimizer.dispose();
  if (best) assign(network, best.weights);
  return network;
}

/** Mean loss over examples, in batches. */
function validationLoss(network: ConvNet, examples: readonly Example[]): number {
  let sum = 0;
  for (let from = 0; from < examples.length; from += BATCH) {
    const batch = examples.slice(from, from + BATCH);
    sum += batch.length * tf.tidy(() => network.loss(batch).dataSync()[0]);
  }
  return sum / examples.length;
}

function assign(network: ConvNet, values: readonly Float32Array[]): void {
  network.weights.forEach((weight, k) => {
    weight.assign(tf.tensor(values[k], weight.shape));
  });
}

/** Loads weights and Adam's state from the checkpoint and returns its content; null if there is none. */
async function resume(
  network: ConvNet,
  optimizer: tf.Optimizer,
  examples: number,
  { checkpoint, seed }: TrainOptions,
): Promise<Checkpoint | null> {
  if (!existsSync(checkpoint)) return null;
  const kept = deserialize(readFileSync(checkpoint)) as Checkpoint;
  if (kept.seed !== seed || kept.examples !== examples)
    throw new Error(
      `${checkpoint} is of seed ${kept.seed} and ${kept.examples} examples, not of ${seed} and ${examples}. Choose another folder.`,
    );
  assign(network, kept.weights);
  const state = kept.optimizer.map(({ name, shape, values }) => ({ name, tensor: tf.tensor(values, shape) }));
  await optimizer.setWeights(state);
  return kept;
}
