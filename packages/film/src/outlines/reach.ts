/**
 * Unit vectors of the 24 directions in which reaches are measured: from the right on, clockwise, as y points downwards.
 */
export const DIRECTIONS: readonly (readonly [number, number])[] = Array.from({ length: 24 }, (_, k) => {
  const angle = (2 * Math.PI * k) / 24;
  return [Math.cos(angle), Math.sin(angle)];
});

/** Point of a picture, px from the left and the upper edge. */
type Point = readonly number[];

/** Centroid of the area in a closed polygon, and its size, the square root of the area over pi, px. */
export function middleOf(line: readonly Point[]): { x: number; y: number; size: number } {
  let [area, x, y] = [0, 0, 0];
  const [from] = line;
  line.forEach((point, k) => {
    const next = line[(k + 1) % line.length];
    const [a, b, c, d] = [point[0] - from[0], point[1] - from[1], next[0] - from[0], next[1] - from[1]];
    const twice = a * d - b * c;
    area += twice / 2;
    x += ((a + c) * twice) / 6;
    y += ((b + d) * twice) / 6;
  });
  return { x: from[0] + x / area, y: from[1] + y / area, size: Math.sqrt(Math.abs(area) / Math.PI) };
}

/**
 * Distances from a point to closed polygons in each of {@link DIRECTIONS}, to the last crossing, px; 0 in directions
 * without one.
 */
export function reachesOf(lines: readonly (readonly Point[])[], x: number, y: number): number[] {
  return DIRECTIONS.map(([u, v]) => {
    let reach = 0;
    for (const line of lines) {
      let [a, b] = line[line.length - 1] ?? [];
      let here = u * (b - y) - v * (a - x);
      for (const point of line) {
        const [c, d] = [point[0], point[1]];
        const there = u * (d - y) - v * (c - x);
        if (here <= 0 !== there <= 0) {
          const part = here / (here - there);
          reach = Math.max(reach, u * (a - x + part * (c - a)) + v * (b - y + part * (d - b)));
        }
        [a, b, here] = [c, d, there];
      }
    }
    return reach;
  });
}
