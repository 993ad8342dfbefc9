import { column, f32 } from '@gradsim/core';

/** The column `fixed`: 1 for an element that never moves, of infinite mass and without weight; else 0. */
export const fixed = column(f32, {
  default: 0,
  range: { requirement: 'be 0 or 1', isMet: ([value]) => value === 0 || value === 1 },
});
