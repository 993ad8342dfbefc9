import { cross, dot, norm, subtract, type Vector, vectorAt } from '@gradsim/base';
import type { QuadraticMesh } from '@gradsim/fem';
import type { TetMesh } from '@gradsim/mesh';

/** Nodes of the quadratic element that contains a point, or from which it stands off least. */
export function elementAt({ positions, tets }: TetMesh, { nodes }: QuadraticMesh, point: Vector): Uint32Array {
  let best = { least: Number.NEGATIVE_INFINITY, element: 0 };
  for (let t = 0; t < tets.length; t += 4) {
    const [a, b, c, d] = Array.from(tets.subarray(t, t + 4), (v) => subtract(vectorAt(positions, v), point));
    const volume = (p: Vector, q: Vector, r: Vector): number => dot(p, cross(q, r));
    // Barycentric coordinates, up to the volume of the whole.
    const parts = [volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)];
    const whole = parts.reduce((sum, x) => sum + x, 0);
    const least = Math.min(...parts.map((x) => x / whole));
    if (least > best.least) best = { least, element: t / 4 };
  }
  return nodes.subarray(10 * best.element, 10 * best.element + 10);
}

/** Distances of nodes from a point, m. */
const distances = (nodes: Float64Array, point: Vector): number[] =>
  Array.from({ length: nodes.length / 3 }, (_, n) => norm(subtract(vectorAt(nodes, n), point)));

/** The nodes nearest to a point. */
export function nearestNodes(nodes: Float64Array, point: Vector, count: number): number[] {
  const of = distances(nodes, point);
  return of
    .map((_, n) => n)
    .sort((a, b) => of[a] - of[b])
    .slice(0, count);
}
