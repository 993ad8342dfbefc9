/** Directions of an outline's reaches in a picture: from the right on, clockwise as y goes downwards. */
export const DIRECTIONS: readonly (readonly [number, number])[] = Array.from({ length: 24 }, (_, k) => {
  const angle = (2 * Math.PI * k) / 24;
  return [Math.cos(angle), Math.sin(angle)];
});

/** A place in a picture, pixels from the left and the upper edge. */
type Point = readonly number[];

/** Middle of a closed line, that of its area, and size, the root of that area over pi. Pixels. */
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

/** Reaches of closed lines from a point in each of {@link DIRECTIONS}: to their last crossing, px. 0 for none. */
export function reachesOf(lines: readonly (readonly Point[])[], x: number, y: number): number[] {
  return DIRECTIONS.map(([u, v]) => {
    let reach = 0;
    for (const line of lines)
      line.forEach(([a, b], k) => {
        const [c, d] = line[(k + 1) % line.length];
        const [here, there] = [u * (b - y) - v * (a - x), u * (d - y) - v * (c - x)];
        if (here <= 0 === there <= 0) return;
        const part = here / (here - there);
        const along = u * (a - x + part * (c - a)) + v * (b - y + part * (d - b));
        if (along > reach) reach = along;
      });
    return reach;
  });
}
