import { describe, expect, it } from 'vitest';
import { checkMesh, flipMesh, type TriangleMesh, weldMesh } from '../src/index.ts';

/** Two triangles of a square with a repeated corner, and one without area between them. */
const mesh: TriangleMesh = {
  positions: Float64Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0]),
  triangles: Uint32Array.from([0, 1, 2, 0, 3, 1, 3, 2, 4]),
  uvs: Array.from({ length: 18 }, (_, k) => k / 18),
};
const cornersOf = ({ triangles, positions, uvs }: TriangleMesh): string[] =>
  Array.from(
    triangles,
    (v, k) => `${positions.slice(3 * v, 3 * v + 3)} at ${uvs![2 * k]}, ${uvs![2 * k + 1]}`,
  );

describe('texture coordinates', () => {
  it('stay with their corners when triangles are turned round', () => {
    const flipped = flipMesh(mesh);
    expect(flipped.triangles).not.toEqual(mesh.triangles);
    expect(cornersOf(flipped).sort()).toEqual(cornersOf(mesh).sort());
  });

  it('stay with their triangles when others go, as vertices are welded', () => {
    const welded = weldMesh(mesh);
    expect(welded.triangles.length).toBe(6);
    expect(cornersOf(welded)).toEqual([...cornersOf(mesh).slice(0, 3), ...cornersOf(mesh).slice(6)]);
  });

  it('are refused where there are too few, or one is no number', () => {
    expect(() => checkMesh({ ...mesh, uvs: [0, 1] })).toThrow('2 values in uvs for 3 triangles');
    const broken = Array.from(mesh.uvs!, (x, k) => (k === 7 ? Number.NaN : x));
    expect(() => checkMesh({ ...mesh, uvs: broken })).toThrow('triangle 1 has the texture coordinate NaN');
  });
});
