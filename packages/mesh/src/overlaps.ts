import { cross, dot, GradsimError, norm, scale, subtract, type Vector } from '@gradsim/base';
import { cornersOf, nameOf } from './elements.ts';
import { longestEdge } from './measures.ts';
import { type TriangleMesh, triangleCount } from './mesh.ts';
import { touchingBoxes } from './topology/box-pairs.ts';
import type { Edge } from './topology/edges.ts';
import { JoinedSets } from './topology/joined.ts';

/** Distance between planes that counts as none, as a part of the largest coordinate: that of coordinates in single precision. */
const PLANE_TOLERANCE = 3e-7;
/** Least height of triangles that are compared, in units of that distance: the planes of lower ones are rounding. */
const MIN_HEIGHT = 1000;
/** Least overlap, as a part of the smaller triangle. */
const MIN_OVERLAP = 0.01;
/** Cosine of the angle above which two planes may be one. */
const PARALLEL_COSINE = 0.99;

/**
 * Refuses triangles that lie on each other: as those of a polygon that is filled wrongly do, or those of two solids of which one
 * reaches into the other. Separate solids may touch, face to face.
 *
 * @param edges of the mesh, closed.
 */
export function checkOverlaps(mesh: TriangleMesh, edges: readonly Edge[]): void {
  const faces = new Faces(mesh);
  let pieces: JoinedSets | undefined;
  const areOfOnePiece = (one: number, other: number): boolean => {
    if (!pieces) {
      pieces = new JoinedSets(triangleCount(mesh));
      for (const { corners, against } of edges) pieces.join(Math.floor(corners[0] / 3), Math.floor(against[0] / 3));
    }
    return pieces.partOf(one) === pieces.partOf(other);
  };
  touchingBoxes(faces.boxes, (one, other) => {
    if (!faces.mayOverlap(one, other) || !trianglesOverlap(cornersOf(mesh, one), cornersOf(mesh, other))) return;
    if (faces.cosine(one, other) < 0 && !areOfOnePiece(one, other)) return;
    throw new GradsimError(
      'mesh/overlapping-triangles',
      `${nameOf(mesh)}: triangles ${one} and ${other} lie on each other.`,
      { hint: 'Triangulate their polygon anew, or unite the solids.' },
    );
  });
}

/** Triangles in flat arrays, for tests that rule out nearly all of the pairs whose boxes touch. */
class Faces {
  /** Bounding boxes, six numbers each, with a margin for rounding. */
  readonly boxes: Float64Array;
  /** Corners, nine numbers each, and unit normals, three. */
  readonly #corners: Float64Array;
  readonly #normals: Float64Array;

