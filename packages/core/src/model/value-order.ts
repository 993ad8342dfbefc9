import type { Shape } from './places.ts';

// Values come and go as [world][element][component]; words lie in the order of a shape. A picture has a million of
// them for every frame, so these are plain loops.

/** Steps from one word of a shape to the next. */
function strides({ elements, components, worlds, worldsInner }: Shape): {
  component: number;
  element: number;
  world: number;
} {
  return worldsInner
    ? { component: elements * worlds, element: worlds, world: 1 }
    : { component: elements, element: 1, world: elements * components };
}

/** Puts the values from `from` on in the order of words. */
export function toWords(
  shape: Shape,
  values: ArrayLike<number>,
  from: number,
  words: Float64Array | Uint32Array,
): void {
  const { component, element, world } = strides(shape);
  let k = from;
  for (let w = 0; w < shape.worlds; w++) {
    for (let e = 0; e < shape.elements; e++) {
      const first = w * world + e * element;
      for (let c = 0; c < shape.components; c++) words[first + c * component] = values[k++];
    }
  }
}

/** Takes the words from `from` on back into the order of values, from `to` on. */
export function fromWords(
  shape: Shape,
  words: ArrayLike<number>,
  from: number,
  values: Float64Array,
  to: number,
): void {
  const { component, element, world } = strides(shape);
  let k = to;
  for (let w = 0; w < shape.worlds; w++) {
    for (let e = 0; e < shape.elements; e++) {
      const first = from + w * world + e * element;
      for (let c = 0; c < shape.components; c++) values[k++] = words[first + c * component];
    }
  }
}
