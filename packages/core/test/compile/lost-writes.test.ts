import type { Kernel, Model as ModelOf, Phase, SimulationOptions } from '@gradsim/core';
import {
  adjointOf,
  bind,
  buildModel,
  column,
  computed,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  detach,
  f32,
  f64Device,
  field,
  kernel,
  Model,
  sum,
  vec3,
} from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { central, Mote } from '../toy.ts';

// Fields that are written and never read, and values that derivatives skip.

const run = { frames: 3, frameRate: 2, substeps: 2 } as const;
const device = f64Device();
const opened = (model: ModelOf, more: Partial<SimulationOptions> = {}) =>
  createSimulation(model, { device, ...run, ...more });

describe('a field that only a write creates and that nothing reads', () => {
  const move = kernel(
    'move',
    { domain: 'a', reads: { x: f32, force: f32 }, writes: { x: f32 } },
    ({ x, force }, { dt }) => ({ x: x.add(force.mul(dt)) }),
  );
  const pull = kernel('pull', { domain: 'a', reads: { x: f32 }, adds: { forces: f32 } }, ({ x, forces }) =>
    forces.add(x.neg()),
  );
  const modelOf = (...passes: (readonly [Phase, Kernel | ReturnType<typeof bind>])[]): Model => {
    const model = new Model();
    model.addDomain('a', 3);
    model.addField('a', 'x', f32, { fill: 1 });
    model.addAccumulator('a', 'force', f32);
    for (const [phase, pass] of passes) model.addPass(phase, pass);
    model.addPass('integrate', move);
    return model;
  };

  it('is refused by name, with how to declare it (addComputed), but not if bound to a field that is read', async () => {
    await expect(opened(modelOf(['force', pull]))).rejects.toThrowCode({
      code: 'core/unread-values',
      values: ['`made`', 'a.forces', 'model.addComputed'],
    });
    const simulation = await opened(modelOf(['force', bind(pull, { forces: 'force' })]));
    simulation.forward();
    expect((await simulation.read('a.x'))[0]).toBeCloseTo(0.75 ** 4, 12);
  });

  it('is looked up in hand-written adjoints only if no kernel reads it', async () => {
    let made = 0;
    const adjointOfSpring = () => {
      made++;
      return [
        kernel(
          'springAdjoint',
          {
            domain: 'a',
            reads: { x: f32, slope: f32, forceBar: adjointOf('force', f32) },
            adds: { xBar: adjointOf('x', f32) },
          },
          ({ slope, forceBar, xBar }) => xBar.add(slope.mul(forceBar)),
        ),
      ];
    };
    const spring = kernel(
      'spring',
      { domain: 'a', reads: { x: f32 }, adds: { force: f32 }, adjoint: adjointOfSpring },
      ({ x, force }) => force.add(x.neg()),
    );
    const stiffen = kernel('stiffen', { domain: 'a', reads: { x: f32 }, writes: { slope: f32 } }, ({ x }) => ({
      slope: x.mul(0).sub(1),
    }));
    await opened(modelOf(['force', spring]));
    expect(made).toBe(0);
    await opened(modelOf(['force', stiffen], ['force', spring]));
    expect(made).toBeGreaterThan(0);
  });

  it('is refused in a substep even if no name is similar; a similar one (heats2 for heat2) is suggested', async () => {
    const lost = { code: 'core/unread-values', values: ['a.heat'] };
    await expect(opened(modelOf(['force', bind(pull, { forces: 'heat' })]))).rejects.toThrowCode(lost);
    const numbered = modelOf(['force', bind(pull, { forces: 'heat2' })]);
    numbered.addAccumulator('a', 'heat1', f32);
    await expect(opened(numbered)).rejects.toThrowCode({ code: 'core/unread-values', values: ['a.heat2'] });
    numbered.addAccumulator('a', 'heats2', f32);
    await expect(opened(numbered)).rejects.toThrowCode({ code: 'core/unread-values', values: ['a.heats2'] });
  });

  it('is refused even if another output of its kernel is read', async () => {
    const both = kernel(
      'both',
      { domain: 'a', reads: { x: f32 }, writes: { speed: f32 }, adds: { force: f32 } },
      ({ x, force }) => {
        force.add(x.neg());
        return { speed: x };
      },
    );
    await expect(opened(modelOf(['force', both]))).rejects.toThrowCode({
      code: 'core/unread-values',
      values: ['a.speed'],
    });
    await opened(
      modelOf(
        ['force', both],
        [
          'force',
          kernel('use', { domain: 'a', reads: { speed: f32 }, adds: { force: f32 } }, ({ speed, force }) =>
            force.add(speed),
          ),
        ],
      ),
    );
  });

  it('in phase observe is refused only if its name resembles that of a field in use and it is not recorded', async () => {
    const shown = kernel('shown', { domain: 'a', reads: { x: f32 }, writes: { shown: f32 } }, ({ x }) => ({
      shown: x.mul(2),
    }));
    await opened(modelOf(['observe', shown]));
    await opened(modelOf(['observe', shown]), { record: ['a.shown'] });
    const near = modelOf(['observe', bind(shown, { shown: 'forces' })]);
    await expect(opened(near)).rejects.toThrowCode({ code: 'core/unread-values', values: ['a.forces'] });
    await opened(near, { record: ['a.forces'] });
  });

  it('is allowed where it is declared: with addComputed, or as `computed` or `sum` of a component', async () => {
    const model = modelOf(['force', pull]);
    model.addComputed(field('a', 'forces', f32));
    await opened(model);
    const Bead = defineComponent(
      'beads',
      { position: column(vec3) },
      { force: sum(vec3), warmth: computed(f32), load: sum(f32) },
    );
    const heat = kernel(
      'heat',
      { domain: Bead, reads: { position: Bead.position }, writes: { warmth: Bead.warmth } },
      ({ position }) => ({ warmth: position.x }),
    );
    const press = kernel(
      'press',
      { domain: Bead, reads: { position: Bead.position }, adds: { load: Bead.load } },
      ({ position, load }) => load.add(position.y),
    );
    const beads = definePlugin({
      name: 'beads',
      contract: 1,
      components: [Bead],
      build: ({ model: of }) => {
        of.addPass('force', heat);
        of.addPass('force', press);
      },
    });
    const scene = createScene([beads]);
    scene.add(Bead, { position: [1, 2, 3] });
    await opened(buildModel(scene));
  });

  it('of a plugin is refused beside the similarly named field that another plugin writes and reads', async () => {
    const push = kernel('push', { domain: 'motes', reads: { mass: f32 }, adds: { forces: vec3 } }, ({ mass, forces }) =>
      forces.add(vec3(mass, 0, 0)),
    );
    const pushing = definePlugin({
      name: 'pushing',
      contract: 1,
      requires: [central.name],
      build: ({ model }) => model.addPass('force', push),
    });
    const scene = createScene([central, pushing]);
    scene.add(Mote, { position: [1, 0, 0] });
    await expect(opened(buildModel(scene))).rejects.toThrowCode({
      code: 'core/unread-values',
      values: ['motes.force'],
    });
  });
});

