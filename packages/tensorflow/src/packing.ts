import type { Tensor } from '@tensorflow/tfjs-core';
import { reshape, slice, tensor } from '@tensorflow/tfjs-core';

/** Lengths of axes, by name. */
export type Shapes = Readonly<Record<string, readonly number[]>>;

const countOf = (shape: readonly number[]): number => shape.reduce((product, length) => product * length, 1);

/**
 * Concatenates all values of some names into one tensor: an operation with a custom derivative returns one tensor only.
 * TensorFlow.js computes in single precision.
 */
export function packed(shapes: Shapes, values: Readonly<Record<string, ArrayLike<number>>>): Tensor {
  const all = new Float32Array(Object.values(shapes).reduce((sum, shape) => sum + countOf(shape), 0));
  let at = 0;
  for (const [name, shape] of Object.entries(shapes)) {
    all.set(values[name], at);
    at += countOf(shape);
  }
  return tensor(all, [all.length], 'float32');
}

/** Splits the tensor of {@link packed}, by operations that TensorFlow.js differentiates. */
export function unpacked(shapes: Shapes, all: Tensor): Record<string, Tensor> {
  let at = 0;
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      const begin = at;
      at += countOf(shape);
      // A slice of everything would cost its derivative a copy.
      const part = all.size === at - begin ? all : slice(all, [begin], [at - begin]);
      return [name, reshape(part, [...shape])];
    }),
  );
}

/** Views of the values within one packed array, by name. */
export function partsOf(shapes: Shapes, all: Float32Array): Record<string, Float32Array> {
  let at = 0;
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      const begin = at;
      at += countOf(shape);
      return [name, all.subarray(begin, at)];
    }),
  );
}
