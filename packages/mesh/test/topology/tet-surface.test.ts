import { expect, it } from 'vitest';
import {
  checkSolid,
  cornersOf,
  placeMesh,
  surfaceTriangles,
  tetBox,
  tetSurface,
  triangleArea,
  triangleCount,
} from '../../src/index.ts';

it('the surface of a box of tetrahedra is closed, has its area, and lists the vertices on it', () => {
  const body = placeMesh(tetBox({ cells: [3, 2, 2], size: [3, 1, 2] }), { translation: [5, 5, 5] });
  const surface = tetSurface(body);
  checkSolid(surface);
  let area = 0;
  for (let t = 0; t < triangleCount(surface); t++) area += triangleArea(cornersOf(surface, t));
  expect(area).toBeCloseTo(22, 12);
  // 4 x 3 x 3 vertices, of which 2 lie inside.
  expect(surface.vertices).toHaveLength(34);
  surface.vertices.forEach((vertex, k) => {
    expect(surface.positions.subarray(3 * k, 3 * k + 3)).toEqual(body.positions.subarray(3 * vertex, 3 * vertex + 3));
  });
  expect(surface.triangles.map((k) => surface.vertices[k])).toEqual(surfaceTriangles(body.tets));
});

it('a face shared by three tetrahedra is refused', () => {
  expect(() => surfaceTriangles([0, 1, 2, 3, 0, 2, 1, 4, 0, 1, 2, 5])).toThrowCode({
    code: 'mesh/not-a-surface',
    values: ['0, 1, 2'],
  });
});
