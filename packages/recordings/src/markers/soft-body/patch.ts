import { cross, norm, subtract, type Vector, vectorAt, vectorOf } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';

/** Parts into which each edge of a triangle is cut. */
const EDGE_PARTS = 8;

/**
 * Weights of nodes, of sum 1, of a load that is spread evenly over the surface within a radius of a point. Each point of the
 * surface is borne by the corners of its triangle, so that the middle of the load does not depend on the mesh.
 *
 * @param nodes positions, m; `triangles`: the outer surface, three nodes each; `name`: of the recording, for errors.
 * @throws GradsimError where none of the surface is as near, or the radius is less than the parts of its triangles.
 */
export function patchWeights(
  { nodes, triangles }: { readonly nodes: Float64Array; readonly triangles: ArrayLike<number> },
  { at, radius }: { readonly at: Vector; readonly radius: number },
  name: string,
): Float64Array {
  const weights = new Float64Array(nodes.length / 3);
  let total = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) => triangles[t + k]);
    const [a, b, c] = corners.map((n) => vectorAt(nodes, n));
    const doubleArea = norm(cross(subtract(b, a), subtract(c, a)));
    for (const shares of PART_CENTRES) {
      const point = vectorOf((k) => shares[0] * a[k] + shares[1] * b[k] + shares[2] * c[k]);
      if (norm(subtract(point, at)) > radius) continue;
      corners.forEach((n, k) => {
        weights[n] += doubleArea * shares[k];
      });
      total += doubleArea;
    }
  }
  if (total === 0)
    throw new GradsimError(
      'markers/load-off-body',
      `No part of the body lies within ${radius} m of the load of ${name}.`,
      {
        field: 'load',
        hint: 'Its place is in axes of the shape at rest, m; give a place on its surface, or a radius of an eighth of the edges there.',
      },
    );
  return weights.map((weight) => weight / total);
}

/** Barycentric coordinates of the middles of the equal triangles into which a triangle is cut. */
const PART_CENTRES = Array.from({ length: EDGE_PARTS }, (_, i) =>
  Array.from({ length: EDGE_PARTS - i }, (_, j) => {
    const upright = [(i + 1 / 3) / EDGE_PARTS, (j + 1 / 3) / EDGE_PARTS];
    const inverted = [(i + 2 / 3) / EDGE_PARTS, (j + 2 / 3) / EDGE_PARTS];
    return (i + j < EDGE_PARTS - 1 ? [upright, inverted] : [upright]).map(([u, v]) => [u, v, 1 - u - v]);
  }),
).flat(2);
