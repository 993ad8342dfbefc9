import type { Kernel, Pass, SimulationOptions } from '@gradsim/core';
import {
  adjointOf,
  bind,
  bitsOfF32,
  bitsToF32,
  block,
  createSimulation,
  f32,
  f64Device,
  jacobianProduct,
  kernel,
  Model,
  perWorld,
  repeat,
  sin,
  tangentOf,
  tanh,
} from '@gradsim/core';
import { checkGradients, checkKernel } from '@gradsim/core/testing';
import { describe, type ExpectedError, expect, it } from 'vitest';
import { compiledOf } from '../../src/tape/simulation.ts';

// Bugs that random programs found, each reduced to its minimum.

const device = f64Device();
const run = { frames: 3, frameRate: 2, substeps: 2 } as const;

type Passes = readonly (readonly ['setup' | 'force' | 'integrate' | 'pose' | 'render', Kernel | Pass])[];

/** Builds a model of two elements with states x and v and an input p, and the given passes. */
function modelOf(passes: Passes, add: (model: Model) => void = () => {}): Model {
  const model = new Model();
  model.addDomain('c', 2);
  model.addField('c', 'x', f32, { values: [0.4, -0.7] });
  model.addField('c', 'p', f32, { values: [1.3, 0.2] });
  add(model);
  for (const [phase, pass] of passes) model.addPass(phase, pass);
  return model;
}

const simulationOf = (passes: Passes, options: Partial<SimulationOptions>, add?: (model: Model) => void) =>
  createSimulation(modelOf(passes, add), { device, ...run, ...options });

const step = kernel('step', { domain: 'c', reads: { x: f32, p: f32 }, writes: { x: f32 } }, ({ x, p }) => ({
  x: sin(x.add(p)),
}));

describe('states', () => {
  it('keep the value that setup wrote, though no pass reads them', async () => {
    const half = kernel('half', { domain: 'c', writes: { x: f32 } }, () => ({ x: f32(0.5) }));
    const passes: Passes = [
      ['setup', half],
      ['force', half],
    ];
    const simulation = await simulationOf(passes, { frames: 1 });
    simulation.forward();
    expect([...(await simulation.read('c.x'))]).toEqual([0.5, 0.5]);
  });

  it('read after a backward pass are those of the forward run, and a second gradient is equal', async () => {
    const options = { frames: 9, substeps: 5, parameters: ['c.x', 'c.p'], outputs: ['c.x'] };
    const ample = await simulationOf([['integrate', step]], options);
    // Memory for three states of 32 bytes, in half of it.
    const tight = await simulationOf([['integrate', step]], { ...options, memory: 200 });
    const found: Float64Array[][] = [];
    for (const simulation of [ample, tight]) {
      simulation.forward();
      for (let time = 0; time < 3; time++) {
        simulation.backward({ 'c.x': [1, -2] });
        found.push([await simulation.gradient('c.x'), await simulation.gradient('c.p'), await simulation.read('c.x')]);
      }
    }
    for (const values of found) expect(values).toEqual(found[0]);
    expect(compiledOf(tight).history.checkpoints).toBeGreaterThan(0);
  });
});

const pOfFrame = kernel('pOfFrame', { domain: 'c', reads: { p: f32 }, writes: { copied: f32 } }, ({ p }) => ({
  copied: p,
}));

it('tangents of states and records are zero if none was set', async () => {
  const shown = kernel('shown', { domain: 'c', reads: { x: f32 }, writes: { shown: f32 } }, ({ x }) => ({
    shown: x.mul(0).add(1),
  }));
  const simulation = await simulationOf(
    [
      ['integrate', step],
      ['pose', shown],
      ['pose', pOfFrame],
    ],
    { parameters: ['c.p'], record: ['c.shown', 'c.copied'], derivative: 'tangent' },
  );
  simulation.forward();
  expect([...(await simulation.readTangentFrames('c.shown'))]).toEqual([0, 0, 0, 0, 0, 0]);
  expect([...(await simulation.readTangent('c.x'))]).toEqual([0, 0]);
  const { words } = await simulation.readRecord('c.shown', { tangent: true });
  expect(words.every((word) => word === 0)).toBe(true);
});

