import type { TriangleMesh } from '@gradsim/mesh';

/** A bowl, its rim at y = 0: half of a ball of radius `inside + wall` without half of one of radius `inside`. */
export function bowl(inside: number, wall: number, segments = 32, rings = 12): TriangleMesh {
  const arc = (radius: number, from: number, to: number): [number, number][] =>
    Array.from({ length: rings + 1 }, (_, k) => {
      const angle = from + ((to - from) * k) / rings;
      return [radius * Math.sin(angle), -radius * Math.cos(angle)];
    });
  const half = Math.PI / 2;
  const profile = [...arc(inside + wall, 0, half), ...arc(inside, half, 0)];
  const positions: number[] = [];
  const first: number[] = [];
  for (const [r, y] of profile) {
    first.push(positions.length / 3);
    const count = r > 1e-12 ? segments : 1;
    for (let k = 0; k < count; k++) {
      const angle = (2 * Math.PI * k) / count;
      positions.push(r * Math.cos(angle), y, r * Math.sin(angle));
    }
  }
  const at = (ring: number, k: number): number => {
    const count = (first[ring + 1] ?? positions.length / 3) - first[ring];
    return first[ring] + (k % count);
  };
  const triangles: number[] = [];
  for (let ring = 0; ring + 1 < profile.length; ring++)
    for (let k = 0; k < segments; k++) {
      const [a, b, c, d] = [at(ring, k), at(ring, k + 1), at(ring + 1, k), at(ring + 1, k + 1)];
      if (a !== b) triangles.push(a, c, b);
      if (c !== d) triangles.push(b, c, d);
    }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) } as TriangleMesh;
}
