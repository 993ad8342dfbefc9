import type { TriangleMesh } from '@gradsim/mesh';

/**
 * Texture coordinates (u, v) of all triangle corners by projection from the origin onto a sphere: u goes around the y
 * axis, v from top to bottom. A triangle across the seam has u beyond 1, which shows correctly in a texture that
 * repeats; a corner at a pole has the mean u of the other two.
 */
export function sphereUvs({ positions, triangles }: Pick<TriangleMesh, 'positions' | 'triangles'>): Float64Array {
  const uvs = new Float64Array(2 * triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) =>
      Array.from(positions.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3)),
    );
    const around = corners.map(([x, y, z]) =>
      Math.hypot(x, z) < 1e-9 * Math.hypot(x, y, z) ? Number.NaN : (Math.atan2(x, z) / (2 * Math.PI) + 1) % 1,
    );
    const known = around.filter((u) => !Number.isNaN(u));
    const crosses = Math.max(...known) - Math.min(...known) > 0.5;
    const whole = around.map((u) => (crosses && u < 0.5 ? u + 1 : u));
    const rest = whole.filter((u) => !Number.isNaN(u));
    const mean = rest.reduce((sum, u) => sum + u, 0) / rest.length;
    corners.forEach(([x, y, z], k) => {
      uvs[2 * (t + k)] = Number.isNaN(whole[k]) ? mean : whole[k];
      uvs[2 * (t + k) + 1] = Math.acos(Math.max(-1, Math.min(1, y / Math.hypot(x, y, z)))) / Math.PI;
    });
  }
  return uvs;
}
