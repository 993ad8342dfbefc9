import { dot, norm, subtract, type Vector, vectorAt } from '@gradsim/base';
import { foldAngle } from '../measures.ts';
import type { TriangleMesh } from '../mesh.ts';
import { findHinges } from '../topology/hinges.ts';

/** Angle between the normals of two faces above which their edge is sharp, rad. */
const SHARP_ANGLE = Math.PI / 5;

/** Sharp corners and edges of a surface. */
export interface SharpFeatures {
  /** Positions of vertices whose number of sharp edges is not two, or whose two sharp edges form a sharp angle. */
  readonly corners: readonly Vector[];
  /** Positions of the two ends of each sharp edge. */
  readonly edges: readonly (readonly [Vector, Vector])[];
}

/**
 * Finds the sharp edges of a closed mesh, at which the normals of two faces differ by more than 36 degrees, and the
 * corners where sharp edges meet.
 */
export function findFeatures(mesh: TriangleMesh): SharpFeatures {
  const point = (v: number): Vector => vectorAt(mesh.positions, v);
  const hinges = findHinges(mesh);
  const edges: [Vector, Vector][] = [];
  const around = new Map<number, number[]>();
  for (let h = 0; h < hinges.length; h += 4) {
    const hinge = hinges.subarray(h, h + 4);
    if (Math.abs(foldAngle(Array.from(hinge, point))) <= SHARP_ANGLE) continue;
    const [, , from, to] = hinge;
    edges.push([point(from), point(to)]);
    around.set(from, [...(around.get(from) ?? []), to]);
    around.set(to, [...(around.get(to) ?? []), from]);
  }
  const corners = [...around].filter(([vertex, others]) => {
    if (others.length !== 2) return true;
    const [u, v] = others.map((other) => subtract(point(other), point(vertex)));
    return Math.PI - angleBetween(u, v) > SHARP_ANGLE;
  });
  return { corners: corners.map(([vertex]) => point(vertex)), edges };
}

const angleBetween = (a: Vector, b: Vector): number =>
  Math.acos(Math.min(Math.max(dot(a, b) / (norm(a) * norm(b)), -1), 1));
