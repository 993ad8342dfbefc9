import { describe, expect, it } from 'vitest';
import { checkMesh, flipMesh, type TriangleMesh, weldMesh } from '../src/index.ts';

/** A square of two triangles in which a corner is stored twice, with a triangle of zero area between them. */
const mesh: TriangleMesh = {
  positions: Float64Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0]),
  triangles: Uint32Array.from([0, 1, 2, 0, 3, 1, 3, 2, 4]),
  uvs: Array.from({ length: 18 }, (_, k) => k / 18),
};
const cornersOf = ({ triangles, positions, uvs }: TriangleMesh): string[] =>
  Array.from(triangles, (v, k) => `${positions.slice(3 * v, 3 * v + 3)} at ${uvs![2 * k]}, ${uvs![2 * k + 1]}`);

describe('texture coordinates', () => {
  it('stay with their corners when triangles are flipped', () => {
    const flipped = flipMesh(mesh);
    expect(flipped.triangles).not.toEqual(mesh.triangles);
    expect(cornersOf(flipped).sort()).toEqual(cornersOf(mesh).sort());
  });

  it('stay with their triangles when welding removes others', () => {
    const welded = weldMesh(mesh);
    expect(welded.triangles.length).toBe(6);
    expect(cornersOf(welded)).toEqual([...cornersOf(mesh).slice(0, 3), ...cornersOf(mesh).slice(6)]);
  });

  it('and the texture per triangle stay when welding; a wrong texture index or count is refused', () => {
    const white = { width: 1, height: 1, colors: [1, 1, 1] };
    const painted = { ...mesh, textures: [white, white], triangleTextures: [0, 0, 1] };
    expect(weldMesh(painted).triangleTextures).toEqual([0, 1]);
    expect(() => checkMesh({ ...painted, triangleTextures: [0, 2, 1] })).toThrowCode({
      code: 'mesh/no-such-texture',
      values: [1, 2, 0],
    });
    expect(() => checkMesh({ ...painted, triangleTextures: [0] })).toThrowCode({
      code: 'mesh/wrong-size',
      values: [1, 3, 'triangleTextures'],
    });
    const { uvs: _, ...bare } = painted;
    expect(() => checkMesh(bare)).toThrowCode('mesh/no-texture-coordinates');
  });

  it.each([
    [{ width: 0 }, { code: 'mesh/texture-size', values: [0, 'width'] }],
    [{ width: 2 }, { code: 'mesh/wrong-size', values: [0, 2, 1, 3] }],
    [{ colors: [1, Number.NaN, 1] }, { code: 'mesh/not-finite', element: 'The mesh: texture 0', values: ['NaN'] }],
  ])('of an invalid texture are refused: %j', (change, expected) => {
    const texture = { width: 1, height: 1, colors: [1, 1, 1], ...change };
    expect(() => checkMesh({ ...mesh, textures: [texture] })).toThrowCode(expected);
  });

  it('are refused if too few, or if one is not a number', () => {
    expect(() => checkMesh({ ...mesh, uvs: [0, 1] })).toThrowCode({ code: 'mesh/wrong-size', values: [2, 3] });
    const broken = Array.from(mesh.uvs!, (x, k) => (k === 7 ? Number.NaN : x));
    expect(() => checkMesh({ ...mesh, uvs: broken })).toThrowCode({ code: 'mesh/not-finite', values: [1, 'NaN'] });
  });
});
