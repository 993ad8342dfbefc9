import type { TriangleMesh } from '@gradsim/mesh';
import { box, capsule, cone, cylinder, icosphere } from '@gradsim/mesh';
import { randomNumbers } from '@gradsim/optim';

/** Paints every triangle in a colour of its own, so that turning shows on round things too. */
export function painted(mesh: TriangleMesh, seed: number): TriangleMesh {
  const random = randomNumbers(seed);
  const colors = Float64Array.from({ length: mesh.triangles.length }, () => 0.15 + 0.85 * random());
  return { ...mesh, colors, colorsOn: 'triangles' };
}

/** Solids of about a metre with at most 250 vertices, painted. */
export const OBJECTS: Readonly<Record<string, TriangleMesh>> = {
  box: painted(box({ size: [1, 0.7, 0.8] }), 1),
  sphere: painted(icosphere({ radius: 0.5, subdivisions: 1 }), 2),
  cone: painted(cone({ radius: 0.5, height: 1, segments: 16 }), 3),
  cylinder: painted(cylinder({ radius: 0.4, height: 0.9, segments: 16 }), 4),
  capsule: painted(capsule({ radius: 0.35, height: 0.6, segments: 12, rings: 3 }), 5),
};
