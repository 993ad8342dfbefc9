import {
  buildModel,
  createScene,
  createSimulation,
  definePlugin,
  f64Device,
  kernel,
  type Model,
  motionFields,
  readMotion,
  Surfaces,
  vec3,
} from '@gradsim/core';
import { expect, it } from 'vitest';

const rise = kernel(
  'rise',
  { domain: 'points', reads: { position: vec3 }, writes: { position: vec3 } },
  ({ position }, { dt }) => ({ position: position.add(vec3(0, dt, 0)) }),
);

/** Builds a model of two surfaces over five points, one of which belongs to neither surface. */
function points(offers = true, isMoved = false): Model {
  const plugin = definePlugin({
    name: 'points',
    contract: 1,
    offers: [Surfaces],
    build: ({ model }) => {
      model.addDomain('points', 5);
      const values = Array.from({ length: 15 }, (_, k) => k);
      const position = model.addField('points', 'position', vec3, { values });
      if (isMoved) model.addPass('integrate', rise);
      if (!offers) return;
      const vertexColors = values.map((x) => x / 15);
      model.offer(Surfaces, { position, triangles: [0, 3, 1], vertexColors, name: 'the flag' });
      model.offer(Surfaces, { position, triangles: [4, 3, 0], triangleColors: [1, 0, 0] });
    },
  });
  return buildModel(createScene([plugin]));
}
const timeline = { device: f64Device(), frames: 3, frameRate: 30, substeps: 1 };

it('a motion has each surface with its own vertices, renumbered', async () => {
  const model = points(true, true);
  const simulation = await createSimulation(model, { ...timeline, record: motionFields(model) });
  simulation.forward();
  const { frameRate, meshes } = await readMotion(simulation);
  simulation.dispose();
  expect(frameRate).toBe(30);
  const [first, second] = meshes;
  expect(first.mesh.name).toBe('the flag');
  expect([...first.mesh.triangles]).toEqual([0, 2, 1]);
  expect([...first.mesh.positions]).toEqual([0, 1, 2, 3, 4, 5, 9, 10, 11]);
  expect([...first.mesh.colors!].map((x) => Math.round(15 * x))).toEqual([...first.mesh.positions]);
  const risen = [0, 1, 2].flatMap((frame) =>
    [...first.mesh.positions].map((x, k) => x + (k % 3 === 1 ? frame / 30 : 0)),
  );
  risen.forEach((wanted, k) => expect(first.shapes![k]).toBeCloseTo(wanted, 12));
  expect(first.shapes).toHaveLength(27);
  expect([...second.mesh.triangles]).toEqual([2, 1, 0]);
  expect(second.mesh.colorsOn).toBe('triangles');
});

it('a static surface needs no record and appears in every frame', async () => {
  const model = points();
  expect(motionFields(model)).toEqual([]);
  const simulation = await createSimulation(model, timeline);
  simulation.forward();
  const [{ mesh, shapes }] = (await readMotion(simulation)).meshes;
  simulation.dispose();
  expect([...shapes!]).toEqual([...mesh.positions, ...mesh.positions, ...mesh.positions]);
});

it('a motion is refused without a record, without a visible surface, or for an unknown world', async () => {
  expect(() => motionFields(points(false))).toThrowCode('core/nothing-to-see');
  const model = points(true, true);
  const simulation = await createSimulation(model, timeline);
  simulation.forward();
  await expect(readMotion(simulation)).rejects.toThrowCode({ code: 'core/not-recorded', field: 'points.position' });
  await expect(readMotion(simulation, 1)).rejects.toThrowCode({ code: 'core/no-such-world', values: [1, 0] });
  simulation.dispose();
});
