import {
  bind,
  buildModel,
  column,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  f32,
  f64Device,
  field,
  kernel,
  Model,
  reference,
  vec3,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';

const Mote = defineComponent('motes', {
  position: column(vec3, { unit: 'm' }),
  velocity: column(vec3, { default: 0, unit: 'm/s' }),
});
const Thread = defineComponent('threads', {
  ends: reference(Mote, 2),
  stiffness: column(f32, { unit: 'N/m' }),
});
const force = field('motes', 'force', vec3, { unit: 'N' });
const wind = field('world', 'wind', vec3, { unit: 'N' });
/** Field with the same name as the motes' position, over another domain. */
const middle = field('threads', 'position', vec3, { unit: 'm' });

const pull = kernel(
  'pull',
  {
    domain: Thread,
    reads: { ends: Thread.ends, stiffness: Thread.stiffness, position: Mote.position },
    adds: { force },
  },
  ({ ends: [i, j], stiffness, position, force }) => {
    const f = position.at(j).sub(position.at(i)).mul(stiffness);
    force.add(i, f);
    force.add(j, f.neg());
  },
);
const move = kernel(
  'move',
  {
    domain: Mote,
    reads: { x: Mote.position, v: Mote.velocity, f: force, wind },
    writes: { x: Mote.position, v: Mote.velocity },
  },
  ({ x, v, f, wind }, { dt }) => {
    const next = v.add(f.add(wind).mul(dt));
    return { x: x.add(next.mul(dt)), v: next };
  },
);
const halfway = kernel(
  'halfway',
  { domain: Thread, reads: { ends: Thread.ends, position: Mote.position }, writes: { middle } },
  ({ ends: [i, j], position }) => ({ middle: position.at(i).add(position.at(j)).mul(0.5) }),
);

const motes = definePlugin({
  name: 'motes',
  contract: 1,
  components: [Mote, Thread],
  build: ({ model }) => {
    model.addAccumulator(force);
    model.addField(wind, { values: [0, 1, 0] });
    model.addPass('force', pull);
    model.addPass('integrate', move);
    model.addPass('pose', halfway);
  },
});
const build = (): Model => {
  const scene = createScene([motes]);
  const [a, b] = [0, 1].map((x) => scene.add(Mote, { position: [x, 0, 0] }));
  scene.add(Thread, { ends: [a, b], stiffness: 3 });
  return buildModel(scene);
};
const RUN = { frames: 3, frameRate: 10, substeps: 4 };

describe('references to fields', () => {
  it('stand for the fields in kernels, passes, parameters, records and results', async () => {
    const simulation = await createSimulation(build(), {
      ...RUN,
      device: f64Device(),
      parameters: [Thread.stiffness, wind],
      record: [middle],
    });
    simulation.set(Thread.stiffness, [5]);
    simulation.forward();
    expect(await simulation.readFrames(middle)).toEqual(await simulation.readFrames('threads.position'));
    // A pull along the thread does not move its middle; the wind does, by dt^2 (1 + ... + 8).
    expect([...(await simulation.readFrames(middle))].slice(-3)).toEqual([
      expect.closeTo(0.5, 12),
      expect.closeTo(36 / 40 ** 2, 12),
      0,
    ]);
    simulation.backward({ [middle.key]: [0, 0, 0, 0, 0, 0, 0, 1, 0] });
    expect([...(await simulation.gradient(wind))]).toEqual([0, expect.closeTo(36 / 40 ** 2, 12), 0]);
    simulation.dispose();
  });

  it('have correct gradients if a kernel uses other names for them', async () => {
    await checkGradients(build(), {
      ...RUN,
      parameters: [Thread.stiffness, Mote.position, Mote.velocity, wind],
      outputs: [Mote.position, Mote.velocity, middle],
    });
  });

  it('know their type and unit', () => {
    expect(Thread.stiffness).toMatchObject({ key: 'threads.stiffness', domain: 'threads', unit: 'N/m' });
    expect(Thread.ends.type).toMatchObject({ domain: 'motes', count: 2 });
    expect(new Model().addField('world', 'gravity', vec3, { unit: 'm/s^2' }).type).toBe(vec3);
    expect(build().field(middle).unit).toBe('m');
  });
});

it('a parameter without an output to differentiate is refused', async () => {
  const options = { ...RUN, device: f64Device(), parameters: [Thread.stiffness] };
  await expect(createSimulation(build(), options)).rejects.toThrowCode({
    code: 'core/nothing-to-differentiate',
    values: ['threads.stiffness'],
  });
});

describe('references are refused', () => {
  it('of another model, or of another component of the same name', async () => {
    const [one, two] = [new Model(), new Model()];
    const [ours, theirs] = [one, two].map((model) => model.addField('world', 'heat', f32, { fill: 1 }));
    expect(one.field(ours).key).toBe('world.heat');
    expect(() => one.field(theirs)).toThrowCode({ code: 'core/foreign-reference', field: 'world.heat' });
    const copy = defineComponent('motes', { position: column(vec3) });
    const look = kernel(
      'look',
      { domain: copy, reads: { x: copy.position }, writes: { y: field('motes', 'y', vec3) } },
      ({ x }) => ({ y: x }),
    );
    const options = { ...RUN, device: f64Device() };
    const looking = build();
    looking.addPass('pose', look);
    await expect(createSimulation(looking, options)).rejects.toThrowCode('core/foreign-reference');
    // Whichever comes first, the pass or the field.
    const late = new Model();
    late.addDomain('motes', 2);
    late.addPass('pose', look);
    late.addField(field('motes', 'position', vec3), { fill: 0 });
    await expect(createSimulation(late, options)).rejects.toThrowCode('core/foreign-reference');
    await expect(createSimulation(build(), { ...options, record: [copy.position] })).rejects.toThrowCode({
      code: 'core/foreign-reference',
      field: 'motes.position',
    });
  });

  it('to a field that the model does not have, with the nearest name', () => {
    expect(() => build().field(field('motes', 'mass', f32))).toThrowCode({
      code: 'core/unknown-field',
      field: 'motes.mass',
      values: ['motes.position', 'Fields'],
    });
    expect(() => build().field('motes.positon')).toThrowCode({
      code: 'core/unknown-field',
      values: ['motes.position'],
    });
  });

  it('to another domain or type than the kernel or pass takes; a column named "domain" is refused too', () => {
    expect(() =>
      kernel('elsewhere', { domain: Thread, reads: { stiffness: Thread.stiffness }, writes: { force } }, () => ({
        force: vec3(0, 0, 0),
      })),
    ).toThrowCode({ code: 'kernel/wrong-domain', field: 'motes.force', values: ['threads'] });
    expect(() => bind(pull, { position: middle })).toThrowCode({
      code: 'core/wrong-type',
      field: 'threads.position',
      values: ['motes'],
    });
    expect(() => bind(pull, { stiffness: middle })).toThrowCode({
      code: 'core/wrong-type',
      field: 'threads.position',
      values: ['"stiffness"', 1, 'f32'],
    });
    expect(() => defineComponent('odd', { domain: column(f32) })).toThrowCode({
      code: 'core/reserved-name',
      values: ['"odd"', '"domain"'],
    });
  });
});
