import {
  buildModel,
  column,
  cpuDevice,
  createScene,
  createSimulation,
  decodeState,
  defineComponent,
  definePlugin,
  encodeState,
  f32,
  f64Device,
  Model,
  refuseUnknownChoice,
  refuseUnknownOptions,
  type SimulationOptions,
  u32,
  vec2,
} from '@gradsim/core';
import { describe, type ExpectedError, expect, it } from 'vitest';

const Pebble = defineComponent('pebbles', {
  mass: column(f32, { unit: 'kg', range: 'positive' }),
  drag: column(f32, { default: 0, range: 'nonNegative' }),
  along: column(vec2, {
    default: [1, 0],
    range: { requirement: 'point somewhere', isMet: (v) => v.some((x) => x !== 0) },
  }),
  layer: column(u32, { default: 0 }),
});
const pebbles = definePlugin({ name: 'pebbles', contract: 1, components: [Pebble] });

const RUN = { frames: 2, frameRate: 30, substeps: 2 };
function model() {
  const scene = createScene([pebbles]);
  scene.add(Pebble, { mass: 1 }, 'the small one');
  scene.add(Pebble, { mass: 2 }, 'the large one');
  return buildModel(scene);
}

/**
 * Values that the component `pebbles` must refuse: column, values of an entity, value in the message, and the same
 * value as an array.
 */
const UNFIT: [string, object, string | number, number[]][] = [
  ['mass', { mass: 0 }, 0, [0]],
  ['mass', { mass: -1 }, -1, [-1]],
  ['mass', { mass: 1e39 }, '1e+39', [1e39]],
  ['mass', { mass: 1e-50 }, 1e-50, [1e-50]],
  ['drag', { mass: 1, drag: -0.1 }, -0.1, [-0.1]],
  ['along', { mass: 1, along: [0, 0] }, '(0, 0)', [0, 0]],
  ['along', { mass: 1, along: [0, 1e-50] }, '(0, 1e-50)', [0, 1e-50]],
  ['layer', { mass: 1, layer: 1.5 }, 1.5, [1.5]],
];

describe('a value that a component refuses', () => {
  it.each(UNFIT)('is refused when an entity is added: %s in %o', (name, values, stated) => {
    const scene = createScene([pebbles]);
    const add = () => scene.add(Pebble, values, 'the small one');
    const field = `pebbles.${name}`;
    expect(add).toThrowCode({ code: 'core/value-out-of-range', field, element: 'the small one', values: [stated] });
  });

  it.each([f64Device(), cpuDevice()])('is refused when set, naming it and its entity, on $kind', async (device) => {
    const simulation = await createSimulation(model(), { ...RUN, device });
    for (const [name, , , value] of UNFIT) {
      const first = name === 'along' ? [1, 0] : [1];
      expect(() => simulation.set(`pebbles.${name}`, [...first, ...value])).toThrowCode({
        code: 'core/value-out-of-range',
        field: `pebbles.${name}`,
        element: 'the large one',
        values: [value.length > 1 ? `(${value.join(', ')})` : value[0]],
      });
    }
    simulation.dispose();
  });

  it('set as the tangent of a field that is no parameter is refused for that, not for its range', async () => {
    const scene = createScene([pebbles]);
    scene.add(Pebble, { mass: 1 });
    const simulation = await createSimulation(buildModel(scene), {
      ...RUN,
      device: f64Device(),
      derivative: 'tangent',
    });
    expect(() => simulation.setTangent('pebbles.mass', [-1])).toThrowCode('core/unknown-parameter');
  });

  it('is refused in addMany, as are null, unknown names and invalid column options', () => {
    const scene = createScene([pebbles]);
    expect(() => scene.addMany(Pebble, 3, { mass: [1, 2, 1e39] })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'pebbles.mass',
      element: 'element 2 of pebbles of the 3 new ones',
      values: ['1e+39'],
    });
    expect(() => scene.addMany(Pebble, 1, { mass: null as never })).toThrowCode({
      code: 'core/wrong-size',
      values: ['need 1 x 1 values, got null'],
    });
    expect(() => scene.add(Pebble, { mass: null as never })).toThrowCode({
      code: 'core/wrong-size',
      values: ['takes 1 number, got null'],
    });
    expect(() => scene.add(Pebble, undefined as never, 'nothing')).toThrowCode({
      code: 'core/values-not-by-name',
      element: 'nothing',
    });
    expect(() => column(f32, { range: 'positiv' as never })).toThrowCode({
      code: 'base/unknown-choice',
      values: ['"positiv"'],
    });
    expect(() => column(f32, { rnge: 'positive' } as never)).toThrowCode({
      code: 'base/unknown-option',
      values: ['"range"'],
    });
    expect(() => scene.add(Pebble, { mas: 1 } as never)).toThrowCode({
      code: 'core/unknown-name',
      values: ['"mas"', '"mass"', 'pebbles'],
    });
  });

  it('is refused for fields without a component, by their size and the range given to addField', () => {
    const own = new Model();
    expect(() => own.addField('world', 'wind', vec2, { fill: [1] })).toThrowCode({
      code: 'core/wrong-size',
      field: 'world.wind',
      values: [2, 1],
    });
    expect(() => own.addField('world', 'heat', f32, { fill: -1, range: 'nonNegative' })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'world.heat',
      element: 'element 0 of world',
      values: [-1],
    });
  });
});

