// Programmable pass graphs: order from data dependence, loops over passes, blocks with derivatives of their own,
// products with Jacobians. Closed forms stand beside each test.
import type { Pass, Phase, SimulationOptions } from '@gradsim/core';
import {
  abs,
  adjointOf,
  bind,
  block,
  buildModel,
  cpuDevice,
  createScene,
  createSimulation,
  definePlugin,
  f32,
  f64Device,
  fieldOn,
  forRange,
  index,
  iterate,
  jacobianProduct,
  kernel,
  Model,
  perWorld,
  repeat,
  select,
  sin,
  tangentOf,
  transposedProduct,
  u32,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { compiledOf } from '../../src/tape/simulation.ts';

const RUN = { frames: 3, frameRate: 10, substeps: 2 };
const DEVICE = { device: f64Device(), ...RUN };

/** Builds a row of nodes, each with indices of its previous and its next one. */
function row(count: number): Model {
  const model = new Model();
  model.addDomain('nodes', count);
  const clamped = (k: number): number => Math.min(Math.max(k, 0), count - 1);
  model.addIndex(
    'nodes',
    'beside',
    'nodes',
    2,
    Array.from({ length: count }, (_, k) => [clamped(k - 1), clamped(k + 1)]).flat(),
  );
  model.addField('nodes', 'x', f32, { values: Array.from({ length: count }, (_, k) => Math.sin(3 * k)) });
  return model;
}

/** Kernel that sets x to the mean of its own and both neighbours' values, at all nodes at once. */
const smooth = kernel(
  'smooth',
  {
    domain: 'nodes',
    reads: { beside: index('nodes', 2), x: fieldOn('nodes', f32), weight: perWorld(f32) },
    writes: { x: f32 },
  },
  ({ beside: [a, b], x, weight }, { element }) => {
    const own = x.at(element);
    const mean = x.at(a).add(x.at(b)).div(2);
    return { x: own.add(mean.sub(own).mul(weight)) };
  },
);

function smoothed(values: readonly number[], weight: number, rounds: number): number[] {
  let x = [...values];
  for (let k = 0; k < rounds; k++)
    x = x.map((own, e) => {
      const mean = (x[Math.max(e - 1, 0)] + x[Math.min(e + 1, x.length - 1)]) / 2;
      return own + (mean - own) * weight;
    });
  return x;
}

describe('order of passes within a phase', () => {
  const add = kernel('add', { domain: 'nodes', reads: { x: f32 }, adds: { sum: perWorld(f32) } }, ({ x, sum }) =>
    sum.add(x),
  );
  const double = kernel('double', { domain: 'world', reads: { sum: f32 }, writes: { twice: f32 } }, ({ sum }) => ({
    twice: sum.mul(2),
  }));
  const move = kernel(
    'move',
    { domain: 'nodes', reads: { x: f32, twice: perWorld(f32) }, writes: { x: f32 } },
    ({ x, twice }) => ({ x: x.add(twice) }),
  );
  it('follows from writes and reads, whatever the order of registration', async () => {
    const results = await Promise.all(
      [
        [add, double, move],
        [move, double, add],
        [double, move, add],
      ].map(async (kernels) => {
        const model = row(3);
        for (const k of kernels) model.addPass('force', k);
        const simulation = await createSimulation(model, DEVICE);
        simulation.forward();
        return [...(await simulation.read('nodes.x'))];
      }),
    );
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });
  it('follows `before` where the data leave it open; `before` an unknown pass is refused', async () => {
    const triple = kernel('triple', { domain: 'nodes', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
      x: x.mul(3),
    }));
    const next = kernel('next', { domain: 'nodes', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
      x: x.add(1),
    }));
    const end = async (order: { before?: string[]; after?: string[] }): Promise<number> => {
      const model = new Model();
      model.addDomain('nodes', 1);
      model.addField('nodes', 'x', f32, { fill: 1 });
      model.addPass('integrate', triple);
      model.addPass('integrate', next, order);
      const simulation = await createSimulation(model, { ...DEVICE, frames: 2, substeps: 1 });
      simulation.forward();
      return (await simulation.read('nodes.x'))[0];
    };
    expect(await end({})).toBe(4);
    expect(await end({ before: ['triple'] })).toBe(6);
    await expect(end({ before: ['tripel'] })).rejects.toThrowCode({
      code: 'core/unknown-pass',
      values: ['triple, next'],
    });
  });
  it('is refused if `before` contradicts the data, naming field, phase and pass', async () => {
    const model = row(3);
    model.addPass('force', add);
    model.addPass('force', double, { before: ['add'] });
    await expect(createSimulation(model, DEVICE)).rejects.toThrowCode({
      code: 'core/order-contradiction',
      values: ['world.sum', 'force', 'double'],
    });
  });
  it('is refused if two plugins write one field and neither states an order', () => {
    const writer = (name: string, order = {}) => {
      const set = kernel(`set_${name}`, { domain: 'nodes', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
        x: x.mul(0.5),
      }));
      return definePlugin({
        name,
        contract: 1,
        build: ({ model }) => model.addPass('integrate', set, order),
      });
    };
    const nodes = definePlugin({
      name: 'nodes',
      contract: 1,
      build: ({ model }) => {
        model.addDomain('nodes', 1);
        model.addField('nodes', 'x', f32, { fill: 1 });
      },
    });
    const run = (order = {}) =>
      createSimulation(buildModel(createScene([nodes, writer('one'), writer('two', order)])), DEVICE);
    return Promise.all([
      expect(run()).rejects.toThrowCode({ code: 'core/two-writers', field: 'nodes.x', values: ['set_one', 'set_two'] }),
      expect(run({ after: ['one'] })).resolves.toBeDefined(),
    ]);
  });
});

