import type { F32, Model } from '@gradsim/core';
import { bind, f32, forRange, kernel, max, on, tanh, when } from '@gradsim/core';

/** What a layer makes of its sums. */
export type Activation = 'tanh' | 'relu' | 'identity';
export const ACTIVATIONS: readonly Activation[] = ['tanh', 'relu', 'identity'];

/** A domain whose field `value` holds the numbers of a layer. */
export interface Layer {
  readonly domain: string;
  readonly size: number;
}
export interface DenseOptions {
  /** Layers that it takes in, with the domain of the weights from each: [number taken in][number of this layer]. */
  readonly from: readonly (Layer & { readonly weights: string })[];
  readonly to: Layer;
  readonly activation: Activation;
  /** Whether the layer has a field `bias`. */
  readonly hasBias: boolean;
  /** It is found in every substep that this divides. */
  readonly every: number;
  /** Whether it keeps its numbers between those substeps; else they are 0 there. */
  readonly isKept: boolean;
}

const activated = (activation: Activation, x: F32): F32 =>
  activation === 'tanh' ? tanh(x) : activation === 'relu' ? max(x, 0) : x;

/**
 * Adds passes y = activation(b + sum of W x) over the layers x that it takes in, one for each.
 *
 * Weights to neighbouring numbers of a layer lie next to each other, so that a processor takes several at once; sums go
 * from the first number taken in to the last.
 */
export function addDense(model: Model, { from, to, activation, hasBias, every, isKept }: DenseOptions): void {
  from.forEach((layer, k) => {
    const isLast = k === from.length - 1;
    const keeps = isKept && isLast && every > 1;
    const starts = k > 0 || hasBias;
    const dense = kernel(
      `dense_${layer.domain}_${to.domain}`,
      {
        domain: to.domain,
        reads: {
          weight: on(layer.weights, f32),
          taken: on(layer.domain, f32),
          ...(starts ? { start: f32 } : {}),
          ...(keeps ? { result: f32 } : {}),
        },
        writes: { result: f32 },
      },
      ({ weight, taken, start, result: last }, { element, substep }) => {
        const result = (): F32 => {
          const sum = forRange(0, layer.size, start ?? f32(0), (i, so) =>
            so.add(weight.at(i.mul(to.size).add(element)).mul(taken.at(i))),
          );
          return isLast ? activated(activation, sum) : sum;
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
