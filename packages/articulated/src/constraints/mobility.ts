import { cross, sumOfProducts, type Vector } from '@gradsim/base';
import type { Mobility, TreesAtRest } from '../at-rest/dynamics.ts';

/** Load of a row: a wrench on a link about the world's origin, moment then force, or an effort of its joint. */
export interface RowLoad {
  readonly link: number;
  readonly wrench?: readonly number[];
  readonly effort?: number;
}

export const forceAt = (point: Vector, force: Vector): number[] => [...cross(point, force), ...force];
export const couple = (moment: Vector): number[] => [...moment, 0, 0, 0];

/** Returns J M^-1 J^T of one row at rest: the inverse of the inertia that it moves. */
export function mobilityOfRow(
  { trees, motions }: TreesAtRest,
  { accelerations }: Mobility,
  loads: readonly RowLoad[],
): number {
  const efforts = motions.map((own) => own.map(() => 0));
  for (const { link, wrench, effort } of loads) {
    if (effort !== undefined) efforts[link][0] += effort;
    if (wrench)
      for (let k = link; k >= 0; k = trees[k].joint === 'free' ? -1 : trees[k].parent)
        motions[k].forEach((motion, i) => {
          efforts[k][i] += sumOfProducts(motion, wrench);
        });
  }
  return accelerations(efforts).reduce((sum, own, k) => sum + sumOfProducts(own, efforts[k]), 0);
}
