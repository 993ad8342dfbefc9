import {
  buildModel,
  column,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  f32,
  f64Device,
  kernel,
  Model,
} from '@gradsim/core';
import { expect, it } from 'vitest';

const Mote = defineComponent('motes', { heat: column(f32, { range: 'positive' }) }, {}, { noun: 'mote' });
const cool = kernel('cool', { domain: 'motes', reads: { heat: f32 }, writes: { heat: f32 } }, ({ heat }) => ({
  heat: heat.mul(heat),
}));
const motes = definePlugin({
  name: 'motes',
  contract: 1,
  components: [Mote],
  build: ({ model }) => model.addPass('integrate', cool),
});
const sceneOfMotes = () => createScene([motes]);

it('scene.describe names an entity by its label, by its label from addMany, or by noun and number', () => {
  const scene = sceneOfMotes();
  const first = scene.add(Mote, { heat: 1 }, 'the first');
  const [, second] = scene.addMany(Mote, 2, { heat: [1, 2] }, (k) => `mote ${k} of cloud "west"`);
  const third = scene.add(Mote, { heat: 1 });
  expect([first, second, third].map((entity) => scene.describe(entity))).toEqual([
    'the first',
    'mote 1 of cloud "west"',
    'mote 3',
  ]);
  scene.remove(first);
  expect(scene.describe(third)).toBe('mote 2');
});

it('scene.nameGroup names a group by its name, with a number if it is taken, or by its number in the scene', () => {
  const scene = sceneOfMotes();
  const named = [['flag'], ['flag'], [], [], ['']].map(([name]) => scene.nameGroup('cloth', name));
  expect(named).toEqual(['cloth "flag"', 'cloth "flag" (2)', 'cloth 0', 'cloth 1', 'cloth 2']);
});

it('errors about refused values name elements by their labels, even before they are in the scene', () => {
  const add = () => sceneOfMotes().addMany(Mote, 3, { heat: [1, 2, -1] }, (k) => `mote ${k} of cloud "west"`);
  expect(add).toThrowCode({ code: 'core/value-out-of-range', field: 'motes.heat', element: 'mote 2 of cloud "west"' });
});

it('an error about a diverging run names the pass, the field, and the element by its label', async () => {
  const scene = sceneOfMotes();
  scene.addMany(Mote, 2, { heat: [1, 1e38] }, (k) => `mote ${k} of cloud "west"`);
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 7,
    frameRate: 10,
    substeps: 1,
  });
  simulation.forward();
  await expect(simulation.read(Mote.heat)).rejects.toMatchObject({
    code: 'core/not-finite',
    where: { package: 'core', pass: 'cool' },
    field: 'motes.heat',
    element: 'mote 1 of cloud "west"',
  });
  expect(() => simulation.set(Mote.heat, [1, -1])).toThrowCode({
    code: 'core/value-out-of-range',
    element: 'mote 1 of cloud "west"',
  });
  simulation.dispose();
});

it('errors name elements of a domain by the function given with it, or by number and domain', () => {
  const model = new Model();
  model.addDomain('pairs', 2, { describe: (pair) => `pair ${pair} of "west" and "east"` });
  model.addDomain('cells', 2);
  expect(model.describe('pairs', 1)).toBe('pair 1 of "west" and "east"');
  expect(model.describe('cells', 1)).toBe('element 1 of cells');
  expect(() => model.addIndex('pairs', 'ends', 'cells', 2, [0, 1, 1, 2])).toThrowCode({
    code: 'core/index-out-of-range',
    element: 'pair 1 of "west" and "east"',
  });
});