describe('gradients', () => {
  it('are zero for a parameter that the seeded output does not depend on', async () => {
    const shown = kernel('shown', { domain: 'c', writes: { shown: f32 } }, () => ({ shown: f32(1) }));
    const simulation = await simulationOf(
      [
        ['integrate', step],
        ['pose', shown],
        ['pose', pOfFrame],
      ],
      { parameters: ['c.p'], record: ['c.shown', 'c.copied'] },
    );
    simulation.forward();
    simulation.backward({ 'c.shown': [1, 2, 3, 4, 5, 6] });
    expect([...(await simulation.gradient('c.p'))]).toEqual([0, 0]);
  });

  it('are the same in a second backward pass, through two passes of setup', async () => {
    const square = kernel('square', { domain: 'c', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
      x: x.mul(x),
    }));
    const sum = kernel('sum', { domain: 'c', reads: { x: f32 }, adds: { sum: perWorld(f32) } }, (c) => c.sum.add(c.x));
    const simulation = await simulationOf(
      [
        ['setup', square],
        ['setup', step],
        ['pose', sum],
      ],
      { frames: 1, parameters: ['c.x'], record: ['world.sum'] },
    );
    simulation.forward();
    simulation.backward({ 'world.sum': [1] });
    const once = await simulation.gradient('c.x');
    simulation.backward({ 'world.sum': [1] });
    expect(await simulation.gradient('c.x')).toEqual(once);
    // d sin(x^2 + p) / dx
    expect(once[0]).toBeCloseTo(2 * 0.4 * Math.cos(0.16 + 1.3), 12);
  });

  it('are correct where a kernel reads one field under two names', async () => {
    const product = kernel(
      'product',
      { domain: 'c', reads: { a: f32, b: f32 }, writes: { shown: f32 } },
      ({ a, b }) => ({ shown: sin(a).mul(b) }),
    );
    const model = modelOf([['integrate', step]]);
    model.addPass('pose', bind(product, { a: 'x', b: 'x' }));
    await checkGradients(model, { ...run, parameters: ['c.x', 'c.p'], outputs: ['c.shown', 'c.x'], seed: 1 });
  });

  it('are correct for a hand-written adjoint that adds twice and reads a field that an earlier pass has to write', async () => {
    const keep = kernel('keep', { domain: 'c', reads: { x: f32 }, writes: { kept: f32 } }, ({ x }) => ({
      kept: tanh(x),
    }));
    const back = kernel(
      'back',
      {
        domain: 'c',
        reads: { kept: f32, shown_bar: adjointOf('shown', f32) },
        adds: { x_bar: adjointOf('x', f32) },
      },
      ({ kept, shown_bar, x_bar }) => {
        x_bar.add(shown_bar);
        x_bar.add(shown_bar.mul(kept).mul(kept).neg());
      },
    );
    const show = kernel(
      'show',
      { domain: 'c', reads: { x: f32 }, writes: { shown: f32 }, adjoint: () => [back] },
      ({ x }) => ({ shown: tanh(x) }),
    );
    const passes: Passes = [
      ['integrate', step],
      ['pose', keep],
      ['pose', show],
    ];
    for (const memory of [1e9, 200])
      await checkGradients(modelOf(passes), {
        ...run,
        parameters: ['c.p'],
        outputs: ['c.shown'],
        memory,
        seed: 2,
      });
    // Without the pass that keeps it, nothing has written the field that the adjoint reads.
    const kept = (model: Model): void => {
      model.addPass('render', keep);
    };
    await expect(
      simulationOf(
        [
          ['integrate', step],
          ['pose', show],
        ],
        { parameters: ['c.p'], record: ['c.shown'] },
        kept,
      ),
    ).rejects.toThrowCode({ code: 'core/read-before-write', values: ['c.kept', 'show', 'pose'] });
  });

  it('of x rem y by x and by y agree with differences', async () => {
    const rest = kernel('rest', { domain: 'c', reads: { x: f32, y: f32 }, writes: { r: f32 } }, ({ x, y }) => ({
      r: x.rem(y),
    }));
    await checkKernel(rest, { ranges: { x: [-9, 9], y: [0.5, 2] }, seed: 3 });
  });
});

it('a value on a device of double precision is rounded to f32 by bitsOfF32 and bitsToF32, in phase pose', async () => {
  const bits = kernel('bits', { domain: 'c', reads: { x: f32 }, writes: { shown: f32 } }, ({ x }) => {
    const same = bitsToF32(bitsOfF32(x));
    return { shown: same.add(same.mul(same)) };
  });
  const simulation = await simulationOf([['pose', bits]], { frames: 1, record: ['c.shown'] });
  simulation.forward();
  const x = Math.fround(0.4);
  expect((await simulation.readFrames('c.shown'))[0]).toBe(x + x * x);
});

