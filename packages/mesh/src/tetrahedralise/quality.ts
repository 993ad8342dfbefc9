import { cross, dot, norm, subtract, type Vector } from '@gradsim/base';
import { cornersOf } from '../elements.ts';
import { tetVolume } from '../measures.ts';
import { type TetMesh, vertexCount } from '../mesh.ts';
import { JoinedSets } from '../topology/joined.ts';

/** Edges of a tetrahedron: local indices of both ends, and of the other two corners. */
const EDGES = [
  [0, 1, 2, 3],
  [0, 2, 1, 3],
  [0, 3, 1, 2],
  [1, 2, 0, 3],
  [1, 3, 0, 2],
  [2, 3, 0, 1],
] as const;
/** Degrees per radian. */
const DEGREES_PER_RADIAN = 180 / Math.PI;

/** Writes the six dihedral angles of an element, degrees, into `angles`. */
function anglesOf(corners: readonly Vector[], angles: Float64Array): void {
  for (let e = 0; e < 6; e++) {
    const [i, j, k, l] = EDGES[e];
    const edge = subtract(corners[j], corners[i]);
    const m = cross(edge, subtract(corners[k], corners[i]));
    const n = cross(edge, subtract(corners[l], corners[i]));
    angles[e] = DEGREES_PER_RADIAN * Math.atan2(norm(cross(m, n)), dot(m, n));
  }
}

/** Returns the smallest and the largest dihedral angle of all elements, degrees. */
export function anglesOfAll(mesh: TetMesh): { leastAngle: number; greatestAngle: number } {
  let [leastAngle, greatestAngle] = [Infinity, -Infinity];
  const angles = new Float64Array(6);
  for (let t = 0; t < mesh.tets.length; t += 4) {
    anglesOf(cornersOf(mesh, t / 4), angles);
    for (const angle of angles) {
      leastAngle = Math.min(leastAngle, angle);
      greatestAngle = Math.max(greatestAngle, angle);
    }
  }
  return { leastAngle, greatestAngle };
}

/**
 * Returns the smallest difference of the six dihedral angles of an element from 0 and 180 degrees, in degrees; -1 if it
 * is flat or inverted. The element's vertices are `tets[t]` to `tets[t + 3]`.
 */
export function marginOf(mesh: TetMesh, t: number): number {
  const corners = cornersOf(mesh, t / 4);
  if (!(tetVolume(corners) > 0)) return -1;
  const angles = new Float64Array(6);
  anglesOf(corners, angles);
  return angles.reduce((margin, angle) => Math.min(margin, angle, 180 - angle), 180);
}

/** Returns the number of connected pieces of a mesh of tetrahedra, which share no vertex with each other. */
export function piecesOf(mesh: TetMesh): number {
  const vertices = new JoinedSets(vertexCount(mesh));
  const { tets } = mesh;
  for (let k = 0; k < tets.length; k++) vertices.join(tets[k - (k % 4)], tets[k]);
  return vertices.parts;
}

/** Returns the total volume of all elements, m^3. */
export function volumeOf(mesh: TetMesh): number {
  let volume = 0;
  for (let t = 0; t < mesh.tets.length; t += 4) volume += tetVolume(cornersOf(mesh, t / 4));
  return volume;
}