describe('repeat (a group of passes run n times)', () => {
  const model = (times: number, pass: Pass | typeof smooth = smooth): Model => {
    const of = row(7);
    of.addField('world', 'weight', f32, { fill: 0.4 });
    of.addPass('integrate', repeat(times, [pass]));
    return of;
  };
  it('runs its passes n times, in alternating buffers', async () => {
    for (const times of [1, 2, 5]) {
      const of = model(times);
      const simulation = await createSimulation(of, DEVICE);
      simulation.forward();
      const expected = smoothed([...(of.field('nodes.x').values as number[])], 0.4, 4 * times);
      const got = await simulation.read('nodes.x');
      got.forEach((value, k) => {
        expect(value).toBeCloseTo(expected[k], 12);
      });
    }
  });
  it('has derivatives that agree with differences', () =>
    checkGradients(model(5), { ...RUN, parameters: ['nodes.x', 'world.weight'], outputs: ['nodes.x'] }));
  it('may be nested, with the right values and derivatives', async () => {
    const nested = model(3, repeat(2, [smooth]));
    await checkGradients(nested, { ...RUN, parameters: ['nodes.x', 'world.weight'], outputs: ['nodes.x'] });
    const simulation = await createSimulation(nested, DEVICE);
    simulation.forward();
    const expected = smoothed([...(nested.field('nodes.x').values as number[])], 0.4, 24);
    (await simulation.read('nodes.x')).forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k], 12);
    });
  });
  it('gives the same gradient, bit for bit, in little memory', async () => {
    const of = model(50);
    const gradient = async (memory: number): Promise<number[]> => {
      const options = { ...DEVICE, parameters: ['nodes.x', 'world.weight'], outputs: ['nodes.x'], memory };
      const simulation = await createSimulation(of, options);
      simulation.forward();
      simulation.backward({ 'nodes.x': [1, 2, 3, 4, 5, 6, 7] });
      return [...(await simulation.gradient('nodes.x')), ...(await simulation.gradient('world.weight'))];
    };
    expect(await gradient(800)).toEqual(await gradient(1e8));
  });
  it('takes no more memory for 2000 rounds than for 2 if the backward pass reads none, with the right gradient', async () => {
    const rounds = 2000;
    const words = async (times: number): Promise<number> => {
      const options = { ...DEVICE, parameters: ['nodes.x'], outputs: ['nodes.x'] };
      const simulation = await createSimulation(model(times), options);
      simulation.forward();
      const seed = [1, 2, 3, 4, 5, 6, 7];
      simulation.backward({ 'nodes.x': seed });
      // A round is linear in x with a symmetric matrix: the backward pass equals the forward one.
      const expected = smoothed(seed, 0.4, 4 * times);
      (await simulation.gradient('nodes.x')).forEach((value, k) => {
        expect(value).toBeCloseTo(expected[k], 10);
      });
      return compiledOf(simulation).layout.arena.f32Words;
    };
    expect(await words(rounds)).toBe(await words(2));
  });
  it('leaves the results of its last round to later passes', async () => {
    const of = new Model();
    of.addDomain('nodes', 2);
    of.addField('nodes', 'x', f32, { values: [1, 2] });
    const square = kernel('square', { domain: 'nodes', reads: { x: f32 }, writes: { y: f32, x: f32 } }, ({ x }) => ({
      y: x.mul(x),
      x: x.mul(0.5),
    }));
    const take = kernel('take', { domain: 'nodes', reads: { x: f32, y: f32 }, writes: { x: f32 } }, ({ x, y }) => ({
      x: x.add(y),
    }));
    of.addPass('integrate', repeat(3, [square]));
    of.addPass('integrate', take);
    await checkGradients(of, { ...RUN, parameters: ['nodes.x'], outputs: ['nodes.x'] });
    const simulation = await createSimulation(of, { ...DEVICE, frames: 2, substeps: 1 });
    simulation.forward();
    // x/8 and the square of x/4.
    expect([...(await simulation.read('nodes.x'))]).toEqual([1 / 8 + 1 / 16, 2 / 8 + 4 / 16]);
  });
});

