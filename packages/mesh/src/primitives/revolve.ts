import type { TriangleMesh } from '../mesh.ts';

/**
 * Returns the closed surface that a profile sweeps when it is rotated about the y axis.
 *
 * @param profile points (radius, y), m, with the inside to the left of it; only the first and last point lie on the
 * axis.
 * @param segments number of sectors around the axis.
 */
export function revolve(
  name: string,
  profile: readonly (readonly [radius: number, y: number])[],
  segments: number,
): TriangleMesh {
  const rings = profile.slice(1, -1);
  const positions = [0, profile[0][1], 0];
  for (const [radius, y] of rings) {
    for (let k = 0; k < segments; k++) {
      const angle = (2 * Math.PI * k) / segments;
      positions.push(radius * Math.cos(angle), y, radius * Math.sin(angle));
    }
  }
  positions.push(0, profile[profile.length - 1][1], 0);
  const top = rings.length * segments + 1;
  const at = (ring: number, k: number) => 1 + ring * segments + (k % segments);
  const triangles: number[] = [];
  for (let k = 0; k < segments; k++) {
    triangles.push(0, at(0, k), at(0, k + 1));
    for (let ring = 0; ring + 1 < rings.length; ring++) {
      triangles.push(at(ring, k), at(ring + 1, k), at(ring, k + 1));
      triangles.push(at(ring, k + 1), at(ring + 1, k), at(ring + 1, k + 1));
    }
    triangles.push(at(rings.length - 1, k), top, at(rings.length - 1, k + 1));
  }
  return { name, positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}
