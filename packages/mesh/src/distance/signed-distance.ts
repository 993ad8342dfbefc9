import { cross, dot, norm, subtract } from '@gradsim/base';
import { cornersOf } from '../elements.ts';
import type { TriangleMesh } from '../mesh.ts';
import { NearestPoint } from './nearest-point.ts';

/**
 * Exact signed distance to a closed mesh, m, negative inside. The nearest triangle is found in a tree of boxes; the
 * sign is that of the pseudonormal of the nearest face, edge or vertex (J. A. Baerentzen, H. Aanaes: Signed distance
 * computation using the angle weighted pseudonormal, 2005). Correct for meshes without self-intersections.
 *
 * @example
 * const distance = new SignedDistance(icosphere({ radius: 1, subdivisions: 4 }));
 * console.log(distance.at([0, 0, 2])); // about 1
 */
export class SignedDistance {
  readonly #surface: NearestPoint;
  /** Pseudonormals, seven vectors per triangle: of its face, of its three vertices, and of the edges opposite these. */
  readonly #normals: Float64Array;

  /** @param mesh a solid, that is a mesh that passes {@link checkSolid}. */
  constructor(mesh: TriangleMesh) {
    this.#surface = new NearestPoint(mesh);
    this.#normals = pseudonormals(mesh);
  }

  /**
   * Returns the signed distance of a point, m, negative inside.
   *
   * @param p x, y, z in metres.
   * @param atMost known upper bound of the distance's magnitude, m, which shortens the search.
   */
  at(p: ArrayLike<number>, atMost = Infinity): number {
    const nearest = this.#surface.nearestTo(p, atMost);
    if (!nearest) return atMost;
    const normal = 21 * nearest.triangle + 3 * nearest.feature;
    const isInside = dot(subtract(p, nearest.point), this.#normals.subarray(normal, normal + 3)) < 0;
    return isInside ? -nearest.distance : nearest.distance;
  }
}

/**
 * Returns seven pseudonormals per triangle: the unit normal of its face, the sums at its three vertices of the normals
 * of the faces around, weighted by their angles, and the sums of both normals at the edges opposite these.
 */
function pseudonormals(mesh: TriangleMesh): Float64Array {
  const { positions, triangles } = mesh;
  const normals = new Float64Array(7 * triangles.length);
  const ofVertices = new Float64Array(positions.length);
  const ofEdges = new Map<number, [number, number, number]>();
  const edge = (a: number, b: number): number => Math.min(a, b) * positions.length + Math.max(a, b);
  const verticesOf = (t: number): number[] => [0, 1, 2].map((k) => triangles[3 * t + k]);
  for (let t = 0; t < triangles.length / 3; t++) {
    const vertices = verticesOf(t);
    const points = cornersOf(mesh, t);
    const across = cross(subtract(points[1], points[0]), subtract(points[2], points[0]));
    const length = norm(across);
    vertices.forEach((vertex, k) => {
      const [along, back] = [subtract(points[(k + 1) % 3], points[k]), subtract(points[(k + 2) % 3], points[k])];
      const angle = Math.atan2(norm(cross(along, back)), dot(along, back));
      const key = edge(vertices[(k + 1) % 3], vertices[(k + 2) % 3]);
      const ofEdge = ofEdges.get(key) ?? [0, 0, 0];
      ofEdges.set(key, ofEdge);
      for (let axis = 0; axis < 3; axis++) {
        const n = across[axis] / length;
        normals[21 * t + axis] = n;
        ofVertices[3 * vertex + axis] += angle * n;
        ofEdge[axis] += n;
      }
    });
  }
  for (let t = 0; t < triangles.length / 3; t++) {
    const vertices = verticesOf(t);
    vertices.forEach((vertex, k) => {
      normals.set(ofVertices.subarray(3 * vertex, 3 * vertex + 3), 21 * t + 3 + 3 * k);
      normals.set(ofEdges.get(edge(vertices[(k + 1) % 3], vertices[(k + 2) % 3]))!, 21 * t + 12 + 3 * k);
    });
  }
  return normals;
}
