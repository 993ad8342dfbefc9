import { rotate, type Vector, vectorAt } from '@gradsim/base';
import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import {
  box,
  capsule,
  checkSolid,
  cone,
  cylinder,
  icosphere,
  type TriangleMesh,
  torus,
  uvSphere,
} from '../src/index.ts';

const random = randomNumbers(seedOfRun('overlaps'));
const between = (low: number, high: number): number => low + (high - low) * random();

type Place = { turn: readonly number[]; at: Vector };
const drawPlace = (): Place => {
  const turn = [between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)];
  return { turn: turn.map((x) => x / Math.hypot(...turn)), at: [between(-2, 2), between(-2, 2), between(-2, 2)] };
};
/** Moves a mesh, and rounds it to single precision, as STL stores it. */
const moved = (mesh: TriangleMesh, { turn, at }: Place): TriangleMesh => ({
  ...mesh,
  positions: Float64Array.from({ length: mesh.positions.length }, (_, k) =>
    Math.fround(rotate(turn, vectorAt(mesh.positions, Math.floor(k / 3)))[k % 3] + at[k % 3]),
  ),
});
const shifted = (mesh: TriangleMesh, by: Vector): TriangleMesh => ({
  ...mesh,
  positions: mesh.positions.map((x, k) => x + by[k % 3]),
});
const both = (one: TriangleMesh, other: TriangleMesh): TriangleMesh => ({
  positions: Float64Array.from([...one.positions, ...other.positions]),
  triangles: Uint32Array.from([...one.triangles, ...other.triangles.map((v) => v + one.positions.length / 3)]),
});
/** A prism over a polygon in the plane z = 0, its caps filled by a fan from the corner `from`. */
function fannedPrism(corners: readonly (readonly [number, number])[], from: number): TriangleMesh {
  const n = corners.length;
  const positions = [0, 1].flatMap((z) => corners.flatMap(([x, y]) => [x, y, z]));
  const triangles = corners.flatMap((_, k) => {
    const next = (k + 1) % n;
    return [k, next, n + next, k, n + next, n + k];
  });
  for (let k = 1; k < n - 1; k++) {
    const [a, b, c] = [from, (from + k) % n, (from + k + 1) % n];
    triangles.push(c, b, a, n + a, n + b, n + c);
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

it('of polygons that are not convex and filled by a fan are noticed, however they are turned and rounded', () => {
  for (let draw = 0; draw < 20; draw++) {
    const [a, b] = [between(0.2, 0.8), between(0.2, 0.8)];
    const el = [
      [0, 0],
      [1, 0],
      [1, a],
      [b, a],
      [b, 1],
      [0, 1],
    ] as const;
    // From the inner corner, or the outer one across from it, the fan is right.
    expect(() => checkSolid(moved(fannedPrism(el, 3), drawPlace()))).not.toThrow();
    expect(() => checkSolid(moved(fannedPrism(el, 1), drawPlace()))).toThrowCode('mesh/overlapping-triangles');
  }
});

it('of solids that reach into each other are noticed where their faces lie in one plane, not where solids touch', () => {
  for (let draw = 0; draw < 20; draw++) {
    const place = drawPlace();
    const one = box({ size: [1, 1, 1] });
    const into = shifted(one, [between(-0.9, 0.9), 0, between(-0.9, 0.9)]);
    expect(() => checkSolid(moved(both(one, into), place))).toThrowCode('mesh/overlapping-triangles');
    const onTop = shifted(box({ size: [0.5, 1, 0.3] }), [between(-0.9, 0.9), 1, between(-0.9, 0.9)]);
    expect(() => checkSolid(moved(both(one, onTop), place))).not.toThrow();
  }
});

it('are not seen in shapes that have none, however they are turned, small and rounded', () => {
  const shapes = [box(), icosphere({ subdivisions: 4 }), uvSphere(), cylinder(), cone(), capsule(), torus()];
  for (const shape of shapes)
    for (const size of [1e-3, 1]) {
      const scaled = { ...shape, positions: shape.positions.map((x) => x * size) };
      expect(() => checkSolid(moved(scaled, { ...drawPlace(), at: [0, 0, 0] }))).not.toThrow();
    }
});
