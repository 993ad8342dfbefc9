import { describe, expect, it } from 'vitest';
import { shapeWords, wordOf } from '../../../src/program/memory/places.ts';
import { fromWords, toWords } from '../../../src/program/memory/value-order.ts';

describe('the orders of values and of words in memory', () => {
  const shapes = [1, 3, 4].flatMap((components) =>
    [1, 3].flatMap((worlds) => [true, false].map((worldsInner) => ({ elements: 5, components, worlds, worldsInner }))),
  );
  it.each(shapes)('are converted into each other as `wordOf` defines: %o', (shape) => {
    const before = 7;
    const values = Float64Array.from({ length: before + shapeWords(shape) }, (_, k) => k + 1);
    const words = new Float64Array(shapeWords(shape));
    toWords(shape, values, before, words);
    let k = before;
    for (let w = 0; w < shape.worlds; w++) {
      for (let e = 0; e < shape.elements; e++) {
        for (let c = 0; c < shape.components; c++) expect(words[wordOf(shape, c, e, w)]).toBe(values[k++]);
      }
    }
    const back = new Float64Array(values.length);
    fromWords(shape, [0, 0, ...words], 2, back, before);
    expect(back.subarray(before)).toEqual(values.subarray(before));
  });
});
