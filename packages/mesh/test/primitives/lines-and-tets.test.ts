import { describe, expect, it } from 'vitest';
import {
  chain,
  checkMesh,
  checkVerticesUsed,
  cornersOf,
  flipMesh,
  lattice,
  net,
  placeMesh,
  type TetMesh,
  tetBox,
  tetCount,
  tetSurface,
  tetVolume,
  vertexCount,
} from '../../src/index.ts';

const volumes = (mesh: TetMesh): number[] =>
  Array.from({ length: tetCount(mesh) }, (_, t) => tetVolume(cornersOf(mesh, t)));

describe('meshes of lines', () => {
  it('have the expected points and numbers of lines: chain, net and lattice, with diagonals', () => {
    const { positions, lines } = chain({ from: [0, 1, 0], to: [3, 1, 6], segments: 3, reach: 2 });
    expect([...positions]).toEqual([0, 1, 0, 1, 1, 2, 2, 1, 4, 3, 1, 6]);
    expect([...lines]).toEqual([0, 1, 1, 2, 2, 3, 0, 2, 1, 3]);
    // 2 x 2: four edges and two diagonals; 2 x 2 x 2: all 28 pairs of 8.
    expect(net().lines).toHaveLength(2 * 6);
    const cube = lattice().lines;
    const pairs = Array.from({ length: cube.length / 2 }, (_, k) =>
      [...cube.subarray(2 * k, 2 * k + 2)].sort().join('-'),
    );
    expect(new Set(pairs).size).toBe(28);
    expect(pairs).toHaveLength(28);
    // Edges of an a x b net of cells: a (b + 1) + b (a + 1), and 2 a b diagonals.
    expect(net({ segments: [4, 3] }).lines).toHaveLength(2 * (4 * 4 + 3 * 5 + 2 * 4 * 3));
  });
  it('are centred on the origin, and valid meshes', () => {
    for (const mesh of [net({ size: [2, 4] }), lattice({ size: [2, 2, 4], cells: [3, 1, 2] }), chain()]) {
      checkMesh(mesh);
      checkVerticesUsed(mesh);
      for (let axis = 0; axis < 3; axis++) {
        const along = [...mesh.positions].filter((_, k) => k % 3 === axis);
        expect(Math.max(...along) + Math.min(...along)).toBe(0);
      }
    }
    expect(vertexCount(lattice({ cells: [3, 1, 2] }))).toBe(4 * 2 * 3);
    expect([...net({ size: [2, 4] }).positions]).toEqual([-1, 0, -2, 1, 0, -2, -1, 0, 2, 1, 0, 2]);
  });
  it.each([
    [() => chain({ segments: 0 }), { code: 'mesh/option-out-of-range', values: [0, 1, 'chain', 'segments'] }],
    [() => chain({ reach: 1.5 }), { code: 'mesh/option-out-of-range', values: [1.5, 'chain', 'reach'] }],
    [() => net({ size: [1, 0] }), { code: 'mesh/option-out-of-range', values: [0, 'net', 'size z'] }],
    [() => net({ segments: [0, 1] }), { code: 'mesh/option-out-of-range', values: [0, 'net', 'segments along x'] }],
    [
      () => lattice({ size: [1, Number.NaN, 1] }),
      { code: 'mesh/option-out-of-range', values: ['NaN', 'lattice', 'size y'] },
    ],
    [
      () => lattice({ cells: [1, 1, -1] }),
      { code: 'mesh/option-out-of-range', values: [-1, 'lattice', 'cells along z'] },
    ],
    [() => tetBox({ size: [-1, 1, 1] }), { code: 'mesh/option-out-of-range', values: [-1, 'tetBox', 'size x'] }],
    [() => tetBox({ cells: [1, 0, 1] }), { code: 'mesh/option-out-of-range', values: [0, 'tetBox', 'cells along y'] }],
  ])('and boxes of tetrahedra refuse impossible sizes and numbers of cells', (make, expected) => {
    expect(make).toThrowCode(expected);
  });
});

describe('a box of tetrahedra', () => {
  it('is filled by elements of positive volume that share whole faces', () => {
    const body = tetBox({ size: [1, 2, 3], cells: [3, 2, 4] });
    checkMesh(body);
    checkVerticesUsed(body);
    expect(tetCount(body)).toBe(5 * 24);
    expect(Math.min(...volumes(body))).toBeGreaterThan(0);
    expect(volumes(body).reduce((a, b) => a + b)).toBeCloseTo(6, 12);
    // Faces that did not meet would lie on the surface too: here are two triangles on each side of a cell.
    expect(tetSurface(body).triangles).toHaveLength(3 * 2 * 2 * (3 * 2 + 2 * 4 + 4 * 3));
  });
  it('keeps its volumes when placed, mirrored too', () => {
    const turn = [0.1, 0.5, -0.3, Math.sqrt(1 - 0.35)] as const;
    const placed = placeMesh(tetBox(), { scale: [-2, 1, 1], rotation: turn, translation: [1, 2, 3] });
    const all = volumes(placed);
    expect(Math.min(...all)).toBeGreaterThan(0);
    expect(all.reduce((a, b) => a + b)).toBeCloseTo(2, 12);
    expect(Math.max(...volumes(flipMesh(tetBox())))).toBeLessThan(0);
  });
});
