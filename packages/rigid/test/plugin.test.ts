import { buildModel, createScene, Surfaces } from '@gradsim/core';
import { box, icosphere } from '@gradsim/mesh';
import { Body, rigid } from '@gradsim/rigid';
import { expect, it } from 'vitest';

it('rigid() offers the surface of each mesh to renderers, with its vertex indices and a colour per triangle', () => {
  const scene = createScene([rigid()]);
  const [cube, ball] = [box({ size: [1, 1, 1] }), icosphere({ radius: 1, subdivisions: 1 })];
  const colors = Float64Array.from(cube.triangles, (_, k) => k / 100);
  scene.add(Body, { mesh: { ...cube, colors, colorsOn: 'triangles' }, mass: 1 });
  scene.add(Body, { mesh: ball, mass: 1 });
  const [first, second, ...others] = buildModel(scene).offered(Surfaces);
  expect(others).toEqual([]);
  expect(Array.from(first.triangles)).toEqual([...cube.triangles]);
  expect(Array.from(first.triangleColors!)).toEqual([...colors]);
  expect(Array.from(second.triangles)).toEqual(
    Array.from(ball.triangles, (corner) => corner + cube.positions.length / 3),
  );
  expect(second.triangleColors).toHaveLength(ball.triangles.length);
});
