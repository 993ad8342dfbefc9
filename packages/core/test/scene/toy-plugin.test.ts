import {
  buildModel,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  f32,
  f64Device,
  kernel,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { central, Mote, toyScene, wave } from '../toy.ts';

const RUN = { frames: 4, frameRate: 10, substeps: 5 };
const PARAMETERS = [
  'world.strength',
  'world.centre',
  'world.drag',
  'motes.mass',
  'motes.velocity',
  'motes.position',
  'links.stiffness',
  'links.restLength',
  'world.wind',
  'motes.gust',
  'world.tint',
];
const OUTPUTS = ['world.energy', 'motes.position', 'motes.velocity'];

describe('a plugin written outside of the repository', () => {
  for (const memory of [1e6, 2000]) {
    it(`has gradients that agree with tangents and central differences (${memory} bytes of tape)`, async () => {
      const result = await checkGradients(buildModel(toyScene().scene), {
        ...RUN,
        memory,
        parameters: PARAMETERS,
        outputs: OUTPUTS,
        values: { 'world.wind': wave(45), 'motes.gust': wave(16, 2), 'world.tint': wave(4, 3) },
        seed: 7,
      });
      expect(Object.keys(result.parameters)).toEqual(PARAMETERS);
      for (const { adjoint } of Object.values(result.parameters)) expect(Number.isFinite(adjoint)).toBe(true);
    });
  }
});

describe('a model records for each field', () => {
  it('the plugin that added or computes it', () => {
    const counted = kernel(
      'counted',
      { domain: 'motes', reads: { mass: f32 }, writes: { count: f32 } },
      ({ mass }) => ({ count: mass.div(mass) }),
    );
    const counter = definePlugin({
      name: 'counter',
      contract: 1,
      build: ({ model }) => {
        model.addField('world', 'most', f32, { fill: 9 });
        model.addPass('setup', counted);
      },
    });
    const scene = createScene([central, counter]);
    scene.add(Mote, { position: [0, 0, 0] });
    const model = buildModel(scene);
    const owner = (key: string) => model.field(key).owner;
    expect(['motes.mass', 'world.strength', 'motes.force'].map(owner)).toEqual(Array(3).fill('central-force'));
    expect(['world.most', 'motes.count'].map(owner)).toEqual(['counter', 'counter']);
  });
});

describe('a plugin is refused', () => {
  it('where it is none: the function that makes one, nothing, one for a list', () => {
    for (const given of [[() => central], [undefined], [{}], central, undefined])
      expect(() => createScene(given as unknown as (typeof central)[])).toThrowCode('core/not-a-plugin');
  });
  it('whose build or finish is asynchronous: what it adds later is in no model', () => {
    for (const part of ['build', 'finish'] as const) {
      const late = definePlugin({ name: 'late', contract: 1, [part]: async () => {} });
      expect(() => buildModel(createScene([late]))).toThrowCode({ code: 'core/asynchronous', values: [part, 'late'] });
    }
  });
  it('for another version of the contract', () => {
    expect(() => createScene([definePlugin({ name: 'old', contract: 0 })])).toThrowCode({
      code: 'core/contract-version',
      values: [0, 1, 'gradsim/core', 'old'],
    });
  });
  it('with the name of another', () => {
    expect(() => createScene([central, definePlugin({ name: 'central-force', contract: 1 })])).toThrowCode({
      code: 'core/defined-twice',
      values: ['central-force'],
    });
  });
  it('without a plugin that it requires', () => {
    const needy = definePlugin({ name: 'needy', contract: 1, requires: ['central-force'] });
    expect(() => createScene([needy])).toThrowCode({ code: 'core/plugin-missing', values: ['needy', 'central-force'] });
    expect(() => createScene([needy, central])).not.toThrow();
  });
  it('with a component, domain or field name of another', () => {
    const twin = definePlugin({ name: 'twin', contract: 1, components: [defineComponent('motes', {})] });
    expect(() => createScene([central, twin])).toThrowCode({
      code: 'core/defined-twice',
      values: ['"motes"', 'central-force', 'twin'],
    });
    const squatter = definePlugin({
      name: 'b',
      contract: 1,
      build: ({ model }) => void model.addField('motes', 'mass', f32),
    });
    expect(() => buildModel(createScene([central, squatter]))).toThrowCode({
      code: 'core/defined-twice',
      field: 'motes.mass',
    });
    const domain = definePlugin({
      name: 'c',
      contract: 1,
      build: ({ model }) => model.addDomain('motes', 3),
    });
    expect(() => buildModel(createScene([central, domain]))).toThrowCode({
      code: 'core/defined-twice',
      values: ['"motes"'],
    });
  });
});

describe('parameters, outputs and records are refused before anything runs', () => {
  const create = (options: Partial<Parameters<typeof createSimulation>[1]>) =>
    createSimulation(buildModel(toyScene().scene), { device: f64Device(), ...RUN, ...options });
  const unread = definePlugin({
    name: 'unread',
    contract: 1,
    build: ({ model }) => void model.addField('motes', 'charge', f32, { fill: 1 }),
  });

  it('a parameter that nothing reads', async () => {
    const scene = createScene([central, unread]);
    scene.add(Mote, { position: [0, 0, 0] });
    await expect(
      createSimulation(buildModel(scene), { device: f64Device(), ...RUN, parameters: ['motes.charge'] }),
    ).rejects.toThrowCode({ code: 'core/idle-parameter', field: 'motes.charge' });
  });
  it('an unknown, computed or non-f32 parameter', async () => {
    await expect(create({ parameters: ['motes.weight'] })).rejects.toThrowCode({
      code: 'core/unknown-field',
      field: 'motes.weight',
      values: ['motes.mass'],
    });
    await expect(create({ parameters: ['motes.force'] })).rejects.toThrowCode({
      code: 'core/not-an-input',
      field: 'motes.force',
    });
    await expect(create({ parameters: ['links.ends'] })).rejects.toThrowCode({
      code: 'core/wrong-type',
      field: 'links.ends',
      values: ['u32'],
    });
  });
  it('an output that is neither a state nor recorded, a record of a field computed in substeps', async () => {
    await expect(create({ parameters: ['motes.mass'], outputs: ['world.energy'] })).rejects.toThrowCode({
      code: 'core/not-an-output',
      field: 'world.energy',
      values: ['not recorded'],
    });
    await expect(create({ parameters: ['motes.mass'], outputs: ['motes.force'] })).rejects.toThrowCode({
      code: 'core/not-an-output',
      field: 'motes.force',
      values: ['of role scratch'],
    });
    await expect(create({ record: ['motes.force'] })).rejects.toThrowCode({
      code: 'core/not-recordable',
      field: 'motes.force',
    });
  });
  it('frames, substeps, frame rate, worlds and memory out of range', async () => {
    await expect(create({ frames: 0 })).rejects.toThrowCode({
      code: 'core/option-out-of-range',
      field: 'frames',
      values: [1, 0],
    });
    await expect(create({ substeps: 2.5 })).rejects.toThrowCode({
      code: 'core/option-out-of-range',
      field: 'substeps',
      values: [1, 2.5],
    });
    await expect(create({ substeps: 1e9 })).rejects.toThrowCode({
      code: 'core/option-out-of-range',
      field: 'substeps',
      values: [1000000000],
    });
    await expect(create({ frames: 1e6, substeps: 1e4 })).rejects.toThrowCode({
      code: 'core/option-out-of-range',
      values: [10000000000],
    });
    await expect(create({ frameRate: Number.NaN })).rejects.toThrowCode({
      code: 'core/option-out-of-range',
      field: 'frameRate',
      values: ['NaN'],
    });
    await expect(create({ worlds: -1 })).rejects.toThrowCode({ code: 'core/option-out-of-range', field: 'worlds' });
    await expect(create({ memory: Number.NaN })).rejects.toThrowCode({
      code: 'core/option-out-of-range',
      field: 'memory',
      values: ['NaN'],
    });
  });
  it('too little memory for a gradient', async () => {
    await expect(create({ parameters: ['motes.mass'], outputs: ['motes.position'], memory: 200 })).rejects.toThrowCode({
      code: 'core/memory-budget',
      values: [15, 'substeps'],
    });
  });
});
