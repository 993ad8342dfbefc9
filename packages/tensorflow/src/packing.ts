import type { Tensor } from '@tensorflow/tfjs-core';
import { reshape, slice, tensor } from '@tensorflow/tfjs-core';

/** Shapes of arrays by name: the length of each axis. */
export type Shapes = Readonly<Record<string, readonly number[]>>;

const countOf = (shape: readonly number[]): number => shape.reduce((product, length) => product * length, 1);

/**
 * Concatenates the values of all names of `shapes` into one float32 tensor, since a TensorFlow.js operation with a
 * custom derivative returns one tensor only.
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

/**
 * Splits the tensor made by {@link packed} into one of its shape per name, by operations that TensorFlow.js
 * differentiates.
 */
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

/** Views of the values of each name within the packed array. */
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