/**
 * Builds a model that computes y = sqrt(a) by Newton's iteration at every node, until the largest change in the world
 * is small.
 */
function roots(maxRounds: number, phase: Phase = 'integrate'): Model {
  const model = new Model();
  model.addDomain('nodes', 3);
  model.addField('nodes', 'a', f32, { values: [2, 9, 50] });
  if (phase === 'integrate') model.addField('nodes', 'y', f32, { fill: 1 });
  const begin = kernel('begin', { domain: 'nodes', reads: { a: f32 }, writes: { y: f32 } }, ({ a }) => ({
    y: a,
  }));
  const newton = kernel(
    'newton',
    { domain: 'nodes', reads: { a: f32, y: f32 }, writes: { y: f32 }, adds: { change: perWorld(f32) } },
    ({ a, y, change }) => {
      const next = y.add(a.div(y)).div(2);
      change.add(abs(next.sub(y)));
      return { y: next };
    },
  );
  model.addPass(phase, begin);
  model.addPass(phase, iterate([newton], { until: { field: 'change', below: 1e-9 }, maxRounds, name: 'roots' }));
  return model;
}

describe('iterate (a group of passes run until a tolerance)', () => {
  it('ends when a per-world value is below the tolerance, with derivatives that agree with differences', async () => {
    const options = { ...DEVICE, parameters: ['nodes.a'], outputs: ['nodes.y'] };
    const simulation = await createSimulation(roots(40), options);
    simulation.forward();
    const y = [...(await simulation.read('nodes.y'))];
    simulation.backward({ 'nodes.y': [1, 1, 1] });
    const gradient = [...(await simulation.gradient('nodes.a'))];
    [2, 9, 50].forEach((a, k) => {
      expect(y[k]).toBeCloseTo(Math.sqrt(a), 9);
      expect(gradient[k]).toBeCloseTo(0.5 / Math.sqrt(a), 7);
    });
    await checkGradients(roots(40), { ...RUN, parameters: ['nodes.a'], outputs: ['nodes.y'] });
  });
  it('ends for each world independently', async () => {
    const ends = async (...values: number[]): Promise<number[]> => {
      const simulation = await createSimulation(roots(60), { ...DEVICE, worlds: values.length });
      values.forEach((a, world) => {
        simulation.set('nodes.a', [a, a, a], world);
      });
      simulation.forward();
      return [...(await simulation.read('nodes.y'))];
    };
    // 4 needs few rounds, 1e6 many; each world has the bits of its own number of rounds.
    const [few, many] = [await ends(4), await ends(1e6)];
    expect(await ends(4, 1e6)).toEqual([...few, ...many]);
  });
  it('reports a world that did not reach its tolerance', async () => {
    const simulation = await createSimulation(roots(3), DEVICE);
    simulation.forward();
    await expect(simulation.read('nodes.y')).rejects.toThrowCode({
      code: 'core/alarm',
      values: [3, 'world.change', '1e-9', 0],
    });
    await expect(simulation.read('nodes.y')).rejects.not.toThrow(/single precision/);
    // Sums of 50 and more do not settle to 1e-9 in single precision.
    const single = await createSimulation(roots(3), { ...DEVICE, device: cpuDevice() });
    single.forward();
    await expect(single.read('nodes.y')).rejects.toThrowCode({ code: 'core/alarm', values: ['1e-9', 'f64', 0] });
  });
  it.each(['setup', 'observe'] as const)('reports a missed tolerance in phase %s too', async (phase) => {
    const record = phase === 'observe' ? ['nodes.y'] : [];
    const read = async (maxRounds: number): Promise<Float64Array> => {
      const simulation = await createSimulation(roots(maxRounds, phase), { ...DEVICE, record });
      simulation.forward();
      return phase === 'observe' ? simulation.readFrames('nodes.y') : simulation.read('nodes.y');
    };
    expect((await read(40))[1]).toBeCloseTo(3, 12);
    await expect(read(3)).rejects.toThrowCode({ code: 'core/alarm', values: [3, 0] });
  });
  it('runs no iteration with `atLeast` 0 if the value is already small, with the derivative of what ran before', async () => {
    const halved = (first: number): Model => {
      const model = row(3);
      model.addField('nodes', 'y', f32, { fill: 0 });
      const [from, to] = [{ x: f32, y: f32 }, { y: f32 }];
      model.addPass(
        'integrate',
        kernel('start', { domain: 'nodes', reads: { x: f32 }, writes: to }, ({ x }) => ({ y: x.mul(x) })),
      );
      model.addPass(
        'integrate',
        kernel('first', { domain: 'world', writes: { left: f32 } }, () => ({ left: f32(first) })),
      );
      const halve = kernel('halve', { domain: 'nodes', reads: from, writes: to }, ({ x, y }) => ({
        y: y.mul(x),
      }));
      const fall = kernel('fall', { domain: 'world', reads: { left: f32 }, writes: { left: f32 } }, ({ left }) => ({
        left: left.mul(0.5),
      }));
      const options = { until: { field: 'left', below: 1 }, maxRounds: 9, atLeast: 0 } as const;
      model.addPass('integrate', iterate([halve, fall], options));
      return model;
    };
    for (const [first, power] of [
      [0.9, 2],
      [1, 3],
      [3, 4],
    ]) {
      const simulation = await createSimulation(halved(first), {
        ...DEVICE,
        frames: 2,
        substeps: 1,
        parameters: ['nodes.x'],
        outputs: ['nodes.y'],
      });
      simulation.set('nodes.x', [2, 3, 0.5]);
      simulation.forward();
      expect([...(await simulation.read('nodes.y'))]).toEqual([2, 3, 0.5].map((x) => x ** power));
      simulation.backward({ 'nodes.y': [1, 1, 1] });
      expect([...(await simulation.gradient('nodes.x'))]).toEqual([2, 3, 0.5].map((x) => power * x ** (power - 1)));
    }
  });
  it('refuses a condition on a field that none of its passes writes', async () => {
    const model = row(3);
    model.addField('world', 'weight', f32, { fill: 0.4 });
    model.addPass('integrate', iterate([smooth], { until: { field: 'left', below: 1e-3 }, maxRounds: 9 }));
    await expect(createSimulation(model, DEVICE)).rejects.toThrowCode({
      code: 'core/iteration-without-measure',
      field: 'world.left',
      values: [0.001, 'nodes.x', 'iterate'],
    });
  });
});

