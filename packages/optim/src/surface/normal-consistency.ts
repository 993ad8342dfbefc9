import { cross, dot, norm, subtract, type Vector, vectorAt } from '@gradsim/base';
import type { FieldKey } from '@gradsim/core';
import type { FunctionLoss } from '../problem/loss.ts';
import type { RegulariserOptions } from '../problem/regularisers.ts';
import { surfaceLoss } from './surface-loss.ts';

/**
 * Loss that keeps a surface from folding: the weight times the sum over edges of 1 - cos(angle between the normals of
 * the two adjacent triangles). An edge of a triangle without area, which has no normal, contributes 1.
 *
 * ```ts
 * const losses = [normalConsistency('bodyVertices.local', mesh.triangles, { weight: 1e-3 })];
 * ```
 * Source: N. Ravi et al., Accelerating 3D deep learning with PyTorch3D, 2020 (mesh_normal_consistency); after the
 * flatness term of H. Kato, Y. Ushiku and T. Harada, Neural 3D mesh renderer, 2018.
 *
 * @param field positions of the vertices, [vertex][x, y, z]; a field that unknowns set.
 * @param triangles vertex numbers, three per triangle, flat, all in the same winding direction.
 */
export function normalConsistency(
  field: FieldKey,
  triangles: ArrayLike<number>,
  options: RegulariserOptions = {},
): FunctionLoss<never, 'field'> {
  return surfaceLoss('normalConsistency', field, triangles, options, (edges) => {
    const pairs = edges.flatMap(({ triangles: at }) =>
      at.slice(1).flatMap((t, k) => at.slice(0, k + 1).map((s): readonly [number, number] => [s, t])),
    );
    const corners = Array.from({ length: triangles.length / 3 }, (_, t) => [0, 1, 2].map((k) => triangles[3 * t + k]));
    return (points, gradient) => {
      const at = (vertex: number): Vector => vectorAt(points, vertex);
      const sides = corners.map(([a, b, c]) => [subtract(at(b), at(a)), subtract(at(c), at(a))]);
      const areas = sides.map(([ab, ac]) => cross(ab, ac));
      const lengths = areas.map((n) => norm(n));
      const normals = areas.map((n, t) => n.map((x) => (lengths[t] > 0 ? x / lengths[t] : 0)));
      const bars = normals.map(() => [0, 0, 0]);
      let value = 0;
      for (const [s, t] of pairs) {
        value += 1 - dot(normals[s], normals[t]);
        for (let c = 0; c < 3; c++) {
          bars[s][c] -= normals[t][c];
          bars[t][c] -= normals[s][c];
        }
      }
      corners.forEach(([a, b, c], t) => {
        if (!(lengths[t] > 0)) return;
        // n = A / |A|, A = ab x ac: the part of the adjoint along n has no effect.
        const along = dot(bars[t], normals[t]);
        const bar = bars[t].map((x, k) => (x - along * normals[t][k]) / lengths[t]);
        const [ab, ac] = sides[t];
        const [toB, toC] = [cross(ac, bar), cross(bar, ab)];
        for (let k = 0; k < 3; k++) {
          gradient[3 * b + k] += toB[k];
          gradient[3 * c + k] += toC[k];
          gradient[3 * a + k] -= toB[k] + toC[k];
        }
      });
      return value;
    };
  });
}
