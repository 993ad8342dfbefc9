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
import { describe, expect, it } from 'vitest';

const Pebble = defineComponent('pebbles', {
  mass: column(f32, { unit: 'kg', range: 'positive' }),
  drag: column(f32, { default: 0, range: 'nonNegative' }),
  along: column(vec2, {
    default: [1, 0],
    range: { must: 'point somewhere', holds: (v) => v.some((x) => x !== 0) },
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

/** A value that `pebbles` must refuse, and the message. */
const UNFIT: [string, object, string, number[]][] = [
  ['mass', { mass: 0 }, 'pebbles.mass', [0]],
  ['mass', { mass: -1 }, 'pebbles.mass of .* is -1. It must be above 0.', [-1]],
  ['mass', { mass: 1e39 }, 'is 1e+39. It must be within 3.4e38, where single precision ends.', [1e39]],
  ['mass', { mass: 1e-50 }, 'is 1e-50. It must be above 0, in single precision too.', [1e-50]],
  ['drag', { mass: 1, drag: -0.1 }, 'is -0.1. It must not be negative.', [-0.1]],
  ['along', { mass: 1, along: [0, 0] }, 'is (0, 0). It must point somewhere.', [0, 0]],
  ['along', { mass: 1, along: [0, 1e-50] }, 'is (0, 1e-50). It must point somewhere.', [0, 1e-50]],
  ['layer', { mass: 1, layer: 1.5 }, 'is 1.5. It must be a whole number from 0 to 4294967295.', [1.5]],
];

describe('a value that a component refuses', () => {
  it.each(UNFIT)('is refused of an entity: %s in %o', (name, values, message) => {
    const scene = createScene([pebbles]);
    const add = () => scene.add(Pebble, values, 'the small one');
    expect(add).toThrow(`the small one: pebbles.${name}`);
    expect(add).toThrow(message.replace(/^.* of \.\* /, '').replace(/^pebbles.*$/, 'is 0'));
  });

  it.each([f64Device(), cpuDevice()])('is refused when it is set, on $kind, with the same message', async (device) => {
    const simulation = await createSimulation(model(), { ...RUN, device });
    for (const [name, , , value] of UNFIT) {
      const first = name === 'along' ? [1, 0] : [1];
      expect(() => simulation.set(`pebbles.${name}`, [...first, ...value])).toThrow(
        `pebbles.${name} of the large one is ${value.length > 1 ? `(${value.join(', ')})` : value[0]}. It must`,
      );
    }
    simulation.dispose();
  });

  it('is not checked for a tangent, which is a direction', async () => {
    const scene = createScene([pebbles]);
    scene.add(Pebble, { mass: 1 });
    const simulation = await createSimulation(buildModel(scene), {
      ...RUN,
      device: f64Device(),
      derivative: 'tangent',
    });
    expect(() => simulation.setTangent('pebbles.mass', [-1])).toThrow('no parameter of this simulation');
  });

  it('is refused among many, and in an invalid column declaration', () => {
    const scene = createScene([pebbles]);
    expect(() => scene.addMany(Pebble, 3, { mass: [1, 2, 1e39] })).toThrow(
      'element 2 of pebbles of the 3 new ones: pebbles.mass is 1e+39',
    );
    expect(() => scene.addMany(Pebble, 1, { mass: null as never })).toThrow('need 1 x 1 values, got null');
    expect(() => scene.add(Pebble, { mass: null as never })).toThrow('takes 1 number, got null');
    expect(() => scene.add(Pebble, undefined as never, 'nothing')).toThrow('nothing: values are given by name');
    expect(() => column(f32, { range: 'positiv' as never })).toThrow('is "positiv". It must be \'any\' or');
    expect(() => column(f32, { rnge: 'positive' } as never)).toThrow('Did you mean "range"?');
    expect(() => scene.add(Pebble, { mas: 1 } as never)).toThrow('pebbles has no "mas". Did you mean "mass"?');
  });

  it('is refused for fields without a component, by the range that the plugin gives', () => {
    const own = new Model();
    expect(() => own.addField('world', 'wind', vec2, { fill: [1] })).toThrow(
      'world.wind is filled with 2 numbers an element, got 1.',
    );
    expect(() => own.addField('world', 'heat', f32, { fill: -1, range: 'nonNegative' })).toThrow(
      'world.heat of element 0 of world is -1. It must not be negative.',
    );
  });
});

describe('an unknown world', () => {
  it.each([0.5, 2.9, Number.NaN, -1, 3])('is refused where values are set: %d', async (world) => {
    const simulation = await createSimulation(model(), { ...RUN, device: f64Device(), worlds: 3 });
    expect(() => simulation.set('pebbles.mass', [1, 1], world)).toThrow(
      `pebbles.mass: there is no world ${world}; the simulation has 3, from 0 to 2.`,
    );
  });
});

describe('options', () => {
  const open = (options: object) =>
    createSimulation(model(), { ...RUN, device: f64Device(), ...options } as SimulationOptions);
  it.each<[object, string]>([
    [{ substep: 3 }, 'createSimulation has no option "substep". Did you mean "substeps"?'],
    [{ derivative: 'forward' }, "derivative is \"forward\". It must be 'none' or 'adjoint' or 'tangent'."],
    [{ frameRate: 1e-39 }, 'which must be within 3.4e38'],
    [{ frameRate: 1e300 }, 'which must be above 0, in single precision too'],
  ])('are refused if unknown: %o', async (options, message) => {
    await expect(open(options)).rejects.toThrow(message);
  });
  it('of plugins and of fields are refused if unknown: a misspelt build would never run', () => {
    expect(() => definePlugin({ name: 'rain', contract: 1, biuld: () => {} } as never)).toThrow(
      'The plugin rain has no option "biuld". Did you mean "build"?',
    );
    expect(() => new Model().addField('world', 'heat', f32, { fil: 1 } as never)).toThrow(
      'The field world.heat has no option "fil". Did you mean "fill"?',
    );
  });
  it('are refused with the nearest name, or all names where none is near', () => {
    const known = { width: 1, height: 1 };
    expect(() => refuseUnknownOptions('it', { widht: 1 } as never, known as never)).toThrow(
      'it has no option "widht". Did you mean "width"?',
    );
    expect(() => refuseUnknownOptions('it', { toString: 1 } as never, known as never)).toThrow(
      'it has no option "toString". Known: width, height.',
    );
    expect(() => refuseUnknownOptions('it', 3 as never, known as never)).toThrow('not 3');
    expect(() => refuseUnknownChoice<string>('it', 'c', ['a', 'b'])).toThrow("it is \"c\". It must be 'a' or 'b'.");
  });
});

it('state files with any changed byte are refused', async () => {
  const simulation = await createSimulation(model(), { ...RUN, device: f64Device() });
  simulation.forward();
  const bytes = encodeState(await simulation.state());
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.slice();
    changed[at] ^= 1 << (at % 8);
    expect(() => decodeState(changed)).toThrow(/state/);
  }
  expect(decodeState(bytes).substep).toBe(2);
});

describe('calls with arguments of a wrong kind', () => {
  const open = (options: Partial<SimulationOptions> = {}) =>
    createSimulation(model(), { ...RUN, device: f64Device(), ...options });
  it('are refused by name, and the simulation still works', async () => {
    const simulation = await open();
    for (const values of [null, undefined, '3', {}])
      expect(() => simulation.set('pebbles.mass', values as never)).toThrow(
        `pebbles.mass takes a number or an array of numbers, got ${values}`,
      );
    expect(() => simulation.set(3 as never, [1])).toThrow('not as 3');
    expect(() => simulation.set('pebbles.mass', -3)).toThrow('pebbles.mass of the small one is -3');
    simulation.forward();
    await expect(simulation.run({ onProgres: () => {} } as never)).rejects.toThrow('run() has no option "onProgres"');
    const into = new Float64Array(10);
    expect(() => simulation.readSync('pebbles.mass', { into, strid: 1 } as never)).toThrow(
      'Reading pebbles.mass has no option "strid". Did you mean "stride"?',
    );
    expect(() => simulation.readSync('pebbles.mass', {} as never)).toThrow('`into` must be an array');
    expect([...simulation.readSync('pebbles.mass')]).toEqual([1, 2]);
    simulation.set('pebbles.mass', 3);
    expect([...simulation.readSync('pebbles.mass')]).toEqual([3, 3]);
    simulation.dispose();
    await expect(simulation.stableStep()).rejects.toThrow('stableStep(): this simulation was disposed of.');
  });
});
