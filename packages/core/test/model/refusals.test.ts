import type { Kernel, SimulationOptions } from '@gradsim/core';
import {
  adjointOf,
  bind,
  cos,
  cpuDevice,
  createSimulation,
  f32,
  f64Device,
  fieldOn,
  index,
  kernel,
  Model,
  perWorld,
  sin,
  u32,
  vec2,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';

// Mistakes that were once accepted silently, and gave wrong numbers.

const device = f64Device();
const run = { frames: 3, frameRate: 2, substeps: 2 } as const;

const move = kernel('move', { domain: 'a', reads: { x: f32, y: f32 }, writes: { x: f32 } }, ({ x, y }, { dt }) => ({
  x: x.add(y.mul(dt)),
}));
const link = kernel(
  'link',
  { domain: 'links', reads: { ends: index('a', 2), x: fieldOn('a', f32) }, adds: { y: fieldOn('a', f32) } },
  ({ ends: [i, j], x, y }) => y.add(i, x.at(j).sub(x.at(i))),
);
const make = kernel('make', { domain: 'a', reads: { k: f32 }, writes: { x: f32 } }, ({ k }) => ({
  x: k.mul(k),
}));

function modelOf(add: (model: Model) => void): Model {
  const model = new Model();
  model.addDomain('a', 3);
  model.addDomain('links', 2);
  model.addField('a', 'x', f32, { values: [1, 2, 4] });
  model.addField('a', 'k', f32, { fill: 0.5 });
  model.addField('a', 'n', u32, { fill: 1 });
  model.addIndex('links', 'ends', 'a', 2, [0, 1, 1, 2]);
  add(model);
  return model;
}
const linked = (model: Model): void => {
  model.addPass('force', link);
  model.addPass('integrate', move);
};
const simulationOf = (add: (model: Model) => void, options: Partial<SimulationOptions> = {}) =>
  createSimulation(modelOf(add), { device, ...run, ...options });

describe('set', () => {
  it('refuses indices, and fields that the run computes', async () => {
    const simulation = await simulationOf((model) => {
      model.addPass(
        'setup',
        kernel('twice', { domain: 'a', reads: { k: f32 }, writes: { twice: f32 } }, ({ k }) => ({
          twice: k.mul(2),
        })),
      );
      linked(model);
    });
    expect(() => simulation.set('links.ends', [1, 2, 0, 1])).toThrowCode({
      code: 'core/not-settable',
      field: 'links.ends',
    });
    expect(() => simulation.set('a.twice', [1, 1, 1])).toThrowCode({ code: 'core/not-settable', field: 'a.twice' });
  });

  it('refuses a negative value in a u32 field, and addField a fraction', async () => {
    const simulation = await simulationOf(linked);
    expect(() => simulation.set('a.n', [0, -1, 2])).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'a.n',
      element: 'element 1 of a',
      values: [-1],
    });
    expect(() => modelOf((model) => void model.addField('a', 'm', u32, { values: [1, 2.5, 3] }))).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'a.m',
      element: 'element 1 of a',
      values: [2.5],
    });
  });

  it('names the element of an invalid value of an input over time', async () => {
    const simulation = await simulationOf((model) => {
      model.addField('a', 'wind', f32, { variesBy: 'frame', fill: 0 });
      linked(model);
    });
    expect(() => simulation.set('a.wind', [0, 0, 0, 0, Number.NaN, 0, 0, 0, 0])).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'a.wind',
      element: 'element 1 of a',
      values: ['NaN'],
    });
    simulation.set('a.wind', [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    simulation.forward();
    expect([...(await simulation.read('a.wind'))]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('a parameter', () => {
  it('must not be overwritten by a setup pass that does not read it', async () => {
    await expect(
      simulationOf(
        (model) => {
          model.addPass('setup', make);
          linked(model);
        },
        { parameters: ['a.x'], outputs: ['a.x'] },
      ),
    ).rejects.toThrowCode({ code: 'core/not-an-input', field: 'a.x' });
  });

  it('must reach an output in checkGradients, which also refuses an empty list of parameters', async () => {
    const options = { ...run, parameters: ['a.k'], outputs: ['a.x'] };
    await expect(checkGradients(modelOf(linked), options)).rejects.toThrowCode({
      code: 'core/idle-parameter',
      field: 'a.k',
    });
    const shown = kernel('shown', { domain: 'a', reads: { k: f32 }, writes: { shown: f32 } }, ({ k }) => ({
      shown: k,
    }));
    const withShown = (model: Model): void => {
      linked(model);
      model.addPass('pose', shown);
    };
    await expect(checkGradients(modelOf(withShown), options)).rejects.toThrowCode({
      code: 'core/dead-parameter',
      values: ['a.k', 'a.shown', 'a.x'],
    });
    await expect(checkGradients(modelOf(linked), { ...options, parameters: [] })).rejects.toThrowCode({
      code: 'core/nothing-to-check',
      values: ['checkGradients'],
    });
  });
});

describe('a run', () => {
  const gradient = { parameters: ['a.x'], outputs: ['a.x'] };

  it('refuses calls while it is in progress', async () => {
    const simulation = await simulationOf(linked, gradient);
    const running = simulation.run();
    expect(() => simulation.set('a.x', [0, 0, 0])).toThrowCode({
      code: 'core/under-way',
      values: ['set of a.x', 'run'],
    });
    expect(() => simulation.forward()).toThrowCode({ code: 'core/under-way', values: ['forward()', 'run'] });
    await expect(simulation.read('a.x')).rejects.toThrowCode({
      code: 'core/under-way',
      values: ['Reading a.x', 'run'],
    });
    await running;
    const back = simulation.runBack({ 'a.x': [1, 0, 0] });
    await expect(simulation.runBack({ 'a.x': [1, 0, 0] })).rejects.toThrowCode({
      code: 'core/under-way',
      values: ['runBack'],
    });
    await back;
    const once = await simulation.gradient('a.x');
    simulation.backward({ 'a.x': [1, 0, 0] });
    expect(await simulation.gradient('a.x')).toEqual(once);
  });

  it('can be repeated after one that was aborted', async () => {
    const simulation = await simulationOf(linked, gradient);
    await expect(simulation.run({ signal: AbortSignal.abort() })).rejects.toThrow();
    simulation.forward();
    expect(await simulation.read('a.x')).toHaveLength(3);
  });

  it('leaves no gradient if its backward pass was aborted, though an earlier one did', async () => {
    const simulation = await simulationOf(linked, gradient);
    simulation.forward();
    simulation.backward({ 'a.x': [1, 0, 0] });
    await simulation.gradient('a.x');
    await expect(simulation.runBack({ 'a.x': [1, 0, 0] }, { signal: AbortSignal.abort() })).rejects.toThrow();
    await expect(simulation.gradient('a.x')).rejects.toThrowCode({
      code: 'core/no-backward-yet',
      values: ['gradient()'],
    });
  });

  it('does not change the results of reads that were requested before it', async () => {
    const simulation = await simulationOf(linked, gradient);
    simulation.forward();
    const expected = await simulation.read('a.x');
    const asked = simulation.read('a.x');
    simulation.set('a.x', [7, 8, 9]);
    simulation.forward();
    expect(await asked).toEqual(expected);
    expect(await simulation.read('a.x')).not.toEqual(expected);
  });

  it('is refused once the simulation is disposed of', async () => {
    const simulation = await simulationOf(linked, gradient);
    simulation.forward();
    simulation.dispose();
    simulation.dispose();
    await expect(simulation.read('a.x')).rejects.toThrowCode({ code: 'core/disposed', values: ['Reading a.x'] });
    expect(() => simulation.forward()).toThrowCode({ code: 'core/disposed', values: ['forward()'] });
  });

  it('gives no gradient from adjoints or values that are not finite', async () => {
    const simulation = await simulationOf(linked, gradient);
    simulation.forward();
    simulation.backward({ 'a.x': [0, Number.NaN, 0] });
    await expect(simulation.gradient('a.x')).rejects.toThrowCode({
      code: 'core/seed-not-finite',
      field: 'a.x',
      values: [1, 'NaN'],
    });
    expect(() => simulation.backward(undefined as never)).toThrowCode('core/seeds-not-by-name');
    const single = await simulationOf(linked, { ...gradient, device: cpuDevice() });
    single.forward();
    single.backward({ 'a.x': [0, 1e39, 0] });
    await expect(single.gradient('a.x')).rejects.toThrowCode({
      code: 'core/seed-not-finite',
      field: 'a.x',
      values: ['1e+39'],
    });
    single.set('a.x', [3e38, -3e38, 3e38]);
    single.forward();
    await expect(single.read('a.x')).rejects.toThrowCode({
      code: 'core/not-finite',
      values: ['the first value that is not finite is'],
    });
    expect(() => single.backward({ 'a.x': [1, 0, 0] })).toThrowCode({
      code: 'core/not-finite',
      values: ['there is no gradient of it'],
    });
  });

  it('gives tangents only if it was created for them', async () => {
    const simulation = await simulationOf(linked, gradient);
    expect(() => simulation.setTangent('a.x', [1, 0, 0])).toThrowCode({
      code: 'core/no-tangents',
      values: ["`derivative: 'tangent'`", 'setTangent'],
    });
    const tangent = await simulationOf(linked, { ...gradient, derivative: 'tangent' });
    tangent.forward();
    await expect(tangent.readTangent('a.k')).rejects.toThrowCode({ code: 'core/not-a-state', field: 'a.k' });
    expect(() => tangent.backward({ 'a.x': [1, 0, 0] })).toThrowCode('core/no-gradient');
  });
});

describe('a hand-written adjoint', () => {
  type Spec = Record<string, typeof f32 | ReturnType<typeof adjointOf>>;
  /** Kernel of y = k sin(x), with an adjoint whose ports are the ones to test. */
  const swayOf = (reads: Spec, adds: Spec): Kernel =>
    kernel(
      'sway',
      {
        domain: 'a',
        reads: { x: f32, k: f32 },
        writes: { y: f32 },
        adjoint: () => [
          kernel('back', { domain: 'a', reads: { x: f32, k: f32, ...reads }, adds }, (c) => {
            for (const name of Object.keys(adds)) {
              const bar = cos(c.x).mul(c.k);
              (c as unknown as Record<string, { add(value: typeof bar): void }>)[name].add(bar);
            }
          }),
        ],
      },
      ({ x, k }) => ({ y: sin(x).mul(k) }),
    );
  const refusal = (reads: Spec, adds: Spec) =>
    expect(
      simulationOf(
        (model) => {
          model.addPass('force', swayOf(reads, adds));
          model.addPass('integrate', move);
        },
        { parameters: ['a.x', 'a.k'], outputs: ['a.x'] },
      ),
    ).rejects;
  const bar = { y_bar: adjointOf('y', f32) };

  it('may add only to adjoints of fields that its kernel reads, over their own domain', async () => {
    await refusal(bar, { z_bar: adjointOf('z', f32) }).toThrowCode({
      code: 'kernel/wrong-adjoint',
      values: ['a.z', 'a.x', 'a.k', 'back', 'kernel', 'sway'],
    });
    await refusal(bar, { x_bar: adjointOf('x', perWorld(f32)) }).toThrowCode({
      code: 'kernel/wrong-adjoint',
      values: ['world.x'],
    });
    await refusal(bar, { spare: f32 }).toThrowCode({ code: 'kernel/wrong-adjoint', values: ['a.spare'] });
  });

  it('may read only adjoints of the outputs of its kernel, with their types, and fields that exist', async () => {
    const adds = { x_bar: adjointOf('x', f32) };
    await refusal({ k_bar: adjointOf('k', f32) }, adds).toThrowCode({
      code: 'kernel/wrong-adjoint',
      values: ['a.k', 'a.y', 'kernel'],
    });
    await refusal({ y_bar: adjointOf('y', vec2) }, adds).toThrowCode({
      code: 'kernel/wrong-adjoint',
      values: [1, 'a.y', 'f32'],
    });
    await refusal({ ...bar, kept: f32 }, adds).toThrowCode({ code: 'core/read-before-write', values: ['a.kept'] });
  });

  it('must not write adjoints of outputs', () => {
    expect(() =>
      kernel(
        'back',
        { domain: 'a', reads: { x: f32 }, writes: { x_bar: adjointOf('x', f32) as never } },
        () => ({}) as never,
      ),
    ).toThrowCode({ code: 'kernel/adjoint-written', field: 'x_bar' });
  });
});

describe('a pass', () => {
  it('needs a valid phase, names that its kernel has, and a kernel that is new to the phase', () => {
    const model = modelOf(linked);
    expect(() => model.addPass('integrate', move)).toThrowCode({
      code: 'core/pass-added-twice',
      values: ['move', 'integrate'],
    });
    expect(() => model.addPass('later' as 'force', move)).toThrowCode({
      code: 'core/unknown-phase',
      values: ['"later"', 'move'],
    });
    expect(() => model.addPass('force', bind(move, { z: 'x' }))).toThrowCode({
      code: 'core/unknown-name',
      values: ['"z"', 'move', 'x, y'],
    });
    expect(() =>
      kernel('two\nlines', { domain: 'a', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({ x })),
    ).toThrowCode('kernel/wrong-name');
  });
});
