import * as tf from '@tensorflow/tfjs';
import { type Example, FRAMES, PATCH_VALUES, PATCHES, UNKNOWNS } from './example.ts';
import { shuffled } from './shuffled.ts';

/** Number of channels after each convolution. Kernels do not overlap: first 4 x 4 pixels, then 2 x 2 values, twice. */
const CHANNELS = [8, 16, 32] as const;
/** Width and height of the feature map after the last convolution, values. */
const LAST_SIDE = 4;
/** Width of each hidden linear layer of the head. */
const HIDDEN = [128, 64, 32] as const;

/** Means and standard deviations for normalising known quantities and unknowns. */
export interface Scales {
  readonly known: Scale;
  readonly truth: Scale;
}
interface Scale {
  readonly mean: readonly number[];
  readonly deviation: readonly number[];
}

/** Computes means and standard deviations over examples, of known quantities and of the logarithms of unknowns. */
export const scalesOf = (examples: readonly Example[]): Scales => ({
  known: scaleOf(examples.map(({ known }) => known)),
  truth: scaleOf(examples.map(logarithms)),
});

/** Natural logarithms of the true values. The tables' errors are relative, and so are differences of these. */
const logarithms = ({ truth }: Example): number[] => truth.map(Math.log);

function scaleOf(rows: readonly (readonly number[])[]): Scale {
  const over = (of: (value: number, k: number) => number): number[] =>
    rows[0].map((_, k) => rows.reduce((sum, row) => sum + of(row[k], k), 0) / rows.length);
  const mean = over((value) => value);
  const deviation = over((value, k) => (value - mean[k]) ** 2).map((variance) => Math.sqrt(variance) || 1);
  return { mean, deviation };
}

/**
 * The paper's network for Tables 1 and 2 with a smaller convolutional part: each frame becomes 4 x 4 x 32 values; those
 * of all frames are concatenated with the known quantities, and four linear layers predict the unknowns.
 *
 * The WebAssembly back end of TensorFlow.js, seven times as fast as the one in JavaScript, lacks the derivative of a
 * convolution by its kernel. So the stride of each convolution equals its kernel size, and it is a matrix product with
 * patches.
 */
export class ConvNet {
  readonly weights: readonly tf.Variable[];
  readonly #scales: Scales;

  constructor(scales: Scales, seed: number) {
    this.#scales = scales;
    const inputs = [PATCH_VALUES, ...CHANNELS.slice(0, -1).map((channels) => 4 * channels)];
    const joined = FRAMES * LAST_SIDE ** 2 * CHANNELS[2] + scales.known.mean.length;
    const layers = [
      ...inputs.map((rows, k) => [rows, CHANNELS[k]]),
      ...[joined, ...HIDDEN].map((rows, k) => [rows, [...HIDDEN, UNKNOWNS.length][k]]),
    ];
    this.weights = layers.flatMap(([rows, columns], k) => [
      // K. He et al., 2015: variances stay alike through layers of rectified values.
      tf.variable(tf.randomNormal([rows, columns], 0, Math.sqrt(2 / rows), 'float32', seed + k)),
      tf.variable(tf.zeros([columns])),
    ]);
  }

  /** Predicts the unknowns of examples, in their physical units. */
  predict(examples: readonly Example[]): number[][] {
    const { mean, deviation } = this.#scales.truth;
    const rows = tf.tidy(() => this.#outputs(examples).arraySync());
    return rows.map((row) => row.map((value, k) => Math.exp(mean[k] + deviation[k] * value)));
  }

  /**
   * Mean squared error of the normalised logarithms of unknowns over examples.
   *
   * @param colors how colours of each example are changed. Default: not at all.
   */
  loss(examples: readonly Example[], colors?: readonly ColorChange[]): tf.Scalar {
    const targets = tf.tensor2d(normaliseValues(examples.map(logarithms), this.#scales.truth));
    return tf.mean(tf.squaredDifference(this.#outputs(examples, colors), targets));
  }

  #outputs(examples: readonly Example[], colors?: readonly ColorChange[]): tf.Tensor2D {
    const [w, head] = [this.weights, 2 * CHANNELS.length];
    const layer = (input: tf.Tensor, k: number): tf.Tensor => tf.add(tf.matMul(input, w[2 * k]), w[2 * k + 1]);
    const frames = examples.length * FRAMES;
    let side = Math.sqrt(PATCHES);
    let values = tf.relu(layer(pixelsOf(examples, colors), 0));
    for (let k = 1; k < CHANNELS.length; k++) {
      values = tf.relu(layer(patchesOf(values, { frames, side, channels: CHANNELS[k - 1] }), k));
      side /= 2;
    }
    const known = tf.tensor2d(
      normaliseValues(
        examples.map(({ known }) => known),
        this.#scales.known,
      ),
    );
    values = tf.concat([tf.reshape(values, [examples.length, -1]), known], 1);
    for (let k = 0; k <= HIDDEN.length; k++) {
      values = layer(values, head / 2 + k);
      if (k < HIDDEN.length) values = tf.relu(values);
    }
    return values as tf.Tensor2D;
  }

  dispose(): void {
    for (const weight of this.weights) weight.dispose();
  }
}

/** Change of a film's colours that leaves the motion as it is. */
export interface ColorChange {
  /** Channel of the film that becomes each channel. */
  readonly channels: readonly number[];
  /** Factor of differences from the background. */
  readonly contrast: number;
}

const NO_COLOR_CHANGE: ColorChange = { channels: [0, 1, 2], contrast: 1 };

/** Draws a change of colours at random. */
export function drawColorChange(random: () => number): ColorChange {
  const contrast = (random() < 0.5 ? -1 : 1) * (0.7 + 0.6 * random());
  return { channels: shuffled([0, 1, 2], random), contrast };
}

/** Differences of pixels from their film's background, one patch per row. */
function pixelsOf(examples: readonly Example[], colors?: readonly ColorChange[]): tf.Tensor2D {
  const length = FRAMES * PATCHES * PATCH_VALUES;
  const pixels = new Float32Array(examples.length * length);
  examples.forEach(({ patches, background }, k) => {
    const { channels, contrast } = colors?.[k] ?? NO_COLOR_CHANGE;
    for (let i = 0; i < length; i += 3)
      channels.forEach((from, c) => {
        pixels[k * length + i + c] = contrast * (patches[i + from] / 255 - background[from]);
      });
  });
  return tf.tensor2d(pixels, [examples.length * FRAMES * PATCHES, PATCH_VALUES]);
}

/** Rearranges square feature maps into patches of 2 x 2 values, one patch per row. */
function patchesOf(
  values: tf.Tensor,
  { frames, side, channels }: { readonly frames: number; readonly side: number; readonly channels: number },
): tf.Tensor {
  const half = side / 2;
  const apart = tf.transpose(tf.reshape(values, [frames, half, 2, half, 2 * channels]), [0, 1, 3, 2, 4]);
  return tf.reshape(apart, [frames * half * half, 4 * channels]);
}

const normaliseValues = (rows: readonly (readonly number[])[], { mean, deviation }: Scale): number[][] =>
  rows.map((row) => row.map((value, k) => (value - mean[k]) / deviation[k]));
