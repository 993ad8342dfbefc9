import type { TriangleMesh } from '@gradsim/mesh';
import { box, capsule, cone, cylinder, icosphere } from '@gradsim/mesh';
import { randomNumbers } from '@gradsim/optim';

/** Gives every triangle a random colour, so that the rotation of round objects is visible too. */
export function painted(mesh: TriangleMesh, seed: number): TriangleMesh {
  const random = randomNumbers(seed);
  const colors = Float64Array.from({ length: mesh.triangles.length }, () => 0.15 + 0.85 * random());
  return { ...mesh, colors, colorsOn: 'triangles' };
}

/** Objects by name: solids of about 1 m with at most 250 vertices, with a random colour for every triangle. */
export const OBJECTS: Readonly<Record<string, TriangleMesh>> = {
  box: painted(box({ size: [1, 0.7, 0.8] }), 1),
  sphere: painted(icosphere({ radius: 0.5, subdivisions: 1 }), 2),
  cone: painted(cone({ radius: 0.5, height: 1, segments: 16 }), 3),
  cylinder: painted(cylinder({ radius: 0.4, height: 0.9, segments: 16 }), 4),
  capsule: painted(capsule({ radius: 0.35, height: 0.6, segments: 12, rings: 3 }), 5),
};
