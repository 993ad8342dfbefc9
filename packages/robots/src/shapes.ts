import type { Quaternion, Vector } from '@gradsim/base';
import type { TriangleMesh } from '@gradsim/mesh';
import { box, capsule, cylinder, icosphere, massProperties, placeMesh } from '@gradsim/mesh';
import type { Masses } from './masses.ts';
import { diagonal } from './masses.ts';
import type { Pose } from './pose.ts';

/**
 * A solid centred on its origin; lengths in m. Cylinders and capsules have their axis along z; the `height` of a
 * capsule is that of its cylinder, without the half spheres at its ends.
 */
export type Shape =
  | { readonly kind: 'box'; readonly size: Vector }
  | { readonly kind: 'ellipsoid'; readonly radii: Vector }
  | { readonly kind: 'cylinder' | 'capsule'; readonly radius: number; readonly height: number }
  | { readonly kind: 'mesh'; readonly mesh: TriangleMesh };

/** Quaternion (x, y, z, w) that rotates meshes of `@gradsim/mesh`, whose axis is y, to the axis z. */
const Y_TO_Z: Quaternion = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];

export function meshOf(shape: Shape): TriangleMesh {
  switch (shape.kind) {
    case 'box':
      return box({ size: [...shape.size] });
    case 'ellipsoid':
      return placeMesh(icosphere({ radius: 1, subdivisions: 2 }), { scale: shape.radii });
    case 'mesh':
      return shape.mesh;
    case 'cylinder':
      return placeMesh(cylinder({ radius: shape.radius, height: shape.height }), { rotation: Y_TO_Z });
    case 'capsule':
      return placeMesh(capsule({ radius: shape.radius, height: shape.height }), { rotation: Y_TO_Z });
  }
}

/**
 * Merges meshes, each at its pose, into one; keeps positions and triangles only, without colours or texture
 * coordinates.
 */
export function merged(
  parts: readonly { readonly mesh: TriangleMesh; readonly pose: Pose }[],
): TriangleMesh | undefined {
  if (parts.length === 0) return undefined;
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const { mesh, pose } of parts) {
    const first = positions.length / 3;
    const moved = placeMesh(mesh, { rotation: pose.orientation, translation: pose.position });
    for (const x of moved.positions) positions.push(x);
    for (const corner of moved.triangles) triangles.push(first + corner);
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/**
 * Mass properties of a solid of uniform density: by its formula or, for a mesh, by exact integration of the polyhedron.
 * @throws GradsimError for a mesh that is not closed.
 */
export function massesOf(
  shape: Shape,
  densityOrMass: { readonly density: number } | { readonly mass: number },
): Masses {
  if (('density' in densityOrMass ? densityOrMass.density : densityOrMass.mass) === 0) return ofMass(shape, 0);
  if (shape.kind === 'mesh') {
    const { mass, centerOfMass, inertia } = massProperties(shape.mesh, { ...densityOrMass });
    return { mass, centre: centerOfMass, inertia: [...inertia] };
  }
  return ofMass(shape, 'mass' in densityOrMass ? densityOrMass.mass : densityOrMass.density * volumeOf(shape));
}

function volumeOf(shape: Exclude<Shape, { kind: 'mesh' }>): number {
  switch (shape.kind) {
    case 'box':
      return shape.size[0] * shape.size[1] * shape.size[2];
    case 'ellipsoid':
      return (4 / 3) * Math.PI * shape.radii[0] * shape.radii[1] * shape.radii[2];
    case 'cylinder':
      return Math.PI * shape.radius ** 2 * shape.height;
    case 'capsule':
      return Math.PI * shape.radius ** 2 * (shape.height + (4 / 3) * shape.radius);
  }
}

function ofMass(shape: Shape, mass: number): Masses {
  const at = (inertia: number[]): Masses => ({ mass, centre: [0, 0, 0], inertia });
  switch (shape.kind) {
    case 'mesh':
      return at(diagonal(0, 0, 0));
    case 'box': {
      const [x, y, z] = shape.size.map((side) => (mass * side * side) / 12);
      return at(diagonal(y + z, x + z, x + y));
    }
    case 'ellipsoid': {
      const [x, y, z] = shape.radii.map((radius) => (mass * radius * radius) / 5);
      return at(diagonal(y + z, x + z, x + y));
    }
    case 'cylinder': {
      const { radius: r, height: h } = shape;
      const across = mass * (r ** 2 / 4 + h ** 2 / 12);
      return at(diagonal(across, across, (mass * r ** 2) / 2));
    }
    case 'capsule': {
      // The cylinder and both half spheres, whose centres of mass are 3 r / 8 from the plane between.
      const { radius: r, height: h } = shape;
      const ends = (mass * (4 / 3) * r) / (h + (4 / 3) * r);
      const middle = mass - ends;
      const across = middle * (r ** 2 / 4 + h ** 2 / 12) + ends * ((2 / 5) * r ** 2 + h ** 2 / 4 + (3 / 8) * h * r);
      return at(diagonal(across, across, (middle * r ** 2) / 2 + (2 / 5) * ends * r ** 2));
    }
  }
}
