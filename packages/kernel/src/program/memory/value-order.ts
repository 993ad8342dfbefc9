import type { Shape } from './places.ts';

// Conversion between value order, [world][element][component], and word order, that of a shape. A picture has a million
// values per frame, so these are plain loops.

/** Returns the strides of a shape, in words. */
export function strides({ elements, components, worlds, worldsInner, inRows }: Shape): {
  component: number;
  element: number;
  world: number;
} {
  if (inRows) return { component: 1, element: components, world: elements * components };
  return worldsInner
    ? { component: elements * worlds, element: worlds, world: 1 }
    : { component: elements, element: 1, world: elements * components };
}

/**
 * Converts values of one field from [world][element][component], starting at position `from`, to words in the order of
 * `shape`.
 */
export function toWords(
  shape: Shape,
  values: ArrayLike<number>,
  from: number,
  words: Float32Array | Float64Array | Uint32Array,
): void {
  const { worlds, elements, components } = shape;
  const { component, element, world } = strides(shape);
  for (let w = 0; w < worlds; w++) {
    if (components === 4 && element === 1) {
      toPlanes(shape, values, from + w * elements * 4, words, w * world);
      continue;
    }
    for (let c = 0; c < components; c++) {
      let at = w * world + c * component;
      let k = from + w * elements * components + c;
      for (let e = 0; e < elements; e++) {
        words[at] = values[k];
        at += element;
        k += components;
      }
    }
  }
}

/**
 * Converts four-component values of one world to four contiguous planes: the case of a picture, twice as fast as the
 * general one.
 */
function toPlanes(
  { elements }: Shape,
  values: ArrayLike<number>,
  from: number,
  words: Float32Array | Float64Array | Uint32Array,
  to: number,
): void {
  const [second, third, fourth] = [to + elements, to + 2 * elements, to + 3 * elements];
  for (let e = 0, k = from; e < elements; e++, k += 4) {
    words[to + e] = values[k];
    words[second + e] = values[k + 1];
    words[third + e] = values[k + 2];
    words[fourth + e] = values[k + 3];
  }
}

/** An array of numbers that values are written into. */
export type NumberArray =
  | Float64Array
  | Float32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Uint32Array;

/**
 * Converts words of one field, starting at position `from`, to values as [world][element][component], starting at
 * position `to`.
 * @param stride number of values from one element's first component to the next element's.
 */
export function fromWords(
  shape: Shape,
  words: ArrayLike<number>,
  from: number,
  values: NumberArray,
  to: number,
  stride = shape.components,
  scale = 1,
): void {
  const { worlds, elements, components } = shape;
  const { component, element, world } = strides(shape);
  for (let w = 0; w < worlds; w++) {
    for (let c = 0; c < components; c++) {
      let at = from + w * world + c * component;
      let k = to + w * elements * stride + c;
      for (let e = 0; e < elements; e++) {
        values[k] = words[at] * scale;
        at += element;
        k += stride;
      }
    }
  }
}
