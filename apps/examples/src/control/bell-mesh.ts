import type { TriangleMesh } from '@gradsim/mesh';

/** Number of rings of vertices below the crown of the bell. */
const RINGS = 6;
/** Number of vertices in each ring. */
const AROUND = 16;
/** Largest radius of the bell, m. */
const RADIUS = 1;
/** Depth of the bell's edge below its crown, m. */
const DEPTH = 0.9;
/** Angle from crown to edge along the bell's elliptic profile, rad: slightly beyond its widest place. */
const SPAN = 0.55 * Math.PI;

/** Index of the ring that a vertex belongs to; the crown is ring 0. */
export const ringOf = (vertex: number): number => Math.ceil(vertex / AROUND);

/**
 * Mesh of a bell like that of a jellyfish: the upper part of an ellipsoid of revolution about y, open below, with
 * normals outwards. Every other ring is rotated by half the distance of its vertices, so that no straight line of edges
 * runs from the crown to the rim.
 */
export function bellMesh(): TriangleMesh {
  const positions: number[] = [0, DEPTH, 0];
  for (let ring = 1; ring <= RINGS; ring++)
    for (let k = 0; k < AROUND; k++) {
      const [polar, around] = [(SPAN * ring) / RINGS, (2 * Math.PI * (k + ring / 2)) / AROUND];
      const radius = RADIUS * Math.sin(polar);
      positions.push(radius * Math.sin(around), DEPTH * Math.cos(polar), radius * Math.cos(around));
    }
  const vertex = (ring: number, k: number): number => 1 + (ring - 1) * AROUND + (k % AROUND);
  const triangles: number[] = [];
  for (let k = 0; k < AROUND; k++) {
    triangles.push(0, vertex(1, k), vertex(1, k + 1));
    for (let ring = 1; ring < RINGS; ring++) {
      // Below the vertices k and k + 1 of a ring lies vertex k of the next, which is turned by half a vertex.
      const [a, b, c, d] = [vertex(ring, k), vertex(ring, k + 1), vertex(ring + 1, k), vertex(ring + 1, k + 1)];
      triangles.push(a, c, b, b, c, d);
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}
