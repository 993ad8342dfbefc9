import { cross, dot, GradsimError, subtract, vectorAt } from '@gradsim/base';
import { checkMesh } from './check.ts';
import { cornersOf, nameOf } from './elements.ts';
import { longestEdge, triangleArea } from './measures.ts';
import { type TriangleMesh, triangleCount } from './mesh.ts';
import { checkOverlaps } from './overlaps.ts';
import { checkedEdges, type Edge } from './topology/edges.ts';

/**
 * Checks that a mesh encloses a solid: besides {@link checkMesh}, every triangle must have an area, every edge must be
 * shared by exactly two triangles that run along it in opposite directions, the enclosed volume must be positive, and no two
 * triangles may lie on each other but those of separate solids that touch.
 *
 * @throws GradsimError naming the mesh, the triangle and its area, the edge and its triangles, or the volume.
 */
export function checkSolid(mesh: TriangleMesh): void {
  checkMesh(mesh);
  checkAreas(mesh);
  checkOverlaps(mesh, edgesOfClosedMesh(mesh));
}

/**
 * Minimum height of a triangle, as a fraction of its longest edge, at which double precision still determines its
 * orientation.
 */
const MIN_RELATIVE_HEIGHT = 1e-12;

function checkAreas(mesh: TriangleMesh): void {
  for (let t = 0; t < triangleCount(mesh); t++) {
    const corners = cornersOf(mesh, t);
    const area = triangleArea(corners);
    if (!(2 * area > MIN_RELATIVE_HEIGHT * longestEdge(corners) ** 2)) {
      const vertices = mesh.triangles.subarray(3 * t, 3 * t + 3);
      throw new GradsimError(
        'mesh/degenerate-triangle',
        `${nameOf(mesh)}: triangle ${t} (vertices ${vertices.join(', ')}) is degenerate: its area is ${area} m2.`,
        { hint: 'Remove it, or weld the mesh: weldMesh drops it.' },
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
  edgesOfClosedMesh(mesh);
}

/** Returns the edges of a mesh that is closed and encloses a positive volume. */
function edgesOfClosedMesh(mesh: TriangleMesh): Edge[] {
  const edges = checkedEdges(mesh, { isClosed: true });
  const volume = signedVolume(mesh);
  if (!(volume > 0)) {
    throw new GradsimError('mesh/inside-out', `${nameOf(mesh)} is inside out: it encloses ${volume} m3.`, {
      hint: 'Reverse its triangles (flipMesh).',
    });
  }
  return edges;
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
