import { addCloth, cloth } from '@gradsim/cloth';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box, plane } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { surfaceGeometries } from '@gradsim/three';
import { Vector3 } from 'three';
import { expect, it } from 'vitest';

it('geometries follow a textured body, a coloured one and a cloth, of the world asked for', async () => {
  const cube = box({ size: [0.3, 0.2, 0.1] });
  const count = cube.triangles.length / 3;
  const scene = createScene([rigid(), particles(), cloth()]);
  const [red, blue] = [
    { width: 1, height: 1, colors: [1, 0, 0] },
    { width: 1, height: 1, colors: [0, 0, 1] },
  ];
  const triangleTextures = Array.from({ length: count }, (_, k) => Number(k >= 4));
  const uvs = Float64Array.from({ length: 6 * count }, (_, k) => (k % 8) / 8);
  const flying = { density: 500, position: [0.5, 1, 0], velocity: [1, 2, 0], angularVelocity: [3, 14, -5] };
  scene.add(Body, { mesh: { ...cube, textures: [red, blue], triangleTextures, uvs }, ...flying }, 'dice');
  const colors = Float64Array.from({ length: 3 * count }, (_, k) => k / (3 * count));
  scene.add(Body, { mesh: { ...cube, colors, colorsOn: 'triangles' }, density: 500, position: [5, 0, 0] });
  addCloth(scene, plane({ size: [1, 1], segments: [3, 2] }), { mu: 30, lambda: 40, density: 0.2, bendStiffness: 0.01 });
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frameRate: 24,
    substeps: 40,
    worlds: 2,
    record: ['bodyVertices.position'],
  });
  simulation.set('bodies.velocity', [-1, 3, 0.5, 0, 0, 0], 1);
  const { surfaces, update, dispose } = surfaceGeometries(simulation, { world: 1 });
  const [dice, coloured, sheet] = surfaces.map(({ geometry }) => geometry);
  expect(surfaces[0].name).toBe('dice');
  for (let frame = 0; frame < 5; frame++) simulation.step();
  // On this device nothing is waited for.
  void update();

  const vertices = await simulation.read('bodyVertices.position');
  const first = vertices.length / 2;
  const corner = new Vector3();
  Array.from(cube.triangles).forEach((vertex, k) => {
    corner.fromBufferAttribute(dice.getAttribute('position'), k);
    corner.toArray().forEach((x, axis) => {
      expect(x).toBeCloseTo(vertices[first + 3 * vertex + axis], 6);
    });
  });
  expect(dice.boundingSphere?.center.toArray()[0]).toBeLessThan(0.5);
  expect(dice.groups.map(({ start, count: size, materialIndex }) => [start, size, materialIndex])).toEqual([
    [0, 12, 0],
    [12, 3 * count - 12, 1],
  ]);
  expect(surfaces[0].textures).toEqual([red, blue]);
  const uv = dice.getAttribute('uv');
  expect([uv.getX(5), uv.getY(5)]).toEqual([uvs[10], 1 - uvs[11]]);

  const color = coloured.getAttribute('color');
  for (let k = 0; k < 3 * count; k++) expect(color.getZ(k)).toBeCloseTo(colors[3 * Math.floor(k / 3) + 2], 6);
  // Flat shading: the normal of a face, outwards.
  corner.fromBufferAttribute(coloured.getAttribute('normal'), 0);
  expect(Math.max(...corner.toArray().map(Math.abs))).toBeCloseTo(1, 6);
  const outwards = new Vector3().fromBufferAttribute(coloured.getAttribute('position'), 0).sub(new Vector3(5, 0, 0));
  expect(corner.dot(outwards)).toBeGreaterThan(0);

  const cloths = await simulation.read('particles.position');
  expect(sheet.getAttribute('position').count).toBe(12);
  expect(sheet.index?.count).toBe(3 * 12);
  expect(sheet.getAttribute('position').getY(3)).toBeCloseTo(cloths[cloths.length / 2 + 10], 6);
  dispose();
  simulation.dispose();
});

it('refuses a model without surfaces, and worlds that there are not', async () => {
  const scene = createScene([particles()]);
  scene.add(Particle, { mass: 1, position: [0, 0, 0] });
  const simulation = await createSimulation(buildModel(scene), { device: f64Device(), frameRate: 24, substeps: 1 });
  expect(() => surfaceGeometries(simulation)).toThrowCode({ code: 'three/no-surface' });
  expect(() => surfaceGeometries(simulation, { world: 1 })).toThrowCode({
    code: 'three/option-out-of-range',
    field: 'world',
    values: [1],
  });
  simulation.dispose();
});