describe('a float computed in phase search', () => {
  const pull = kernel(
    'pull',
    { domain: 'a', reads: { x: f32, reach: f32, k: f32 }, writes: { x: f32 } },
    ({ x, reach, k }, { dt }) => ({ x: x.sub(x.mul(reach).mul(k).mul(dt)) }),
  );
  const look = kernel('look', { domain: 'a', reads: { x: f32 }, writes: { reach: f32 } }, ({ x }) => ({
    reach: x.mul(2),
  }));
  const lookAside = kernel('lookAside', { domain: 'a', reads: { x: f32 }, writes: { reach: f32 } }, ({ x }) => ({
    reach: detach(x.mul(2)),
  }));
  const modelOf = (search: Kernel, force = pull): Model => {
    const model = new Model();
    model.addDomain('a', 3);
    model.addField('a', 'x', f32, { values: [1, 2, 3] });
    model.addField('a', 'k', f32, { fill: 0.1 });
    model.addPass('search', search);
    model.addPass('integrate', force);
    return model;
  };
  const gradient = { parameters: ['a.k'], outputs: ['a.x'] };

  it('is refused, naming both kernels, if passes on a derivative path read it', async () => {
    await expect(opened(modelOf(look), gradient)).rejects.toThrowCode({
      code: 'core/found-by-search',
      values: ['a.reach', 'a.x', 'a.k', 'Kernel look (phase search)', 'Kernel pull (phase integrate)'],
    });
    await opened(modelOf(look), { outputs: ['a.x'], record: ['a.x'] });
  });

  it('is allowed if the writer or the reader detaches it, or if no parameter or state enters it', async () => {
    await opened(modelOf(lookAside), gradient);
    const careful = kernel(
      'careful',
      { domain: 'a', reads: { x: f32, reach: f32, k: f32 }, writes: { x: f32 } },
      ({ x, reach, k }, { dt }) => ({ x: x.sub(x.mul(detach(reach)).mul(k).mul(dt)) }),
    );
    await opened(modelOf(look, careful), gradient);
    const still = kernel('still', { domain: 'a', reads: { q: f32 }, writes: { reach: f32 } }, ({ q }) => ({
      reach: q.mul(2),
    }));
    const model = modelOf(still);
    model.addField('a', 'q', f32, { fill: 1 });
    await opened(model, gradient);
  });
});