/** Kernel of y = x^3; `cubeBack` and `cubeAlong` are its hand-written derivatives. */
const cube = kernel('cube', { domain: 'c', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
  y: x.mul(x).mul(x),
}));
const cubeBack = kernel(
  'cubeBack',
  { domain: 'c', reads: { x: f32, y_bar: adjointOf('y', f32) }, adds: { x_bar: adjointOf('x', f32) } },
  ({ x, y_bar, x_bar }) => x_bar.add(y_bar.mul(x).mul(x).mul(3)),
);
const cubeAlong = kernel(
  'cubeAlong',
  { domain: 'c', reads: { x: f32, x_dot: tangentOf('x', f32) }, writes: { y_dot: tangentOf('y', f32) } },
  ({ x, x_dot }) => ({ y_dot: x_dot.mul(x).mul(x).mul(3) }),
);

it('blocks use the jvp that they are given: a wrong one fails the gradient check', async () => {
  const move = kernel('move', { domain: 'c', reads: { x: f32, y: f32 }, writes: { x: f32 } }, ({ x, y }) => ({
    x: x.sub(y.mul(0.1)),
  }));
  const cubed = (along: Kernel): Model =>
    modelOf([
      ['force', block([cube], { vjp: [cubeBack], jvp: [along] })],
      ['integrate', move],
    ]);
  const options = { ...run, parameters: ['c.x'], outputs: ['c.x'], seed: 4 };
  await checkGradients(cubed(cubeAlong), options);
  const double = kernel(
    'double',
    { domain: 'c', reads: { x: f32, x_dot: tangentOf('x', f32) }, writes: { y_dot: tangentOf('y', f32) } },
    ({ x, x_dot }) => ({ y_dot: x_dot.mul(x).mul(x).mul(6) }),
  );
  await expect(checkGradients(cubed(double), options)).rejects.toThrowCode('kernel/comparison-failed');
});

describe('loops over passes', () => {
  const up = kernel('up', { domain: 'c', reads: { x: f32 }, writes: { made: f32 } }, ({ x }, { round }) => ({
    made: x.add(round.toF32()),
  }));

  it('output a recorded field, and one that setup writes, though no pass reads it', async () => {
    const simulation = await simulationOf(
      [
        ['setup', repeat(3, [bind(up, { made: 'once' })])],
        ['pose', repeat(3, [up])],
      ],
      { frames: 2, record: ['c.made'] },
    );
    simulation.forward();
    const [a, b] = [0.4 + 2, -0.7 + 2];
    expect([...(await simulation.readFrames('c.made'))]).toEqual([a, b, a, b]);
    expect([...(await simulation.read('c.once'))]).toEqual([a, b]);
  });

  it('output a field that a product with a Jacobian reads', async () => {
    const double = kernel('double', { domain: 'c', reads: { x: f32 }, writes: { twice: f32 } }, ({ x }) => ({
      twice: x.mul(2),
    }));
    const add = kernel('add', { domain: 'c', reads: { twice: f32 }, adds: { sum: perWorld(f32) } }, ({ twice, sum }) =>
      sum.add(twice.mul(twice)),
    );
    const along = { 'c.twice': 'c.p' };
    const simulation = await simulationOf(
      [
        ['pose', repeat(2, [double, add])],
        ['render', jacobianProduct('world.sum', { along, into: 'world.product' })],
      ],
      { frames: 1, record: ['world.product'] },
    );
    simulation.forward();
    // 2 (2 x) p, summed.
    expect((await simulation.readFrames('world.product'))[0]).toBeCloseTo(4 * (0.4 * 1.3 - 0.7 * 0.2), 13);
  });

  it('leave the round number of later passes at 0, with correct derivatives', async () => {
    const half = kernel('half', { domain: 'c', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
      x: x.mul(x),
    }));
    const grow = kernel('grow', { domain: 'c', reads: { x: f32 }, writes: { x: f32 } }, ({ x }, { round }) => ({
      x: x.mul(round.toF32().add(1)),
    }));
    const passes: Passes = [
      ['force', repeat(2, [half, repeat(2, [half])])],
      ['force', grow],
    ];
    const simulation = await simulationOf(passes, { frames: 2, substeps: 1 });
    simulation.forward();
    expect((await simulation.read('c.x'))[0]).toBeCloseTo(0.4 ** 64, 15);
    await checkGradients(modelOf(passes), {
      ...run,
      frames: 2,
      substeps: 1,
      parameters: ['c.x'],
      outputs: ['c.x'],
      seed: 5,
    });
  });
});

