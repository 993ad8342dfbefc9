import { GradsimError } from '@gradsim/kernel';
import { cross, dot, norm, subtract, vectorAt } from '@gradsim/numeric';
import { checkMesh } from './check.ts';
import { cornersOf, nameOf } from './elements.ts';
import { longestEdge, triangleArea } from './measures.ts';
import { type TriangleMesh, triangleCount } from './mesh.ts';
import { checkedEdges, nextCorner } from './topology/edges.ts';

/**
 * Checks that a mesh encloses a solid: besides {@link checkMesh}, every triangle must have an area, every edge must be
 * shared by exactly two triangles that run along it in opposite directions and do not lie on each other, and the enclosed
 * volume must be positive.
 *
 * @throws GradsimError naming the mesh, the triangle and its area, the edge and its triangles, or the volume.
 */
export function checkSolid(mesh: TriangleMesh): void {
  checkMesh(mesh);
  checkAreas(mesh);
  checkClosed(mesh);
  checkFolds(mesh);
}

/** Distance of a corner from the plane of the neighbouring triangle up to which both lie in one, as a part of their size. */
const FLAT = 1e-9;

/** @throws where two triangles with an edge in common lie on each other, as those of a polygon do that is filled wrongly. */
function checkFolds(mesh: TriangleMesh): void {
  for (const { along, against } of checkedEdges(mesh, { isClosed: true })) {
    const [first, second] = [along[0], against[0]].map((k) => Math.floor(k / 3));
    const [from, to, tip] = [along[0], nextCorner(along[0]), nextCorner(nextCorner(along[0]))].map((k) =>
      vectorAt(mesh.positions, mesh.triangles[k]),
    );
    const other = vectorAt(mesh.positions, mesh.triangles[nextCorner(nextCorner(against[0]))]);
    const edge = subtract(to, from);
    const [a, b] = [cross(edge, subtract(tip, from)), cross(edge, subtract(other, from))];
    const size = norm(a) * norm(b);
    if (dot(a, b) <= 0 || norm(cross(a, b)) > FLAT * size) continue;
    throw new GradsimError(
      'mesh/overlapping-triangles',
      `${nameOf(mesh)}: triangles ${Math.min(first, second)} and ${Math.max(first, second)} lie on each other, on the same side of the edge that they share.`,
      { hint: 'Triangulate the polygon that they come from anew: one that is not convex is no fan of triangles.' },
    );
  }
}

/**
 * Minimum height of a triangle, as a fraction of its longest edge, at which double precision still determines its
 * orientation.
 */
const thinnest = 1e-12;

function checkAreas(mesh: TriangleMesh): void {
  for (let t = 0; t < triangleCount(mesh); t++) {
    const corners = cornersOf(mesh, t);
    const area = triangleArea(corners);
    if (!(2 * area > thinnest * longestEdge(corners) ** 2)) {
      const vertices = mesh.triangles.subarray(3 * t, 3 * t + 3);
      throw new GradsimError(
        'mesh/degenerate-triangle',
        `${nameOf(mesh)}: triangle ${t} (vertices ${vertices.join(', ')}) is degenerate: its area is ${area} m2.`,
        { hint: 'Remove it, or weld the vertices of the mesh (weldMesh drops collapsed triangles).' },
      );
    }
  }
}

/**
 * Checks that a mesh is closed and encloses a positive volume; triangles may have no area.
 *
 * @throws GradsimError as {@link checkSolid}.
 */
export function checkClosed(mesh: TriangleMesh): void {
  checkedEdges(mesh, { isClosed: true });
  const volume = signedVolume(mesh);
  if (!(volume > 0)) {
    throw new GradsimError('mesh/inside-out', `${nameOf(mesh)} is inside out: it encloses ${volume} m3.`, {
      hint: 'Reverse its triangles (flipMesh).',
    });
  }
}

/**
 * Returns the volume enclosed by a closed mesh, m3; negative when its triangles face inwards. It is the sum of the
 * signed tetrahedra from the first vertex to every triangle (divergence theorem).
 */
export function signedVolume(mesh: TriangleMesh): number {
  let sixfold = 0;
  for (let t = 0; t < triangleCount(mesh); t++) sixfold += sixfoldVolumeUnder(mesh, t);
  return sixfold / 6;
}

/** Returns six times the signed volume of the tetrahedron between the first vertex and a triangle, m3. */
export function sixfoldVolumeUnder(mesh: TriangleMesh, triangle: number): number {
  const origin = vectorAt(mesh.positions, 0);
  const [a, b, c] = cornersOf(mesh, triangle).map((corner) => subtract(corner, origin));
  return dot(a, cross(b, c));
}
