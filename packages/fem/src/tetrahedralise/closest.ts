/** The point of triangle a b c nearest to p. Source: Ericson, Real-Time Collision Detection, 2005, section 5.1.5. */
export function closestOnTriangle(
  p: ArrayLike<number>,
  positions: ArrayLike<number>,
  corners: readonly [number, number, number],
): [number, number, number] {
  const [a, b, c] = [3 * corners[0], 3 * corners[1], 3 * corners[2]];
  const [ax, ay, az] = [positions[a], positions[a + 1], positions[a + 2]];
  const [abx, aby, abz] = [positions[b] - ax, positions[b + 1] - ay, positions[b + 2] - az];
  const [acx, acy, acz] = [positions[c] - ax, positions[c + 1] - ay, positions[c + 2] - az];
  const [apx, apy, apz] = [p[0] - ax, p[1] - ay, p[2] - az];
  const at = (v: number, w: number): [number, number, number] => [
    ax + v * abx + w * acx,
    ay + v * aby + w * acy,
    az + v * abz + w * acz,
  ];
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  if (d1 <= 0 && d2 <= 0) return at(0, 0);
  const [bb, bc, cc] = [
    abx * abx + aby * aby + abz * abz,
    abx * acx + aby * acy + abz * acz,
    acx * acx + acy * acy + acz * acz,
  ];
  const [d3, d4] = [d1 - bb, d2 - bc];
  if (d3 >= 0 && d4 <= d3) return at(1, 0);
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return at(d1 / (d1 - d3), 0);
  const [d5, d6] = [d1 - bc, d2 - cc];
  if (d6 >= 0 && d5 <= d6) return at(0, 1);
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return at(0, d2 / (d2 - d6));
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    const w = (d4 - d3) / (d4 - d3 + (d5 - d6));
    return at(1 - w, w);
  }
  const sum = va + vb + vc;
  return at(vb / sum, vc / sum);
}

/** Triangles in a tree of boxes, each of at most this many. */
const LEAF = 4;

/** Finds the nearest point of a surface: a tree of boxes, split in the middle of its longest side. */
export class NearestPoint {
  readonly #positions: ArrayLike<number>;
  readonly #triangles: ArrayLike<number>;
  /** Triangles, in the order of the leaves. */
  readonly #order: Uint32Array;
  /** Of each node: low x, y, z, high x, y, z. */
  readonly #boxes: number[] = [];
  /** Of each node: its first triangle and the one after its last, and its right child (the left one follows it), or 0. */
  readonly #nodes: number[] = [];

  constructor(positions: ArrayLike<number>, triangles: ArrayLike<number>) {
    this.#positions = positions;
    this.#triangles = triangles;
    this.#order = Uint32Array.from({ length: triangles.length / 3 }, (_, t) => t);
    this.#build(0, this.#order.length);
  }

  #middle(triangle: number, axis: number): number {
    const at = (k: number): number => this.#positions[3 * this.#triangles[3 * triangle + k] + axis];
    return at(0) + at(1) + at(2);
  }

  #build(first: number, end: number): void {
    const node = this.#nodes.length / 3;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let n = first; n < end; n++) {
      for (let k = 0; k < 3; k++) {
        const vertex = 3 * this.#triangles[3 * this.#order[n] + k];
        for (let axis = 0; axis < 3; axis++) {
          low[axis] = Math.min(low[axis], this.#positions[vertex + axis]);
          high[axis] = Math.max(high[axis], this.#positions[vertex + axis]);
        }
      }
    }
    this.#boxes.push(...low, ...high);
    this.#nodes.push(first, end, 0);
    if (end - first <= LEAF) return;
    const sides = high.map((h, axis) => h - low[axis]);
    const axis = sides.indexOf(Math.max(...sides));
    const part = this.#order.subarray(first, end);
    part.sort((s, t) => this.#middle(s, axis) - this.#middle(t, axis));
    const half = (first + end) >> 1;
    this.#build(first, half);
    this.#nodes[3 * node + 2] = this.#nodes.length / 3;
    this.#build(half, end);
  }

  #squareToBox(node: number, p: ArrayLike<number>): number {
    let square = 0;
    for (let axis = 0; axis < 3; axis++) {
      const out = Math.max(
        this.#boxes[6 * node + axis] - p[axis],
        p[axis] - this.#boxes[6 * node + 3 + axis],
        0,
      );
      square += out * out;
    }
    return square;
  }

  /** The nearest point to p, and its distance. */
  to(p: ArrayLike<number>): { point: [number, number, number]; distance: number } {
    let best = Infinity;
    let point: [number, number, number] = [0, 0, 0];
    const visit = (node: number): void => {
      if (this.#squareToBox(node, p) >= best) return;
      const [first, end, right] = [0, 1, 2].map((k) => this.#nodes[3 * node + k]);
      if (right > 0) {
        const isLeftNearer = this.#squareToBox(node + 1, p) <= this.#squareToBox(right, p);
        visit(isLeftNearer ? node + 1 : right);
        visit(isLeftNearer ? right : node + 1);
        return;
      }
      for (let n = first; n < end; n++) {
        const t = 3 * this.#order[n];
        const corners = [this.#triangles[t], this.#triangles[t + 1], this.#triangles[t + 2]] as const;
        const near = closestOnTriangle(p, this.#positions, corners);
        const square = (near[0] - p[0]) ** 2 + (near[1] - p[1]) ** 2 + (near[2] - p[2]) ** 2;
        if (square < best) {
          best = square;
          point = near;
        }
      }
    };
    visit(0);
    return { point, distance: Math.sqrt(best) };
  }
}
