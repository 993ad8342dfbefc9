import type { TetMesh } from '@gradsim/mesh';
import { icosphere } from '@gradsim/mesh';

/**
 * Tetrahedral mesh of a ball about the origin: an icosphere, smaller copies of it inside, and the centre. Each triangle
 * of the innermost copy forms a tetrahedron with the centre; between two layers it forms a prism of three.
 *
 * ```ts
 * const ball = tetBall({ radius: 0.3, subdivisions: 1, layers: 2 }); // 80 + 3 * 80 tetrahedra, 85 particles
 * ```
 */
export function tetBall({
  radius,
  subdivisions,
  layers,
}: {
  /** Radius of the outermost layer, m. */
  readonly radius: number;
  readonly subdivisions: number;
  readonly layers: number;
}): TetMesh {
  const shell = icosphere({ radius: 1, subdivisions });
  const perLayer = shell.positions.length / 3;
  const positions = [0, 0, 0];
  for (let layer = 1; layer <= layers; layer++)
    for (const x of shell.positions) positions.push((x * radius * layer) / layers);
  const at = (vertex: number, layer: number): number => 1 + layer * perLayer + vertex;
  const tets: number[] = [];
  for (let t = 0; t < shell.triangles.length; t += 3) {
    const [a, b, c] = shell.triangles.subarray(t, t + 3);
    tets.push(0, at(a, 0), at(b, 0), at(c, 0));
    // Sides of neighbouring prisms are cut alike, since both take their vertices in ascending order.
    const [p, q, r] = [a, b, c].sort((i, j) => i - j);
    const [placeA, placeB] = [a, b].map((v) => [p, q, r].indexOf(v));
    const turnsOver = placeB !== (placeA + 1) % 3;
    for (let layer = 1; layer < layers; layer++) {
      const [p0, q0, r0, p1, q1, r1] = [p, q, r, p, q, r].map((v, k) => at(v, layer - (k < 3 ? 1 : 0)));
      for (const [i, j, k, l] of [
        [p0, q0, r0, r1],
        [p0, q0, r1, q1],
        [p0, q1, r1, p1],
      ])
        tets.push(...(turnsOver ? [i, k, j, l] : [i, j, k, l]));
    }
  }
  return { positions: Float64Array.from(positions), tets: Uint32Array.from(tets) };
}
