import { describe, expect, it } from 'vitest';
import { checkMesh, flipMesh, type TriangleMesh, weldMesh } from '../src/index.ts';

/** Two triangles of a square with a repeated corner, and one without area between them. */
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

  it('keep the texture of each triangle', () => {
    const white = { width: 1, height: 1, colors: [1, 1, 1] };
    const painted = { ...mesh, textures: [white, white], triangleTextures: [0, 0, 1] };
    expect(weldMesh(painted).triangleTextures).toEqual([0, 1]);
    expect(() => checkMesh({ ...painted, triangleTextures: [0, 2, 1] })).toThrow(
      'triangle 1 has texture 2, but there are 2, from 0',
    );
    expect(() => checkMesh({ ...painted, triangleTextures: [0] })).toThrow('1 values in triangleTextures for 3');
    const { uvs: _, ...bare } = painted;
    expect(() => checkMesh(bare)).toThrow('has a texture, but no uvs');
  });

  it.each([
    [{ width: 0 }, 'texture 0 has the width 0. It must be a whole number of at least 1'],
    [{ width: 2 }, 'texture 0 has 2 x 1 texels, but 3 values in colors. There must be 3 each, 6'],
    [{ colors: [1, Number.NaN, 1] }, 'texture 0: texel 0 has the colour NaN'],
  ])('of an invalid texture are refused: %j', (change, message) => {
    const texture = { width: 1, height: 1, colors: [1, 1, 1], ...change };
    expect(() => checkMesh({ ...mesh, textures: [texture] })).toThrow(message);
  });

  it('are refused if too few, or if one is not a number', () => {
    expect(() => checkMesh({ ...mesh, uvs: [0, 1] })).toThrow('2 values in uvs for 3 triangles');
    const broken = Array.from(mesh.uvs!, (x, k) => (k === 7 ? Number.NaN : x));
    expect(() => checkMesh({ ...mesh, uvs: broken })).toThrow('triangle 1 has the texture coordinate NaN');
  });
});