describe('block (passes with a given derivative)', () => {
  const cube = kernel('cube', { domain: 'nodes', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
    y: x.mul(x).mul(x),
  }));
  const move = kernel('move', { domain: 'nodes', reads: { x: f32, y: f32 }, writes: { x: f32 } }, ({ x, y }) => ({
    x: x.sub(y.mul(0.1)),
  }));
  /** Kernel of the slope 3 x^2: first of two passes of a hand-written derivative, with an intermediate field. */
  const slope = kernel('slope', { domain: 'nodes', reads: { x: f32 }, writes: { slope: f32 } }, ({ x }) => ({
    slope: x.mul(x).mul(3),
  }));
  const back = (factor: number) =>
    kernel(
      'back',
      {
        domain: 'nodes',
        reads: { slope: f32, yBar: adjointOf('y', f32) },
        adds: { xBar: adjointOf('x', f32) },
      },
      ({ slope, yBar, xBar }) => xBar.add(yBar.mul(slope).mul(factor)),
    );
  const model = (vjp: Pass[]): Model => {
    const of = row(4);
    of.addPass('force', block([cube], { vjp, name: 'cubed' }));
    of.addPass('integrate', move);
    return of;
  };
  const gradient = async (of: Model): Promise<number[]> => {
    const simulation = await createSimulation(of, {
      ...DEVICE,
      parameters: ['nodes.x'],
      outputs: ['nodes.x'],
    });
    simulation.forward();
    simulation.backward({ 'nodes.x': [1, 2, 3, 4] });
    return [...(await simulation.gradient('nodes.x'))];
  };
  it('uses the derivative that it is given', async () => {
    const derived = row(4);
    derived.addPass('force', cube);
    derived.addPass('integrate', move);
    const expected = await gradient(derived);
    (await gradient(model([bind(slope), bind(back(1))]))).forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k], 13);
    });
    const other = await gradient(model([bind(slope), bind(back(2))]));
    expect(Math.abs(other[1] - expected[1])).toBeGreaterThan(1e-3);
  });
  it('fails the gradient check if its derivative is wrong', async () => {
    const along = kernel(
      'along',
      {
        domain: 'nodes',
        reads: { slope: f32, xDot: tangentOf('x', f32) },
        writes: { yDot: tangentOf('y', f32) },
      },
      ({ slope, xDot }) => ({ yDot: slope.mul(xDot) }),
    );
    const of = row(4);
    const derivative = { vjp: [slope, back(2)], jvp: [slope, along], name: 'cubed' };
    of.addPass('force', block([cube], derivative));
    of.addPass('integrate', move);
    await expect(checkGradients(of, { ...RUN, parameters: ['nodes.x'], outputs: ['nodes.x'] })).rejects.toThrowCode(
      'kernel/comparison-failed',
    );
  });
  it('refuses derivatives of fields that it neither reads nor writes, and a missing one', async () => {
    const lost = kernel(
      'lost',
      { domain: 'nodes', reads: { zBar: adjointOf('z', f32) }, adds: { xBar: adjointOf('x', f32) } },
      ({ zBar, xBar }) => xBar.add(zBar),
    );
    await expect(gradient(model([bind(lost)]))).rejects.toThrowCode({
      code: 'core/derivative-not-available',
      values: ['nodes.z', 'nodes.y', 'writes'],
    });
    await expect(gradient(model([]))).rejects.toThrowCode({
      code: 'core/no-adjoint-rule',
      field: 'nodes.y',
      values: ['cubed'],
    });
  });
});

