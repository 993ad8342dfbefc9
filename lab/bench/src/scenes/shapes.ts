import { ContactBox, ContactCapsule, ContactMesh, ContactSphere } from '@gradsim/contact';
import type { Entity, Scene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { box, capsule, cone, icosphere, massProperties, placeMesh } from '@gradsim/mesh';
import type { Draw, Numbers, Turn } from './draw.ts';

/** A shape of contact, with a mesh of the same size whose centre of mass is its origin. */
export interface DrawnShape {
  readonly mesh: TriangleMesh;
  /** Adds the shape, of a body, or static with a pose. */
  add(scene: Scene, where: { body?: Entity; position?: Numbers; orientation?: Turn }): void;
}

export function drawShape(draw: Draw, size = 0.1, mass = 1): DrawnShape {
  const kind = draw.pick(['sphere', 'box', 'capsule', 'mesh'] as const);
  const material = draw.material(mass);
  const [r, a, b] = [size, draw.number(0.6, 1.4) * size, draw.number(0.6, 1.4) * size];
  const brick = box({ size: [2 * r, 2 * a, 2 * b] });
  switch (kind) {
    case 'sphere':
      return {
        mesh: icosphere({ radius: r }),
        // A sphere has no orientation.
        add: (scene, { orientation: _, ...where }) => {
          scene.add(ContactSphere, { ...where, radius: r, ...material });
        },
      };
    case 'box':
      return {
        mesh: brick,
        add: (scene, where) => {
          scene.add(ContactBox, { ...where, size: [2 * r, 2 * a, 2 * b], ...material });
        },
      };
    case 'capsule': {
      const length = draw.orZero(1, 2) * r;
      return {
        mesh: capsule({ radius: r, height: Math.max(length, 0.1 * r) }),
        add: (scene, where) => {
          scene.add(ContactCapsule, { ...where, length, radius: r, ...material });
        },
      };
    }
    case 'mesh': {
      const mesh = draw.chance(0.5) ? brick : aboutCentre(cone({ radius: r, height: 2 * r, segments: 9 }));
      return {
        mesh,
        add: (scene, where) => {
          scene.add(ContactMesh, { ...where, mesh, resolution: 16, ...material });
        },
      };
    }
  }
}

function aboutCentre(mesh: TriangleMesh): TriangleMesh {
  const { centerOfMass: centre } = massProperties(mesh, { density: 1 });
  return placeMesh(mesh, { translation: [-centre[0], -centre[1], -centre[2]] });
}

/** Extent of a turned mesh from its origin along an axis of the world, backwards and forwards, m. */
export function reachOf({ positions }: TriangleMesh, orientation: readonly number[], axis: number): [number, number] {
  const size = Math.hypot(...orientation);
  const [x, y, z, w] = orientation.map((c) => c / size);
  // Row of the rotation matrix.
  const row = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ][axis];
  let [low, high] = [0, 0];
  for (let v = 0; v < positions.length; v += 3) {
    const along = row[0] * positions[v] + row[1] * positions[v + 1] + row[2] * positions[v + 2];
    low = Math.min(low, along);
    high = Math.max(high, along);
  }
  return [-low, high];
}
