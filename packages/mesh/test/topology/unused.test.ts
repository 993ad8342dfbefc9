import { describe, expect, it } from 'vitest';
import {
  box,
  chain,
  checkVerticesUsed,
  dropUnusedVertices,
  type Mesh,
  plane,
  tetBox,
  weldMesh,
} from '../../src/index.ts';

describe('unused vertices', () => {
  it.each<[string, Mesh, 'lines' | 'triangles' | 'tets']>([
    ['lines', chain({ segments: 3 }), 'lines'],
    ['triangles', plane({ segments: [2, 1] }), 'triangles'],
    ['tetrahedra', tetBox(), 'tets'],
  ])('are removed from a mesh of %s, with the map to the kept ones', (_, mesh, key) => {
    const moved = (mesh as unknown as Record<typeof key, Uint32Array>)[key].map((vertex) => vertex + 1);
    const positions = Float64Array.of(9, 9, 9, ...mesh.positions, 8, 8, 8);
    const loose: Mesh = { ...mesh, positions, [key]: moved };
    const { vertices, ...made } = dropUnusedVertices(loose);
    expect(made).toEqual(mesh);
    expect([...vertices]).toEqual(Array.from({ length: mesh.positions.length / 3 }, (_, k) => k + 1));
  });

  it('are removed with their colours, while those of triangles stay', () => {
    const one = { positions: new Float64Array(12), triangles: Uint32Array.of(0, 1, 3) };
    const colors = Float64Array.from({ length: 12 }, (_, k) => k / 12);
    expect(dropUnusedVertices({ ...one, colors }).colors).toEqual(
      Float64Array.of(...colors.subarray(0, 6), ...colors.subarray(9)),
    );
    const ofTriangles = { ...one, colors: colors.slice(0, 3), colorsOn: 'triangles' } as const;
    expect(dropUnusedVertices(ofTriangles).colors).toEqual(colors.slice(0, 3));
    const { colors: welded } = weldMesh({
      ...box(),
      colors: new Float64Array(36).fill(0.5),
      colorsOn: 'triangles',
    });
    expect(welded).toEqual(new Float64Array(36).fill(0.5));
  });

  it('are refused by checkVerticesUsed, which names the first', () => {
    expect(() => checkVerticesUsed(tetBox())).not.toThrow();
    const loose = { ...tetBox(), positions: Float64Array.of(...tetBox().positions, 5, 5, 5) };
    expect(() => checkVerticesUsed(loose)).toThrowCode({
      code: 'mesh/unused-vertex',
      values: [8, 'dropUnusedVertices', 'Mesh tetBox', 'tetrahedron'],
    });
  });
});
