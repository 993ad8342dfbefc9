import { expect, it } from 'vitest';
import { connectedPieces } from '../src/index.ts';

it('connectedPieces returns for each element the smallest one of its connected piece, in either order of groups', () => {
  const groups = [[4, 3], [6], [0, 3, 5], [2, 2]];
  for (const given of [groups, groups.toReversed()])
    expect([...connectedPieces(7, given)]).toEqual([0, 1, 2, 0, 0, 0, 6]);
  expect([...connectedPieces(0, [])]).toEqual([]);
});
