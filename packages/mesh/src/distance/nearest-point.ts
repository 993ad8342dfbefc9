import type { Vector } from '@gradsim/base';
import { type TriangleMesh, triangleCount } from '../mesh.ts';
import { closestOnTriangle } from './closest-on-triangle.ts';

/** Maximum number of triangles in a leaf of the bounding volume tree. */
const MAX_LEAF_TRIANGLES = 4;

/** Point of a surface nearest to a query point, its distance from that (m), and its triangle. */
export interface Nearest {
  readonly point: Vector;
  readonly distance: number;
  readonly triangle: number;
  /** Feature of the triangle on which the point lies, as returned by {@link closestOnTriangle}. */
  readonly feature: number;
}

/**
 * Nearest-point queries on a surface, by a tree of bounding boxes, each split along its longest side into halves with
 * equal numbers of triangles.
 */
export class NearestPoint {
  readonly #mesh: TriangleMesh;
  /** Triangle indices, sorted so that each node of the tree has a contiguous range. */
  readonly #order: Uint32Array;
  /** Bounding boxes of the nodes, six numbers each: minimum x, y, z, maximum x, y, z, in m. */
  readonly #boxes: number[] = [];
  /**
   * Nodes, three numbers each: start and end (exclusive) of the node's range in `#order`, and the index of its right
   * child, or 0 for a leaf; the left child is the next node.
   */
  readonly #nodes: number[] = [];
  /**
   * Triangle found by the last {@link isWithin}, which is tried first: it is often near enough for the next point too.
   */
  #lastWithin = 0;

  constructor(mesh: TriangleMesh) {
    this.#mesh = mesh;
    this.#order = Uint32Array.from({ length: triangleCount(mesh) }, (_, t) => t);
    this.#build(0, this.#order.length);
  }

  #build(first: number, end: number): void {
    const { positions, triangles } = this.#mesh;
    const node = this.#nodes.length / 3;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let n = 3 * first; n < 3 * end; n++) {
      const vertex = triangles[3 * this.#order[Math.floor(n / 3)] + (n % 3)];
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis], positions[3 * vertex + axis]);
        high[axis] = Math.max(high[axis], positions[3 * vertex + axis]);
      }
    }
    this.#boxes.push(...low, ...high);
    this.#nodes.push(first, end, 0);
    if (end - first <= MAX_LEAF_TRIANGLES) return;
    const sides = high.map((h, axis) => h - low[axis]);
    const axis = sides.indexOf(Math.max(...sides));
    const middle = (t: number): number =>
      [0, 1, 2].reduce((sum, k) => sum + positions[3 * triangles[3 * t + k] + axis], 0);
    this.#order.subarray(first, end).sort((s, t) => middle(s) - middle(t));
    const half = (first + end) >> 1;
    this.#build(first, half);
    this.#nodes[3 * node + 2] = this.#nodes.length / 3;
    this.#build(half, end);
  }

  #squareToBox(node: number, p: ArrayLike<number>): number {
    let square = 0;
    for (let axis = 0; axis < 3; axis++) {
      const [low, high] = [this.#boxes[6 * node + axis], this.#boxes[6 * node + 3 + axis]];
      const out = Math.max(low - p[axis], p[axis] - high, 0);
      square += out * out;
    }
    return square;
  }

  /**
   * Returns the point of the surface nearest to p.
   *
   * @param atMost known upper bound of the distance, m, which shortens the search.
   * @returns undefined when the surface is farther away.
   */
  nearestTo(p: ArrayLike<number>, atMost: number): Nearest | undefined;
  nearestTo(p: ArrayLike<number>): Nearest;
  nearestTo(p: ArrayLike<number>, atMost = Infinity): Nearest | undefined {
    // Slightly more, to cover the rounding of both.
    let best = (1.001 * atMost) ** 2;
    let [bestTriangle, bestFeature] = [-1, 0];
    let bestPoint: Vector = [0, 0, 0];
    const point = new Float64Array(3);
    const visit = (node: number, squareToBox: number): void => {
      if (squareToBox >= best) return;
      const right = this.#nodes[3 * node + 2];
      if (right > 0) {
        const [toLeft, toRight] = [this.#squareToBox(node + 1, p), this.#squareToBox(right, p)];
        if (toLeft <= toRight) visit(node + 1, toLeft);
        visit(right, toRight);
        if (toLeft > toRight) visit(node + 1, toLeft);
        return;
      }
      const end = this.#nodes[3 * node + 1];
      for (let n = this.#nodes[3 * node]; n < end; n++) {
        const feature = closestOnTriangle(p, this.#mesh, this.#order[n], point);
        const square = (point[0] - p[0]) ** 2 + (point[1] - p[1]) ** 2 + (point[2] - p[2]) ** 2;
        if (square >= best) continue;
        best = square;
        bestPoint = [point[0], point[1], point[2]];
        [bestTriangle, bestFeature] = [this.#order[n], feature];
      }
    };
    visit(0, this.#squareToBox(0, p));
    if (bestTriangle < 0) return undefined;
    return { point: bestPoint, distance: Math.sqrt(best), triangle: bestTriangle, feature: bestFeature };
  }

  /** Returns whether the surface is within `distance` (m) of p; stops at the first triangle that is. */
  isWithin(p: ArrayLike<number>, distance: number): boolean {
    const most = distance * distance;
    const point = new Float64Array(3);
    const isNear = (triangle: number): boolean => {
      closestOnTriangle(p, this.#mesh, triangle, point);
      const square = (point[0] - p[0]) ** 2 + (point[1] - p[1]) ** 2 + (point[2] - p[2]) ** 2;
      if (square <= most) this.#lastWithin = triangle;
      return square <= most;
    };
    const visit = (node: number): boolean => {
      if (this.#squareToBox(node, p) > most) return false;
      const right = this.#nodes[3 * node + 2];
      if (right > 0) return visit(node + 1) || visit(right);
      for (let n = this.#nodes[3 * node]; n < this.#nodes[3 * node + 1]; n++) if (isNear(this.#order[n])) return true;
      return false;
    };
    return isNear(this.#lastWithin) || visit(0);
  }
}