  constructor(mesh: TriangleMesh) {
    const count = triangleCount(mesh);
    this.boxes = new Float64Array(6 * count);
    this.#corners = Float64Array.from({ length: 9 * count }, (_, k) => {
      return mesh.positions[3 * mesh.triangles[Math.floor(k / 3)] + (k % 3)];
    });
    this.#normals = new Float64Array(3 * count);
    for (let t = 0; t < count; t++) {
      this.#normals.set(unit(normalOf(cornersOf(mesh, t))), 3 * t);
      for (let axis = 0; axis < 3; axis++) {
        const [a, b, c] = [0, 3, 6].map((k) => this.#corners[9 * t + k + axis]);
        const [least, most] = [Math.min(a, b, c), Math.max(a, b, c)];
        const margin = PLANE_TOLERANCE * Math.max(Math.abs(least), Math.abs(most));
        this.boxes[6 * t + axis] = least - margin;
        this.boxes[6 * t + 3 + axis] = most + margin;
      }
    }
  }

  cosine(one: number, other: number): number {
    const [n, a, b] = [this.#normals, 3 * one, 3 * other];
    return n[a] * n[b] + n[a + 1] * n[b + 1] + n[a + 2] * n[b + 2];
  }

  /** Returns false for triangles of different planes, or apart in one: an edge has all of the other triangle beyond it. */
  mayOverlap(one: number, other: number): boolean {
    return (
      Math.abs(this.cosine(one, other)) > PARALLEL_COSINE &&
      (this.#isNear(one, other) || this.#isNear(other, one)) &&
      !this.#isBeyond(one, other) &&
      !this.#isBeyond(other, one)
    );
  }

  #isNear(plane: number, other: number): boolean {
    const [n, x, at] = [this.#normals, this.#corners, 3 * plane];
    let reach = 0;
    for (let k = 0; k < 9; k++) reach = Math.max(reach, Math.abs(x[9 * plane + k]), Math.abs(x[9 * other + k]));
    for (let k = 9 * other; k < 9 * other + 9; k += 3) {
      let off = 0;
      for (let axis = 0; axis < 3; axis++) off += n[at + axis] * (x[k + axis] - x[9 * plane + axis]);
      if (Math.abs(off) > PLANE_TOLERANCE * reach) return false;
    }
    return true;
  }

  #isBeyond(one: number, other: number): boolean {
    const [n, x] = [this.#normals.subarray(3 * one, 3 * one + 3), this.#corners];
    for (let k = 0; k < 3; k++) {
      const [from, to] = [9 * one + 3 * k, 9 * one + 3 * ((k + 1) % 3)];
      const [ex, ey, ez] = [x[to] - x[from], x[to + 1] - x[from + 1], x[to + 2] - x[from + 2]];
      const [ix, iy, iz] = [n[1] * ez - n[2] * ey, n[2] * ex - n[0] * ez, n[0] * ey - n[1] * ex];
      let deepest = -Infinity;
      for (let c = 9 * other; c < 9 * other + 9; c += 3)
        deepest = Math.max(
          deepest,
          ix * (x[c] - x[from]) + iy * (x[c + 1] - x[from + 1]) + iz * (x[c + 2] - x[from + 2]),
        );
      // Rounding of a shared edge.
      if (deepest <= 1e-12 * (ex * ex + ey * ey + ez * ez)) return true;
    }
    return false;
  }
}

type Triangle = readonly Vector[];
const normalOf = ([a, b, c]: Triangle): Vector => cross(subtract(b, a), subtract(c, a));

const unit = (v: Vector): Vector => scale(v, 1 / norm(v));

/** Returns whether two triangles lie in one plane, and on each other. */
function trianglesOverlap(first: Triangle, second: Triangle): boolean {
  const [p, q] = [normalOf(first), normalOf(second)];
  const [large, small] = norm(p) >= norm(q) ? [first, second] : [second, first];
  const [most, least] = norm(p) >= norm(q) ? [p, q] : [q, p];
  const reach = Math.max(...[...large, ...small].flatMap((corner) => corner.map(Math.abs)));
  const off = PLANE_TOLERANCE * reach;
  if (norm(least) / longestEdge(small) < MIN_HEIGHT * off) return false;
  const normal = unit(most);
  if (small.some((corner) => Math.abs(dot(normal, subtract(corner, large[0]))) > off)) return false;
  return areaInTriangle(small, large, normal) > (MIN_OVERLAP * norm(least)) / 2;
}

/** Returns the area of the part of a polygon that lies within a triangle of the same plane (Sutherland and Hodgman). */
function areaInTriangle(polygon: Triangle, triangle: Triangle, normal: Vector): number {
  let inside: Vector[] = [...polygon];
  triangle.forEach((from, k) => {
    const inward = cross(normal, subtract(triangle[(k + 1) % 3], from));
    const depths = inside.map((corner) => dot(inward, subtract(corner, from)));
    inside = inside.flatMap((corner, i) => {
      const j = (i + 1) % inside.length;
      const kept = depths[i] >= 0 ? [corner] : [];
      if (depths[i] >= 0 === depths[j] >= 0) return kept;
      const part = depths[i] / (depths[i] - depths[j]);
      return [...kept, corner.map((x, axis) => x + part * (inside[j][axis] - x)) as unknown as Vector];
    });
  });
  const twice = inside.slice(2).reduce((sum, corner, k) => {
    const area = dot(normal, cross(subtract(inside[k + 1], inside[0]), subtract(corner, inside[0])));
    return sum + area;
  }, 0);
  return Math.abs(twice) / 2;
}
