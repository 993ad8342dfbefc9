import { expect, it } from 'vitest';
import { evenIndices } from '../src/index.ts';

it('indices are evenly spaced, with the first and the last, and all of them if they are few', () => {
  expect(evenIndices(9, 3)).toEqual([0, 4, 8]);
  expect(evenIndices(10, 4)).toEqual([0, 3, 6, 9]);
  expect(evenIndices(3, 5)).toEqual([0, 1, 2]);
  expect(evenIndices(7, 1)).toEqual([0]);
  expect(evenIndices(1, 1)).toEqual([0]);
  expect(evenIndices(0, 4)).toEqual([]);
});