describe('an unknown world', () => {
  it.each([0.5, 2.9, Number.NaN, -1, 3])('is refused where values are set: %d', async (world) => {
    const simulation = await createSimulation(model(), { ...RUN, device: f64Device(), worlds: 3 });
    expect(() => simulation.set('pebbles.mass', [1, 1], world)).toThrowCode({
      code: 'core/no-such-world',
      field: 'pebbles.mass',
      values: [world, 3],
    });
  });
});

describe('options', () => {
  const open = (options: object) =>
    createSimulation(model(), { ...RUN, device: f64Device(), ...options } as SimulationOptions);
  it.each<[object, ExpectedError]>([
    [{ substep: 3 }, { code: 'base/unknown-option', values: ['"substep"', '"substeps"', 'createSimulation'] }],
    [{ derivative: 'forward' }, { code: 'base/unknown-choice', values: ['"forward"'] }],
    [{ frameRate: 1e-39 }, { code: 'core/option-out-of-range', values: ['3.4e38'] }],
    [{ frameRate: 1e300 }, 'core/option-out-of-range'],
  ])('are refused if unknown or out of range: %o', async (options, message) => {
    await expect(open(options)).rejects.toThrowCode(message);
  });
  it('of plugins and of fields are refused if misspelt, with the right name', () => {
    expect(() => definePlugin({ name: 'rain', contract: 1, biuld: () => {} } as never)).toThrowCode({
      code: 'base/unknown-option',
      values: ['"biuld"', '"build"', 'rain'],
    });
    expect(() => new Model().addField('world', 'heat', f32, { fil: 1 } as never)).toThrowCode({
      code: 'base/unknown-option',
      values: ['"fil"', '"fill"', 'The field world.heat'],
    });
  });
  it('are refused by name if unknown, with the nearest known one if any, and refused if not an object', () => {
    const known = { width: 1, height: 1 };
    expect(() => refuseUnknownOptions('it', { widht: 1 } as never, known as never)).toThrowCode({
      code: 'base/unknown-option',
      values: ['"widht"', '"width"'],
    });
    expect(() => refuseUnknownOptions('it', { toString: 1 } as never, known as never)).toThrowCode({
      code: 'base/unknown-option',
      values: ['"toString"'],
    });
    expect(() => refuseUnknownOptions('it', 3 as never, known as never)).toThrowCode({
      code: 'base/options-not-by-name',
      values: [3],
    });
    expect(() => refuseUnknownChoice<string>('it', 'c', ['a', 'b'])).toThrowCode({
      code: 'base/unknown-choice',
      values: ['"c"'],
    });
  });
});

it('state files with a flipped bit in any one byte are refused', async () => {
  const simulation = await createSimulation(model(), { ...RUN, device: f64Device() });
  simulation.forward();
  const bytes = encodeState(await simulation.state());
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.slice();
    changed[at] ^= 1 << (at % 8);
    expect(() => decodeState(changed)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^core\/state-/) }),
    );
  }
  expect(decodeState(bytes).substep).toBe(2);
});

describe('calls with arguments of a wrong kind', () => {
  const open = (options: Partial<SimulationOptions> = {}) =>
    createSimulation(model(), { ...RUN, device: f64Device(), ...options });
  it('are refused by name, and the simulation still works', async () => {
    const simulation = await open();
    for (const [values, said] of [
      [null, 'null'],
      [undefined, 'undefined'],
      ['3', '"3"'],
      [{}, '{}'],
    ])
      expect(() => simulation.set('pebbles.mass', values as never)).toThrowCode({
        code: 'core/wrong-size',
        values: ['pebbles.mass', `got ${said}`],
      });
    expect(() => simulation.set(3 as never, [1])).toThrowCode({ code: 'core/not-a-field', values: [3] });
    expect(() => simulation.set('pebbles.mass', -3)).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'pebbles.mass',
      element: 'the small one',
      values: [-3],
    });
    simulation.forward();
    await expect(simulation.run({ onProgres: () => {} } as never)).rejects.toThrowCode({
      code: 'base/unknown-option',
      values: ['"onProgres"', 'run()'],
    });
    const into = new Float64Array(10);
    expect(() => simulation.readSync('pebbles.mass', { into, strid: 1 } as never)).toThrowCode({
      code: 'base/unknown-option',
      values: ['"strid"', '"stride"', 'Reading pebbles.mass'],
    });
    expect(() => simulation.readSync('pebbles.mass', {} as never)).toThrowCode({
      code: 'core/not-an-array',
      values: ['`into`'],
    });
    expect([...simulation.readSync('pebbles.mass')]).toEqual([1, 2]);
    simulation.set('pebbles.mass', 3);
    expect([...simulation.readSync('pebbles.mass')]).toEqual([3, 3]);
    simulation.dispose();
    await expect(simulation.stableStep()).rejects.toThrowCode({ code: 'core/disposed', values: ['stableStep()'] });
  });
});
