type Point = readonly number[];

/** Convex hull of points, by Andrew's monotone chain. */
export function hullOf(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const hull: Point[] = [];
  addChain(hull, sorted);
  addChain(hull, sorted.reverse());
  return hull;
}

/** Adds half of the hull of sorted points, without the last one. */
function addChain(hull: Point[], sorted: readonly Point[]): void {
  const first = hull.length;
  for (const point of sorted) {
    while (hull.length - first > 1) {
      const a = hull[hull.length - 2];
      const b = hull[hull.length - 1];
      if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
      hull.pop();
    }
    hull.push(point);
  }
  hull.pop();
}