describe('products with Jacobians', () => {
  // f = sum over links of k sin(x_j - x_i), to i and with the other sign to j: J is known in closed form.
  const pull = kernel(
    'pull',
    {
      domain: 'links',
      reads: { ends: index('nodes', 2), x: fieldOn('nodes', f32), k: f32 },
      adds: { force: fieldOn('nodes', f32) },
    },
    ({ ends: [i, j], x, k, force }) => {
      const f = sin(x.at(j).sub(x.at(i))).mul(k);
      force.add(i, f);
      force.add(j, f.neg());
    },
  );
  const links = [0, 1, 1, 2, 0, 2];
  const x = [0.3, -0.4, 1.1];
  const p = [1, -2, 0.5];
  const k = [1, 2, 3];
  const model = (pass: Pass, product: string): Model => {
    const of = new Model();
    of.addDomain('nodes', 3);
    of.addDomain('links', 3);
    of.addIndex('links', 'ends', 'nodes', 2, links);
    of.addField('links', 'k', f32, { values: k });
    of.addField('nodes', 'x', f32, { values: x });
    of.addField('nodes', 'p', f32, { values: p });
    of.addField('nodes', 'kept', f32, { fill: 0 });
    of.addPass('force', pull);
    of.addPass('integrate', pass);
    const keep = kernel(
      'keep',
      { domain: 'nodes', reads: { product: f32, force: f32 }, writes: { kept: f32 } },
      ({ product, force }) => ({ kept: product.add(force.mul(0)) }),
    );
    of.addPass('integrate', bind(keep, { product }));
    return of;
  };
  const expected = x.map(() => 0);
  for (let l = 0; l < 3; l++) {
    const [i, j] = [links[2 * l], links[2 * l + 1]];
    const df = k[l] * Math.cos(x[j] - x[i]) * (p[j] - p[i]);
    expected[i] += df;
    expected[j] -= df;
  }
  // J is symmetric here.
  it.each([
    ['J v', jacobianProduct('nodes.force', { along: { 'nodes.x': 'nodes.p' }, into: 'nodes.Jp' }), 'Jp'],
    ['w^T J', transposedProduct('nodes.force', { weights: 'nodes.p', into: { 'nodes.x': 'nodes.JTp' } }), 'JTp'],
  ])('%s equals the closed form, and its derivatives agree with differences', async (_, pass, name) => {
    const simulation = await createSimulation(model(pass, name), { ...DEVICE, frames: 2, substeps: 1 });
    simulation.forward();
    (await simulation.read('nodes.kept')).forEach((value, e) => {
      expect(value).toBeCloseTo(expected[e], 13);
    });
    await checkGradients(model(pass, name), {
      ...RUN,
      frames: 2,
      substeps: 1,
      parameters: ['nodes.x', 'nodes.p', 'links.k'],
      outputs: ['nodes.kept'],
    });
  });
  it('w^T J of a loop that reads another node in each of a data-dependent number of rounds has correct derivatives', async () => {
    const wander = kernel(
      'wander',
      {
        domain: 'nodes',
        reads: { x: fieldOn('nodes', f32), rounds: u32 },
        adds: { force: f32 },
      },
      ({ x, rounds, force }, { element }) =>
        force.add(forRange(0, rounds, f32(0.4), (n, sum) => sum.add(sin(sum.mul(x.at(element.add(n).rem(3))))))),
    );
    const of = row(3);
    of.addField('nodes', 'rounds', u32, { values: [4, 2, 3] });
    of.addField('nodes', 'p', f32, { values: p });
    of.addField('nodes', 'kept', f32, { fill: 0 });
    of.addPass('force', wander);
    of.addPass('force', transposedProduct('nodes.force', { weights: 'nodes.p', into: { 'nodes.x': 'nodes.JTp' } }));
    const keep = kernel('keep', { domain: 'nodes', reads: { JTp: f32 }, writes: { kept: f32 } }, ({ JTp }) => ({
      kept: JTp,
    }));
    of.addPass('integrate', keep);
    await checkGradients(of, {
      ...RUN,
      frames: 2,
      substeps: 1,
      parameters: ['nodes.x', 'nodes.p'],
      outputs: ['nodes.kept'],
    });
  });
  it('w^T J along the result of a product that is added after it equals the closed form', async () => {
    const of = row(3);
    of.addField('nodes', 'p', f32, { values: p });
    // d x^3 / d x, by p: 3 x^2 p. Of the square of that over 2, by p: 3 x^2 p^2.
    const cube = kernel('cube', { domain: 'nodes', reads: { x: f32 }, adds: { force: f32 } }, ({ x, force }) =>
      force.add(x.mul(x).mul(x)),
    );
    const square = kernel(
      'square',
      { domain: 'nodes', reads: { slope: f32 }, adds: { half: f32 } },
      ({ slope, half }) => half.add(slope.mul(slope).mul(0.5)),
    );
    const keep = kernel('keep', { domain: 'nodes', reads: { twice: f32 }, writes: { kept: f32 } }, ({ twice }) => ({
      kept: twice,
    }));
    of.addField('nodes', 'kept', f32, { fill: 0 });
    of.addPass(
      'force',
      transposedProduct('nodes.half', { weights: 'nodes.p', into: { 'nodes.slope': 'nodes.twice' } }),
    );
    of.addPass('force', transposedProduct('nodes.force', { weights: 'nodes.p', into: { 'nodes.x': 'nodes.slope' } }));
    for (const one of [cube, square]) of.addPass('force', one);
    of.addPass('integrate', keep);
    const simulation = await createSimulation(of, { ...DEVICE, frames: 2, substeps: 1 });
    simulation.forward();
    (await simulation.read('nodes.kept')).forEach((value, e) => {
      expect(value).toBeCloseTo(3 * Math.sin(3 * e) ** 2 * p[e] ** 2, 13);
    });
  });
});