describe('a simulation refuses', () => {
  const shownOf = (name: string): Kernel =>
    kernel('show', { domain: 'c', reads: { [name]: f32 }, writes: { shown: f32 } }, (c) => ({
      shown: c[name],
    }));

  it('a result of substeps, read where no substep has run', async () => {
    const make = kernel('make', { domain: 'c', reads: { x: f32 }, writes: { made: f32 } }, ({ x }) => ({
      made: x,
    }));
    const passes: Passes = [
      ['force', make],
      ['pose', shownOf('made')],
    ];
    await expect(simulationOf(passes, {})).rejects.toThrowCode({
      code: 'core/no-start-value',
      field: 'c.made',
      values: [0],
    });
    const given = await simulationOf(passes, { record: ['c.shown'] }, (model) => {
      model.addField('c', 'made', f32, { fill: 7 });
    });
    given.forward();
    expect((await given.readFrames('c.shown'))[0]).toBe(7);
  });

  it('an input over substeps read in frames, and one over frames read in setup', async () => {
    const wind = (variesBy: 'frame' | 'substep') => (model: Model) => {
      model.addField('c', 'wind', f32, { variesBy, fill: 1 });
    };
    await expect(simulationOf([['pose', shownOf('wind')]], {}, wind('substep'))).rejects.toThrowCode({
      code: 'core/no-value-there',
      values: ['c.wind'],
    });
    await expect(simulationOf([['setup', shownOf('wind')]], {}, wind('frame'))).rejects.toThrowCode({
      code: 'core/no-value-there',
      values: ['c.wind', 'setup', 'frame'],
    });
  });

  it('a field written under two names', async () => {
    const both = kernel('both', { domain: 'c', reads: { p: f32 }, writes: { a: f32, b: f32 } }, ({ p }) => ({
      a: p,
      b: p.neg(),
    }));
    const model = modelOf([]);
    model.addPass('force', bind(both, { a: 'x', b: 'x' }));
    await expect(createSimulation(model, { device, ...run })).rejects.toThrowCode({
      code: 'core/written-twice',
      field: 'c.x',
      values: ['both', 'force'],
    });
  });

  it('a read, in an inner repeat, of a sum that a later pass of the outer one adds to', async () => {
    const add = (name: string): Kernel =>
      kernel(name, { domain: 'c', reads: { x: f32 }, adds: { sum: perWorld(f32) } }, ({ x, sum }) => sum.add(x));
    const take = kernel(
      'take',
      { domain: 'c', reads: { x: f32, sum: perWorld(f32) }, writes: { x: f32 } },
      ({ x, sum }) => ({ x: x.add(sum) }),
    );
    const rounds = repeat(2, [add('one'), repeat(2, [take], 'inner'), add('two')]);
    await expect(simulationOf([['force', rounds]], {})).rejects.toThrowCode({
      code: 'core/read-before-sum',
      field: 'world.sum',
      values: ['inner', 'force'],
    });
  });

  it('passes on adjoints outside of blocks, and unfit passes in vjp or jvp of a block, even without parameters', async () => {
    const refused = (pass: Pass | Kernel, expected: ExpectedError) =>
      expect(simulationOf([['force', pass]], {})).rejects.toThrowCode(expected);
    await refused(cubeBack, { code: 'core/derivative-not-available', values: ['c.y', 'cubeBack', 'force', 'adjoint'] });
    await refused(block([cube], { vjp: [cubeAlong] }), {
      code: 'core/derivative-not-available',
      values: ['`vjp`', 'c.x', 'cubeAlong'],
    });
    await refused(block([cube], { vjp: [cubeBack], jvp: [cubeBack] }), {
      code: 'core/derivative-not-available',
      values: ['`jvp`', 'c.y', 'cubeBack'],
    });
    await refused(block([cube], { vjp: [repeat(2, [cubeBack], 'sweeps')] }), {
      code: 'core/derivative-not-available',
      values: ['c.x', 'cubeBack', 'sweeps'],
    });
  });
});
