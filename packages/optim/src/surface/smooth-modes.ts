import { symmetricEigen } from '@gradsim/base/decompositions';
import { describeValue, GradsimError } from '@gradsim/core';
import { edgesOf, vertexCountOf } from './topology.ts';

export interface SmoothModesOptions {
  /** Number of vertices. A vertex without a triangle does not move in any mode. Default: those of the triangles. */
  readonly vertices?: number;
  /** Number of eigenfunctions on the surface; each makes three modes, displacements along x, y and z. */
  readonly count: number;
}

/**
 * Smooth displacements of a surface's vertices, for `modes` of an array of unknowns: the eigenvectors of the mesh
 * graph's Laplacian with the smallest eigenvalues, along each axis, normalised to a root mean square of 1. On a sphere
 * they resemble spherical harmonics: the first translates it, the next three stretch and shear it, five more bend it.
 * All eigenvectors of the dense matrix are computed, which takes about a second for 642 vertices.
 *
 * ```ts
 * const modes = smoothModes(icosphere({ subdivisions: 1 }).triangles, { count: 9 }); // 27 modes
 * ```
 * Source: G. Taubin, A signal processing approach to fair surface design, 1995; B. Vallet and B. Levy, Spectral
 * geometry processing with manifold harmonics, 2008.
 *
 * @returns `3 * count` modes, each flat [vertex][x, y, z]: along x, y and z by the first eigenvector, then by the next.
 * @throws if `vertices` is less than the triangles require, or less than `count`.
 */
export function smoothModes(triangles: ArrayLike<number>, { vertices, count }: SmoothModesOptions): Float64Array[] {
  const edges = edgesOf(triangles, 'smoothModes');
  const all = vertices ?? vertexCountOf(edges);
  if (all < vertexCountOf(edges))
    throw new GradsimError(
      'optim/no-such-vertex',
      `smoothModes: there are ${all} vertices, but the triangles name vertex ${vertexCountOf(edges) - 1}.`,
      { field: 'there' },
    );
  const used = [...new Set(Array.from(triangles))].sort((a, b) => a - b);
  const n = used.length;
  if (!Number.isInteger(count) || count < 1 || count > n)
    throw new GradsimError(
      'optim/option-out-of-range',
      `smoothModes: count is ${describeValue(count)}; of ${n} vertices there are 1 to ${n} functions.`,
      { field: 'count' },
    );
  const place = new Map(used.map((vertex, k) => [vertex, k]));
  const matrix = new Float64Array(n * n);
  for (const { ends } of edges) {
    const [i, j] = ends.map((end) => place.get(end)!);
    matrix[i * n + i]++;
    matrix[j * n + j]++;
    matrix[i * n + j]--;
    matrix[j * n + i]--;
  }
  const { vectors } = symmetricEigen(matrix);
  return vectors.slice(0, count).flatMap((vector) =>
    [0, 1, 2].map((axis) => {
      const mode = new Float64Array(3 * all);
      used.forEach((vertex, k) => {
        mode[3 * vertex + axis] = vector[k] * Math.sqrt(n);
      });
      return mode;
    }),
  );
}
