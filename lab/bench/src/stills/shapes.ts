import {
  bowl,
  box,
  capsule,
  cone,
  cylinder,
  dropUnusedVertices,
  icosphere,
  plane,
  type TriangleMesh,
  torus,
} from '@gradsim/mesh';

/** Angle of a camera on an orbit. */
export type Angle = 'elevation' | 'azimuth';

/** Mesh whose picture shows where the camera stands. */
export interface Shape {
  readonly mesh: TriangleMesh;
  /** Angles that a picture shows: none about an axis of symmetry. */
  readonly angles: readonly Angle[];
  /** True if the mesh is open, so that both of its sides are seen. Default false. */
  readonly isOpen?: boolean;
}

/** Mesh stretched along x. */
const stretched = (mesh: TriangleMesh, times: number): TriangleMesh => ({
  ...mesh,
  positions: Float64Array.from(mesh.positions, (value, k) => (k % 3 === 0 ? times * value : value)),
});

/** Faces of a mesh above the plane y = 0. */
function upperHalf({ positions, triangles }: TriangleMesh): TriangleMesh {
  const isAbove = (triangle: number): boolean =>
    [0, 1, 2].every((k) => positions[3 * triangles[3 * triangle + k] + 1] > -1e-9);
  return dropUnusedVertices({ positions, triangles: triangles.filter((_, k) => isAbove(Math.floor(k / 3))) });
}

export const SHAPES: Readonly<Record<string, Shape>> = {
  torus: { mesh: torus({ radius: 0.35, tube: 0.12, segments: 24, sides: 12 }), angles: ['elevation'] },
  box: { mesh: box({ size: [0.5, 0.3, 0.4] }), angles: ['elevation', 'azimuth'] },
  sphere: { mesh: icosphere({ radius: 0.35, subdivisions: 2 }), angles: [] },
  plate: { mesh: box({ size: [0.6, 0.5, 0.02] }), angles: ['elevation', 'azimuth'] },
  cone: { mesh: cone({ radius: 0.3, height: 0.6 }), angles: ['elevation'] },
  capsule: { mesh: stretched(capsule({ radius: 0.15, height: 0.4 }), 1.6), angles: ['elevation', 'azimuth'] },
  bowl: { mesh: bowl({ radius: 0.35, wall: 0.05 }), angles: ['elevation'] },
  ring: { mesh: torus({ radius: 0.4, tube: 0.05, segments: 32, sides: 8 }), angles: ['elevation'] },
  cylinder: { mesh: cylinder({ radius: 0.25, height: 0.5 }), angles: ['elevation'] },
  dome: { mesh: upperHalf(icosphere({ radius: 0.4, subdivisions: 2 })), isOpen: true, angles: ['elevation'] },
  sheet: { mesh: plane({ size: [0.7, 0.5], segments: [6, 4] }), isOpen: true, angles: ['elevation', 'azimuth'] },
};
