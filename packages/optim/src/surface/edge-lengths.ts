import type { FieldKey } from '@gradsim/core';
import { describeValue, GradsimError } from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';
import type { FunctionLoss } from '../problem/loss.ts';
import type { RegulariserOptions } from '../problem/regularisers.ts';
import { surfaceLoss } from './surface-loss.ts';

export interface EdgeLengthOptions extends RegulariserOptions {
  /** Target length of edges, m. Default 0, which makes all edges as short as possible. */
  readonly length?: number;
}

/**
 * Loss that keeps edges of a surface near a length: the weight times the sum over edges of (|edge| - length)^2.
 *
 * ```ts
 * const losses = [edgeLengthLoss('bodyVertices.local', mesh.triangles, { weight: 1e-2 })];
 * ```
 * Source: N. Wang et al., Pixel2Mesh, 2018, for length 0.
 *
 * @param field positions of the vertices, [vertex][x, y, z]; a field that unknowns set.
 * @param triangles vertex numbers, three per triangle, flat.
 * @throws for a length that is negative or not a number.
 */
export function edgeLengthLoss(
  field: FieldKey,
  triangles: ArrayLike<number>,
  { length = 0, ...options }: EdgeLengthOptions = {},
): FunctionLoss<never, 'field'> {
  const must = flawOf(length, { scalar: 'f32', range: 'nonNegative' });
  if (must)
    throw new GradsimError('optim/option-out-of-range', `edgeLengthLoss: length is ${describeValue(length)}.`, {
      field: 'length',
      hint: `It must ${must}.`,
    });
  return surfaceLoss('edgeLengthLoss', field, triangles, options, (edges) => (points, gradient) => {
    let value = 0;
    for (const {
      ends: [i, j],
    } of edges) {
      const apart = [0, 1, 2].map((c) => points[3 * j + c] - points[3 * i + c]);
      const own = Math.hypot(...apart);
      value += (own - length) ** 2;
      // Coincident ends have no direction to move apart.
      const pull = own > 0 ? 2 * (1 - length / own) : 0;
      for (let c = 0; c < 3; c++) {
        gradient[3 * j + c] += pull * apart[c];
        gradient[3 * i + c] -= pull * apart[c];
      }
    }
    return value;
  });
}
