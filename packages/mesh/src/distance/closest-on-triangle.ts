import type { TriangleMesh } from '../mesh.ts';

/**
 * Finds the point of a triangle nearest to p. Source: C. Ericson, Real-Time Collision Detection, 2005, section 5.1.5.
 *
 * Distance queries spend most of their time here, so it is written out for each axis and allocates nothing but numbers.
 *
 * @param nearest is set to that point.
 * @returns the feature on which it lies: 0 for the face, 1 to 3 for a corner, 4 to 6 for the edge opposite that corner.
 */
export function closestOnTriangle(
  p: ArrayLike<number>,
  { positions, triangles }: TriangleMesh,
  triangle: number,
  nearest: Float64Array,
): number {
  const [a, b, c] = [3 * triangles[3 * triangle], 3 * triangles[3 * triangle + 1], 3 * triangles[3 * triangle + 2]];
  const [ax, ay, az] = [positions[a], positions[a + 1], positions[a + 2]];
  const [abx, aby, abz] = [positions[b] - ax, positions[b + 1] - ay, positions[b + 2] - az];
  const [acx, acy, acz] = [positions[c] - ax, positions[c + 1] - ay, positions[c + 2] - az];
  const [apx, apy, apz] = [p[0] - ax, p[1] - ay, p[2] - az];
  const at = (v: number, w: number, feature: number): number => {
    nearest[0] = ax + v * abx + w * acx;
    nearest[1] = ay + v * aby + w * acy;
    nearest[2] = az + v * abz + w * acz;
    return feature;
  };
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  if (d1 <= 0 && d2 <= 0) return at(0, 0, 1);
  const bb = abx * abx + aby * aby + abz * abz;
  const bc = abx * acx + aby * acy + abz * acz;
  const cc = acx * acx + acy * acy + acz * acz;
  const [d3, d4] = [d1 - bb, d2 - bc];
  if (d3 >= 0 && d4 <= d3) return at(1, 0, 2);
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return at(d1 / (d1 - d3), 0, 6);
  const [d5, d6] = [d1 - bc, d2 - cc];
  if (d6 >= 0 && d5 <= d6) return at(0, 1, 3);
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return at(0, d2 / (d2 - d6), 5);
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    const w = (d4 - d3) / (d4 - d3 + (d5 - d6));
    return at(1 - w, w, 4);
  }
  const sum = va + vb + vc;
  return at(vb / sum, vc / sum, 0);
}