describe('stages of an integrator', () => {
  // x' = v, v' = -x from (1, 0): cos t. The classical Runge-Kutta method has an error of order dt^4 at a fixed time.
  const start = kernel(
    'start',
    { domain: 'nodes', reads: { x: f32, v: f32 }, writes: { x0: f32, v0: f32, dx: f32, dv: f32 } },
    ({ x, v }) => ({ x0: x, v0: v, dx: f32(0), dv: f32(0) }),
  );
  const spring = kernel('spring', { domain: 'nodes', reads: { x: f32 }, adds: { a: f32 } }, ({ x, a }) =>
    a.add(x.neg()),
  );
  const stage = kernel(
    'stage',
    {
      domain: 'nodes',
      reads: { x0: f32, v0: f32, v: f32, a: f32, dx: f32, dv: f32 },
      writes: { x: f32, v: f32, dx: f32, dv: f32 },
    },
    ({ x0, v0, v, a, dx, dv }, { dt, round }) => {
      const weight = select(round.eq(0).or(round.eq(3)), f32(1 / 6), 1 / 3);
      const [sx, sv] = [dx.add(v.mul(weight).mul(dt)), dv.add(a.mul(weight).mul(dt))];
      const step = select(round.eq(2), f32(1), 0.5).mul(dt);
      const isLast = round.eq(3);
      return {
        x: select(isLast, x0.add(sx), x0.add(v.mul(step))),
        v: select(isLast, v0.add(sv), v0.add(a.mul(step))),
        dx: sx,
        dv: sv,
      };
    },
  );
  const model = (): Model => {
    const of = new Model();
    of.addDomain('nodes', 1);
    of.addField('nodes', 'x', f32, { fill: 1 });
    of.addField('nodes', 'v', f32, { fill: 0 });
    of.addPass('control', start);
    of.addPass('force', repeat(4, [spring, stage], 'stages'));
    return of;
  };
  it('as rounds of `repeat` give a Runge-Kutta method of fourth order, with correct derivatives', async () => {
    const errors = await Promise.all(
      [4, 8].map(async (substeps) => {
        const simulation = await createSimulation(model(), { ...DEVICE, frames: 2, frameRate: 1, substeps });
        simulation.forward();
        return Math.abs((await simulation.read('nodes.x'))[0] - Math.cos(1));
      }),
    );
    expect(Math.log2(errors[0] / errors[1])).toBeGreaterThan(3.8);
    await checkGradients(model(), {
      ...RUN,
      parameters: ['nodes.x', 'nodes.v'],
      outputs: ['nodes.x', 'nodes.v'],
    });
  });
});

