import type { TetMesh } from '@gradsim/mesh';
import { cornersOf, surfaceTriangles, tetCount, tetVolume } from '@gradsim/mesh';
import { expect, it } from 'vitest';
import { tetBall } from '../src/soft/tet-ball.ts';
import { rigidVelocities } from '../src/soft/throw.ts';

const volumesOf = (mesh: TetMesh): number[] =>
  Array.from({ length: tetCount(mesh) }, (_, t) => tetVolume(cornersOf(mesh, t)));

it('a ball of tetrahedra fills its polyhedron with elements of positive volume that leave no gaps', () => {
  for (const [subdivisions, layers] of [
    [0, 1],
    [0, 2],
    [1, 3],
  ]) {
    const ball = tetBall({ radius: 2, subdivisions, layers });
    const volumes = volumesOf(ball);
    expect(Math.min(...volumes)).toBeGreaterThan(0);
    const triangles = 20 * 4 ** subdivisions;
    expect(volumes).toHaveLength(triangles * (1 + 3 * (layers - 1)));
    // Neighbouring prisms are cut alike: no face within is left alone.
    expect(surfaceTriangles(ball.tets)).toHaveLength(3 * triangles);
  }
  // An icosahedron in a sphere of radius 1 has edges 1 / sin(2 pi / 5) and volume 5 (3 + sqrt(5)) / 12 edge^3.
  const all = volumesOf(tetBall({ radius: 1, subdivisions: 0, layers: 3 }));
  const icosahedron = ((5 * (3 + Math.sqrt(5))) / 12) * Math.sin((2 * Math.PI) / 5) ** -3;
  expect(all.reduce((a, b) => a + b)).toBeCloseTo(icosahedron, 10);
});

it('initial velocities of a thrown soft body are those of a rigid body that moves and rotates', () => {
  // About z with 2 rad/s: (1, 0, 0) goes along y, (0, 1, 0) against x.
  const velocities = rigidVelocities([1, 0, 0, 0, 1, 0], [0, 0, 3], [0, 0, 2]);
  const expected = [0, 2, 3, -2, 0, 3];
  velocities.forEach((v, k) => {
    expect(v).toBeCloseTo(expected[k], 12);
  });
});
