import type { TriangleMesh } from '@gradsim/mesh';
import { boundsOf, icosphere, placeMesh, readMesh } from '@gradsim/mesh';

/** Half of a mesh's longest side, m: the size for which cameras and lights are placed. */
export const HALF = 1;

/** Mesh of a banana: a ball stretched, bent, and thinner towards its ends. */
export function banana(subdivisions = 2): TriangleMesh {
  const ball = icosphere({ radius: 1, subdivisions });
  const positions = ball.positions.map((_, k, all) => {
    const v = k - (k % 3);
    const [x, y, z] = [all[v], all[v + 1], all[v + 2]];
    const thick = 0.36 - 0.1 * x * x;
    return [0.95 * x, thick * y + 0.45 * x * x - 0.15, thick * z][k % 3];
  });
  return { ...ball, positions, name: 'banana' };
}

/**
 * Reads a mesh, without its appearance unless `looks` is set, and moves and scales it to be centred at the origin with
 * a longest side of 2 {@link HALF}.
 */
export async function meshFrom(file: string, { looks = false } = {}): Promise<TriangleMesh> {
  const mesh = await readMesh(file, { looks });
  const { low, high } = boundsOf(mesh);
  const sides = [0, 1, 2].map((k) => high[k] - low[k]);
  const scale = (2 * HALF) / Math.max(...sides);
  const middle = placeMesh(mesh, {
    translation: [-(low[0] + high[0]) / 2, -(low[1] + high[1]) / 2, -(low[2] + high[2]) / 2],
  });
  return placeMesh(middle, { scale: [scale, scale, scale] });
}
