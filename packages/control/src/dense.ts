import type { F32, Model } from '@gradsim/core';
import { bind, f32, fieldOn, forRange, kernel, max, tanh, when } from '@gradsim/core';

/** Activation function of a layer. */
export type Activation = 'tanh' | 'relu' | 'identity';
export const ACTIVATIONS: readonly Activation[] = ['tanh', 'relu', 'identity'];

/** A network layer: a domain of `size` elements whose field `value` holds the layer's values. */
export interface Layer {
  readonly domain: string;
  readonly size: number;
}
export interface DenseOptions {
  /**
   * Layers that feed this one, each with the domain of its weights: [number of the input layer][number of this layer].
   */
  readonly inputs: readonly (Layer & { readonly weights: string })[];
  readonly output: Layer;
  readonly activation: Activation;
  /** True if the layer has a field `bias`. */
  readonly hasBias: boolean;
  /** Number of substeps from one evaluation to the next. */
  readonly every: number;
  /** True if the layer keeps its values between evaluations; otherwise they are 0 there. */
  readonly isKept: boolean;
}

const applyActivation = (activation: Activation, x: F32): F32 =>
  activation === 'tanh' ? tanh(x) : activation === 'relu' ? max(x, 0) : x;

/**
 * Adds the passes of a dense layer, y = activation(b + sum over input layers of W x): one pass for each input layer x,
 * the last of which applies the activation.
 *
 * Weights from one input to all numbers of the layer are contiguous, for SIMD; sums run from the first input to the
 * last.
 */
export function addDense(model: Model, { inputs, output, activation, hasBias, every, isKept }: DenseOptions): void {
  inputs.forEach((layer, k) => {
    const isLast = k === inputs.length - 1;
    const keeps = isKept && isLast && every > 1;
    const starts = k > 0 || hasBias;
    const dense = kernel(
      `dense_${layer.domain}_${output.domain}`,
      {
        domain: output.domain,
        reads: {
          weight: fieldOn(layer.weights, f32),
          taken: fieldOn(layer.domain, f32),
          ...(starts ? { start: f32 } : {}),
          ...(keeps ? { result: f32 } : {}),
        },
        writes: { result: f32 },
      },
      ({ weight, taken, start, result: last }, { element, substep }) => {
        const result = (): F32 => {
          const sum = forRange(0, layer.size, start ?? f32(0), (i, so) =>
            so.add(weight.at(i.mul(output.size).add(element)).mul(taken.at(i))),
          );
          return isLast ? applyActivation(activation, sum) : sum;
        };
        return {
          result: every === 1 ? result() : when(substep.rem(every).eq(0), result, () => last ?? f32(0)),
        };
      },
    );
    const partial = (n: number): string => `part${n}`;
    model.addPass(
      'control',
      bind(dense, {
        taken: 'value',
        ...(starts ? { start: k === 0 ? 'bias' : partial(k - 1) } : {}),
        result: isLast ? 'value' : partial(k),
      }),
    );
  });
}
