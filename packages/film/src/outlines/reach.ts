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
  let a = 0;
  let b = 0;
  for (let k = 1; k < line.length; k++) {
    const c = line[k][0] - from[0];
    const d = line[k][1] - from[1];
    const twice = a * d - b * c;
    area += twice / 2;
    x += ((a + c) * twice) / 6;
    y += ((b + d) * twice) / 6;
    a = c;
    b = d;
  }
  return { x: from[0] + x / area, y: from[1] + y / area, size: Math.sqrt(Math.abs(area) / Math.PI) };
}

/**
 * Distances from a point to closed polygons in each of {@link DIRECTIONS}, to the last crossing, px; 0 in directions
 * without one.
 */
export function reachesOf(lines: readonly (readonly Point[])[], x: number, y: number): number[] {
  const reaches = DIRECTIONS.map(() => 0);
  for (const line of lines) {
    if (line.length === 0) continue;
    const last = line[line.length - 1];
    let a = last[0] - x;
    let b = last[1] - y;
    for (let i = 0; i < line.length; i++) {
      const c = line[i][0] - x;
      const d = line[i][1] - y;
      for (let k = 0; k < reaches.length; k++) {
        const u = RIGHT[k];
        const v = DOWN[k];
        const here = u * b - v * a;
        const there = u * d - v * c;
        if (here <= 0 === there <= 0) continue;
        const part = here / (here - there);
        const reach = u * (a + part * (c - a)) + v * (b + part * (d - b));
        if (reach > reaches[k]) reaches[k] = reach;
      }
      a = c;
      b = d;
    }
  }
  return reaches;
}

/** Coordinates of the {@link DIRECTIONS}. */
const [RIGHT, DOWN] = [0, 1].map((axis) => Float64Array.from(DIRECTIONS, (direction) => direction[axis]));
