import { longestEdge, refineTets, surfaceTriangles, type TetMesh, tetBox, tetCount, tetVolume } from '@gradsim/mesh';
import { describe, expect, it } from 'vitest';

const cornersOf = ({ positions, tets }: TetMesh, t: number): number[][] =>
  Array.from(tets.subarray(4 * t, 4 * t + 4), (v) => [...positions.subarray(3 * v, 3 * v + 3)]);
const volumes = (mesh: TetMesh): number[] =>
  Array.from({ length: tetCount(mesh) }, (_, t) => tetVolume(cornersOf(mesh, t)));

/** A box whose vertices are displaced by a fixed rule, so that every element has another shape. */
function crooked(): TetMesh {
  const mesh = tetBox({ cells: [3, 2, 2], size: [0.9, 0.4, 0.6] });
  return { ...mesh, positions: mesh.positions.map((x, k) => x + 0.03 * Math.sin(37 * k)) };
}

describe('halving the edges of tetrahedra', () => {
  it('divides each into eight of equal volume, none inverted', () => {
    for (const coarse of [tetBox({ cells: [2, 1, 1] }), crooked()]) {
      const { mesh } = refineTets(coarse);
      const fine = volumes(mesh);
      expect(fine).toHaveLength(8 * tetCount(coarse));
      volumes(coarse).forEach((volume, t) => {
        for (const part of fine.slice(8 * t, 8 * t + 8)) expect(part / (volume / 8)).toBeCloseTo(1, 10);
      });
    }
  });

  it('keeps vertices, adds one at the middle of each edge, and shares it between neighbours', () => {
    const coarse = crooked();
    const { mesh, midpointEnds } = refineTets(coarse);
    const old = coarse.positions.length;
    expect([...mesh.positions.subarray(0, old)]).toEqual([...coarse.positions]);
    expect(mesh.positions.length).toBe(old + (3 * midpointEnds.length) / 2);
    for (let v = 0; v < midpointEnds.length / 2; v++)
      for (let k = 0; k < 3; k++)
        expect(mesh.positions[old + 3 * v + k]).toBe(
          (coarse.positions[3 * midpointEnds[2 * v] + k] + coarse.positions[3 * midpointEnds[2 * v + 1] + k]) / 2,
        );
    // A vertex made twice would open a face, and the surface would have more than four triangles for each.
    expect(surfaceTriangles(mesh.tets).length).toBe(4 * surfaceTriangles(coarse.tets).length);
  });

  it('repeated twice, keeps the least ratio of volume to longest edge cubed to 0.1%', () => {
    const quality = (mesh: TetMesh): number =>
      Math.min(...volumes(mesh).map((v, t) => v / longestEdge(cornersOf(mesh, t)) ** 3));
    const once = refineTets(tetBox({ cells: [1, 1, 1] })).mesh;
    const thrice = refineTets(refineTets(once).mesh).mesh;
    expect(quality(thrice)).toBeGreaterThan(0.999 * quality(once));
  });

  it('refuses an index of a missing vertex', () => {
    expect(() => refineTets({ ...tetBox(), tets: Uint32Array.from([0, 1, 2, 99]) })).toThrowCode({
      code: 'mesh/no-such-vertex',
      values: [99],
    });
  });
});
