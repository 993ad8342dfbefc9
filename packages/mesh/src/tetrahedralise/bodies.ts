import type { TriangleMesh } from '../mesh.ts';
import { sixfoldVolumeUnder } from '../solid.ts';
import { JoinedSets } from '../topology/joined.ts';

/**
 * Returns the number of connected parts of a closed surface that face outwards; parts that face inwards are walls of
 * cavities.
 */
export function bodiesOf(mesh: TriangleMesh): number {
  const { positions, triangles } = mesh;
  const vertices = new JoinedSets(positions.length / 3);
  for (let k = 0; k < triangles.length; k++) vertices.join(triangles[k - (k % 3)], triangles[k]);
  const volumes = new Map<number, number>();
  for (let t = 0; t < triangles.length / 3; t++) {
    const part = vertices.partOf(triangles[3 * t]);
    volumes.set(part, (volumes.get(part) ?? 0) + sixfoldVolumeUnder(mesh, t));
  }
  return [...volumes.values()].filter((volume) => volume > 0).length;
}
