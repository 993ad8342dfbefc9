type Point = readonly [number, number, number];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Returns whether the segment from p to q intersects a triangle. Source: T. Moeller, B. Trumbore, 1997. */
function pierces(p: Point, q: Point, [a, b, c]: readonly Point[]): boolean {
  const along = minus(q, p);
  const [e1, e2] = [minus(b, a), minus(c, a)];
  const h = cross(along, e2);
  const det = dot(e1, h);
  if (det === 0) return false;
  const s = minus(p, a);
  const u = dot(s, h) / det;
  const k = cross(s, e1);
  const v = dot(along, k) / det;
  const t = dot(e2, k) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 && t <= 1;
}

/** Counts pairs of intersecting triangles without a common corner, by testing all pairs. */
export function crossings(positions: ArrayLike<number>, triangles: ArrayLike<number>): number {
  const count = triangles.length / 3;
  const corners = (t: number): number[] => [0, 1, 2].map((k) => triangles[3 * t + k]);
  const at = (vertex: number): Point => [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
  const edges = ([a, b, c]: readonly Point[]): [Point, Point][] => [
    [a, b],
    [b, c],
    [c, a],
  ];
  let found = 0;
  for (let s = 0; s < count; s++) {
    const own = corners(s);
    const ownPoints = own.map(at);
    for (let t = s + 1; t < count; t++) {
      const other = corners(t);
      if (other.some((vertex) => own.includes(vertex))) continue;
      const otherPoints = other.map(at);
      const isCrossed =
        edges(ownPoints).some(([p, q]) => pierces(p, q, otherPoints)) ||
        edges(otherPoints).some(([p, q]) => pierces(p, q, ownPoints));
      if (isCrossed) found++;
    }
  }
  return found;
}