describe('results of a run', () => {
  const model = (shared: boolean): Model => {
    const of = row(3);
    of.addField('world', 'weight', f32, { fill: 0.4, shared });
    of.addPass('integrate', smooth);
    return of;
  };
  const options: SimulationOptions = {
    ...DEVICE,
    worlds: 2,
    parameters: ['world.weight', 'nodes.x'],
    record: ['nodes.x'],
  };
  it('contain every frame of a recorded state', async () => {
    const simulation = await createSimulation(model(false), options);
    simulation.set('nodes.x', [5, 6, 7], 1);
    simulation.forward();
    const frames = [...(await simulation.readFrames('nodes.x'))];
    const worlds = [
      [0, Math.sin(3), Math.sin(6)],
      [5, 6, 7],
    ];
    const expected = [0, 1, 2].flatMap((frame) => worlds.flatMap((x) => smoothed(x, 0.4, 2 * frame)));
    frames.forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k], 13);
    });
    await checkGradients(model(false), {
      ...RUN,
      parameters: ['nodes.x', 'world.weight'],
      outputs: ['nodes.x'],
    });
  });
  it('sum the gradient of a shared parameter over worlds', async () => {
    const gradient = async (shared: boolean): Promise<number[]> => {
      const simulation = await createSimulation(model(shared), options);
      simulation.set('nodes.x', [5, 6, 9], 1);
      simulation.forward();
      simulation.backward({ 'nodes.x': Array.from({ length: 18 }, (_, k) => 2 + k) });
      return [...(await simulation.gradient('world.weight'))];
    };
    const [one, two] = await gradient(false);
    const [sum, ...more] = await gradient(true);
    expect(more).toEqual([]);
    expect(sum).toBeCloseTo(one + two, 12);
  });
});
