import type { FieldKey } from '@gradsim/core';
import type { FunctionLoss } from '../problem/loss.ts';
import type { RegulariserOptions } from '../problem/regularisers.ts';
import { surfaceLoss } from './surface-loss.ts';
import { degreesOf, vertexCountOf } from './topology.ts';

/**
 * Loss that keeps a surface smooth: the weight times the sum over vertices of the squared distance from the mean of
 * their neighbours (the uniform Laplacian).
 *
 * ```ts
 * const losses = [laplacian('bodyVertices.local', mesh.triangles, { weight: 1e-2 })];
 * ```
 * Source: A. Nealen, T. Igarashi, O. Sorkine and M. Alexa, Laplacian mesh optimization, 2006.
 *
 * @param field positions of the vertices, [vertex][x, y, z], a field that unknowns set; vertices without triangles are
 * ignored.
 * @param triangles vertex numbers, three per triangle, flat.
 */
export function laplacian(
  field: FieldKey,
  triangles: ArrayLike<number>,
  options: RegulariserOptions = {},
): FunctionLoss<never, 'field'> {
  return surfaceLoss('laplacian', field, triangles, options, (edges) => {
    const vertices = vertexCountOf(edges);
    const degrees = degreesOf(edges, vertices);
    return (points, gradient) => {
      // d_i = sum over neighbours j of (x_j - x_i) / degree_i
      const d = new Float64Array(3 * vertices);
      for (const { ends } of edges)
        for (let c = 0; c < 3; c++) {
          const [i, j] = ends;
          const apart = points[3 * j + c] - points[3 * i + c];
          d[3 * i + c] += apart / degrees[i];
          d[3 * j + c] -= apart / degrees[j];
        }
      for (const { ends } of edges)
        for (let c = 0; c < 3; c++) {
          const [i, j] = ends;
          const back = 2 * (d[3 * i + c] / degrees[i] - d[3 * j + c] / degrees[j]);
          gradient[3 * j + c] += back;
          gradient[3 * i + c] -= back;
        }
      return d.reduce((sum, x) => sum + x * x, 0);
    };
  });
}
