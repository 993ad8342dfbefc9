type Point = readonly [number, number, number];

/** Triangles in a leaf of the tree of boxes, at most. */
const LEAF = 4;

/**
 * Exact signed distance to a closed triangle mesh, below 0 inside. The nearest triangle is found in a tree of boxes; the
 * sign is that of the pseudonormal of the nearest face, edge or vertex (J. A. Baerentzen, H. Aanaes: Signed distance
 * computation using the angle weighted pseudonormal, 2005). Right for meshes that do not go through themselves.
 */
export class SignedDistance {
  readonly #positions: ArrayLike<number>;
  readonly #triangles: ArrayLike<number>;
  /** Triangles in the order of the leaves. */
  readonly #order: Uint32Array;
  /** Of each node: low x, y, z, high x, y, z. */
  readonly #boxes: number[] = [];
  /** Of each node: its first triangle, the one after its last, and its right child (the left one follows it) or 0. */
  readonly #nodes: number[] = [];
  /** Of each triangle: the normals of its face, of its vertices, and of the edges opposite of them. */
  readonly #normals: Float64Array;

  constructor(positions: ArrayLike<number>, triangles: ArrayLike<number>) {
    this.#positions = positions;
    this.#triangles = triangles;
    this.#order = Uint32Array.from({ length: triangles.length / 3 }, (_, t) => t);
    this.#normals = pseudonormals(positions, triangles);
    this.#build(0, this.#order.length);
  }

  #build(first: number, end: number): void {
    const node = this.#nodes.length / 3;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let n = 3 * first; n < 3 * end; n++) {
      const vertex = this.#triangles[3 * this.#order[Math.floor(n / 3)] + (n % 3)];
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis], this.#positions[3 * vertex + axis]);
        high[axis] = Math.max(high[axis], this.#positions[3 * vertex + axis]);
      }
    }
    this.#boxes.push(...low, ...high);
    this.#nodes.push(first, end, 0);
    if (end - first <= LEAF) return;
    const sides = high.map((h, axis) => h - low[axis]);
    const axis = sides.indexOf(Math.max(...sides));
    const middle = (t: number): number =>
      [0, 1, 2].reduce((sum, k) => sum + this.#positions[3 * this.#triangles[3 * t + k] + axis], 0);
    this.#order.subarray(first, end).sort((s, t) => middle(s) - middle(t));
    const half = (first + end) >> 1;
    this.#build(first, half);
    this.#nodes[3 * node + 2] = this.#nodes.length / 3;
    this.#build(half, end);
  }

  #squareToBox(node: number, p: Point): number {
    let square = 0;
    for (let axis = 0; axis < 3; axis++) {
      const [low, high] = [this.#boxes[6 * node + axis], this.#boxes[6 * node + 3 + axis]];
      const out = Math.max(low - p[axis], p[axis] - high, 0);
      square += out * out;
    }
    return square;
  }

  /**
   * The signed distance of a point.
   *
   * @param atMost what its magnitude is known not to be above: then less is searched.
   */
  at(p: Point, atMost = Infinity): number {
    // A little more, for what rounding adds to either.
    let best = (1.001 * atMost) ** 2;
    let sign = 1;
    const visit = (node: number): void => {
      if (this.#squareToBox(node, p) >= best) return;
      const [first, end, right] = this.#nodes.slice(3 * node, 3 * node + 3);
      if (right > 0) {
        const isLeftNearer = this.#squareToBox(node + 1, p) <= this.#squareToBox(right, p);
        visit(isLeftNearer ? node + 1 : right);
        visit(isLeftNearer ? right : node + 1);
        return;
      }
      for (let n = first; n < end; n++) {
        const triangle = this.#order[n];
        const { point, feature } = this.#nearestOn(triangle, p);
        const away = [p[0] - point[0], p[1] - point[1], p[2] - point[2]];
        const square = away[0] ** 2 + away[1] ** 2 + away[2] ** 2;
        if (square >= best) continue;
        best = square;
        const normal = 21 * triangle + 3 * feature;
        sign = away.reduce((sum, a, axis) => sum + a * this.#normals[normal + axis], 0) < 0 ? -1 : 1;
      }
    };
    visit(0);
    return sign * Math.sqrt(best);
  }

  /**
   * The point of triangle a b c nearest to p, and where that is: 0 on the face, 1 to 3 at a, b, c, 4 to 6 on the edges
   * opposite of them. Source: C. Ericson, Real-Time Collision Detection, 2005, section 5.1.5.
   */
  #nearestOn(triangle: number, p: Point): { point: Point; feature: number } {
    const corner = (k: number): Point => {
      const at = 3 * this.#triangles[3 * triangle + k];
      return [this.#positions[at], this.#positions[at + 1], this.#positions[at + 2]];
    };
    const a = corner(0);
    const [ab, ac, ap] = [minus(corner(1), a), minus(corner(2), a), minus(p, a)];
    const at = (v: number, w: number, feature: number) => ({
      point: [
        a[0] + v * ab[0] + w * ac[0],
        a[1] + v * ab[1] + w * ac[1],
        a[2] + v * ab[2] + w * ac[2],
      ] as const,
      feature,
    });
    const [d1, d2] = [dot(ab, ap), dot(ac, ap)];
    if (d1 <= 0 && d2 <= 0) return at(0, 0, 1);
    const [bb, bc, cc] = [dot(ab, ab), dot(ab, ac), dot(ac, ac)];
    const [d3, d4] = [d1 - bb, d2 - bc];
    if (d3 >= 0 && d4 <= d3) return at(1, 0, 2);
    const vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return at(d1 / (d1 - d3), 0, 6);
    const [d5, d6] = [d1 - bc, d2 - cc];
    if (d6 >= 0 && d5 <= d6) return at(0, 1, 3);
    const vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return at(0, d2 / (d2 - d6), 5);
    const va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) {
      const w = (d4 - d3) / (d4 - d3 + (d5 - d6));
      return at(1 - w, w, 4);
    }
    const sum = va + vb + vc;
    return at(vb / sum, vc / sum, 0);
  }
}

