import { cross, norm, subtract, vectorAt } from '@gradsim/base';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../../scripts/vitest/draws.ts';

import { checkSolid, massProperties, parseObj, type TriangleMesh } from '../../../src/index.ts';
import { signedVolume } from '../../../src/solid.ts';

const SEED = seedOfRun('polygons');
const random = randomNumbers(SEED);

/** A prism over an outline, whose caps are polygons of all its corners, turned anyhow, and with the first corner anywhere. */
function prism(outline: readonly (readonly [number, number])[], height: number): string {
  const n = outline.length;
  const [a, b, c] = [random(), random(), random()].map((x) => 6 * x);
  const turned = ([x, y, z]: readonly number[]): number[] => {
    const [x1, y1] = [x * Math.cos(a) - y * Math.sin(a), x * Math.sin(a) + y * Math.cos(a)];
    const [y2, z2] = [y1 * Math.cos(b) - z * Math.sin(b), y1 * Math.sin(b) + z * Math.cos(b)];
    return [x1 * Math.cos(c) - y2 * Math.sin(c), x1 * Math.sin(c) + y2 * Math.cos(c), z2];
  };
  const vertices = [0, height].flatMap((z) => outline.map(([x, y]) => `v ${turned([x, y, z]).join(' ')}`));
  const first = Math.floor(random() * n);
  const around = Array.from({ length: n }, (_, k) => (first + k) % n);
  const top = `f ${around.map((k) => n + k + 1).join(' ')}`;
  const bottom = `f ${[...around]
    .reverse()
    .map((k) => k + 1)
    .join(' ')}`;
  const sides = outline.map((_, k) => `f ${k + 1} ${((k + 1) % n) + 1} ${n + ((k + 1) % n) + 1} ${n + k + 1}`);
  // Faces may come before the vertices that they refer to.
  return [...(random() < 0.5 ? [top, bottom, ...vertices] : [...vertices, top, bottom]), ...sides].join('\n');
}

const areaOf = (outline: readonly (readonly [number, number])[]): number =>
  outline.reduce((sum, [x, y], k) => {
    const [u, v] = outline[(k + 1) % outline.length];
    return sum + (x * v - y * u) / 2;
  }, 0);

const volume = (mesh: TriangleMesh): number => massProperties(mesh, { density: 1 }).volume;

describe('polygons of an OBJ', () => {
  it('are filled as they are, where they are not convex', async () => {
    const outline = [
      [0, 0],
      [2, 0],
      [2, 1],
      [1, 1],
      [1, 2],
      [0, 2],
    ] as const;
    for (let draw = 0; draw < 20; draw++) expect(volume(await parseObj(prism(outline, 1)))).toBeCloseTo(3, 9);
  });

  it('are filled as they are: drawn stars, with corners in the middle of edges', async () => {
    for (let draw = 0; draw < 60; draw++) {
      const n = 5 + Math.floor(random() * 12);
      const star = Array.from({ length: n }, (_, k): [number, number] => {
        const r = 0.3 + random();
        return [r * Math.cos((2 * Math.PI * k) / n), r * Math.sin((2 * Math.PI * k) / n)];
      });
      const outline = star.flatMap((point, k): [number, number][] => {
        const [u, v] = star[(k + 1) % n];
        return random() < 0.3 ? [point, [(point[0] + u) / 2, (point[1] + v) / 2]] : [point];
      });
      const mesh = await parseObj(prism(outline, 0.7));
      expect(mesh.triangles.length / 3).toBe(2 * (outline.length - 2) + 2 * outline.length);
      // Triangles that overlap or stick out would make the surface larger than the prism's.
      const length = outline.reduce((sum, [x, y], k) => {
        const [u, v] = outline[(k + 1) % outline.length];
        return sum + Math.hypot(u - x, v - y);
      }, 0);
      const surface = Array.from({ length: mesh.triangles.length / 3 }, (_, t) => {
        const [p, q, r] = [0, 1, 2].map((c) => vectorAt(mesh.positions, mesh.triangles[3 * t + c]));
        return norm(cross(subtract(q, p), subtract(r, p))) / 2;
      }).reduce((sum, area) => sum + area, 0);
      expect(Math.abs(surface - 2 * areaOf(outline) - 0.7 * length)).toBeLessThan(1e-9);
      expect(Math.abs(signedVolume(mesh) - 0.7 * areaOf(outline))).toBeLessThan(1e-9);
    }
  });

  it('that are convex stay fans of their first corner', async () => {
    const { triangles } = await parseObj('v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n');
    expect(Array.from(triangles)).toEqual([0, 1, 2, 0, 2, 3]);
  });
});

it('checkSolid refuses faces that lie on each other', async () => {
  const mesh = await parseObj(
    prism(
      [
        [0, 0],
        [2, 0],
        [2, 1],
        [1, 1],
        [1, 2],
        [0, 2],
      ],
      1,
    ),
  );
  checkSolid(mesh);
  // The same with caps as fans of a corner that does not see the whole polygon.
  const fan = (corners: readonly number[]): number[] =>
    corners.slice(2).flatMap((c, k) => [corners[0], corners[k + 1], c]);
  const positions = Float64Array.from(
    [0, 1].flatMap((z) =>
      [
        [2, 0],
        [2, 1],
        [1, 1],
        [1, 2],
        [0, 2],
        [0, 0],
      ].flatMap(([x, y]) => [x, y, z]),
    ),
  );
  const sides = Array.from({ length: 6 }, (_, k) => {
    const l = (k + 1) % 6;
    return [k, l, l + 6, k, l + 6, k + 6];
  }).flat();
  const triangles = Uint32Array.from([...fan([1, 0, 5, 4, 3, 2]), ...fan([6, 7, 8, 9, 10, 11]), ...sides]);
  expect(() => checkSolid({ positions, triangles })).toThrowCode('mesh/overlapping-triangles');
});