/** Of each triangle seven normals: its own, those of its vertices weighted by angles, those of the opposite edges. */
function pseudonormals(positions: ArrayLike<number>, triangles: ArrayLike<number>): Float64Array {
  const normals = new Float64Array(7 * triangles.length);
  const ofVertices = new Float64Array(positions.length);
  const ofEdges = new Map<number, [number, number, number]>();
  const edge = (a: number, b: number): number => Math.min(a, b) * positions.length + Math.max(a, b);
  const cornersOf = (t: number): number[] => [0, 1, 2].map((k) => triangles[3 * t + k]);
  for (let t = 0; t < triangles.length / 3; t++) {
    const corners = cornersOf(t);
    const points = corners.map((v): Point => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]);
    const across = cross(minus(points[1], points[0]), minus(points[2], points[0]));
    const length = Math.hypot(...across);
    corners.forEach((vertex, k) => {
      const [along, back] = [minus(points[(k + 1) % 3], points[k]), minus(points[(k + 2) % 3], points[k])];
      const angle = Math.atan2(Math.hypot(...cross(along, back)), dot(along, back));
      const key = edge(corners[(k + 1) % 3], corners[(k + 2) % 3]);
      const ofEdge = ofEdges.get(key) ?? [0, 0, 0];
      ofEdges.set(key, ofEdge);
      for (let axis = 0; axis < 3; axis++) {
        const n = across[axis] / length;
        normals[21 * t + axis] = n;
        ofVertices[3 * vertex + axis] += angle * n;
        ofEdge[axis] += n;
      }
    });
  }
  for (let t = 0; t < triangles.length / 3; t++) {
    const corners = cornersOf(t);
    corners.forEach((vertex, k) => {
      normals.set(ofVertices.subarray(3 * vertex, 3 * vertex + 3), 21 * t + 3 + 3 * k);
      normals.set(ofEdges.get(edge(corners[(k + 1) % 3], corners[(k + 2) % 3]))!, 21 * t + 12 + 3 * k);
    });
  }
  return normals;
}

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
