// Implicit blocks whose equations read intermediate fields that other kernels compute from the unknown. The system: a
// rod of nodes and links, v' = v - h sum over links of the tension T, T = k sin(d) + c tanh(d') d'^2 s, d and d' from
// positions x + h v' and from v', s the sum of all bending at an end: fields over links and over nodes, written and
// added to, lie in between.
import type { FieldRef, Kernel, KernelPass } from '@gradsim/core';
import {
  bind,
  conjugateGradients,
  createSimulation,
  f32,
  f64Device,
  field,
  fieldOn,
  implicit,
  index,
  jacobianProduct,
  kernel,
  Model,
  perWorld,
  repeat,
  sin,
  tanh,
  transposedProduct,
} from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { cpuDevice } from '@gradsim/kernel';
import { describe, expect, it } from 'vitest';

const ends = index('nodes', 2);
const [v, g] = ['v', 'g'].map((name) => field('nodes', name, f32));

const place = kernel(
  'place',
  { domain: 'nodes', reads: { x: f32, v: f32, h: perWorld(f32) }, writes: { placed: f32 } },
  ({ x, v, h }) => ({ placed: x.add(v.mul(h)) }),
);
const bend = kernel(
  'bend',
  { domain: 'links', reads: { ends, placed: fieldOn('nodes', f32) }, adds: { bent: fieldOn('nodes', f32) } },
  ({ ends: [i, j], placed, bent }) => {
    const d = placed.at(i).sub(placed.at(j));
    bent.add(i, d.mul(d));
    bent.add(j, d.mul(0.5));
  },
);
const tense = kernel(
  'tense',
  {
    domain: 'links',
    reads: {
      ends,
      placed: fieldOn('nodes', f32),
      v: fieldOn('nodes', f32),
      bent: fieldOn('nodes', f32),
      k: f32,
      c: f32,
    },
    writes: { tension: f32 },
  },
  ({ ends: [i, j], placed, v, bent, k, c }) => {
    const rate = v.at(i).sub(v.at(j));
    const damping = tanh(rate).mul(c).mul(bent.at(i).add(1));
    return {
      tension: sin(placed.at(i).sub(placed.at(j)))
        .mul(k)
        .add(damping),
    };
  },
);
const inertia = kernel(
  'inertia',
  { domain: 'nodes', reads: { v: f32, before: f32 }, adds: { g: f32 } },
  ({ v, before, g }) => g.add(v.sub(before)),
);
const pull = kernel(
  'pull',
  {
    domain: 'links',
    reads: { ends, tension: f32, h: perWorld(f32) },
    adds: { g: fieldOn('nodes', f32) },
  },
  ({ ends: [i, j], tension, h, g }) => {
    g.add(i, tension.mul(h));
    g.add(j, tension.mul(h).neg());
  },
);

const remember = kernel('remember', { domain: 'nodes', reads: { v: f32 }, writes: { before: f32 } }, ({ v }) => ({
  before: v,
}));
const right = kernel('right', { domain: 'nodes', reads: { g: f32 }, writes: { b: f32 } }, ({ g }) => ({
  b: g.neg(),
}));
const correct = kernel('correct', { domain: 'nodes', reads: { v: f32, dv: f32 }, writes: { v: f32 } }, ({ v, dv }) => ({
  v: v.add(dv),
}));
const move = kernel(
  'move',
  { domain: 'nodes', reads: { x: f32, v: f32, h: perWorld(f32) }, writes: { x: f32 } },
  ({ x, v, h }) => ({ x: x.add(v.mul(h)) }),
);

const EQUATIONS: readonly Kernel[] = [place, bend, tense, inertia, pull];

/** Builds a model in which the unknown is a state, computed in place of its previous value. */
function rod(equations = EQUATIONS): Model {
  const of = new Model();
  of.addDomain('nodes', 4);
  of.addDomain('links', 4);
  of.addIndex('links', 'ends', 'nodes', 2, [0, 1, 1, 2, 2, 3, 3, 0]);
  of.addField('links', 'k', f32, { values: [1, 2, 0.5, 1.5] });
  of.addField('links', 'c', f32, { values: [0.3, 0.1, 0.2, 0.5] });
  of.addField('nodes', 'x', f32, { values: [0.1, 0.7, -0.4, 0.3] });
  of.addField('nodes', 'v', f32, { values: [0.2, -0.1, 0.3, 0.1] });
  of.addField('world', 'h', f32, { fill: 0.3 });
  const from = equations.map((one) => bind(one)) as KernelPass[];
  const newton = repeat(8, [
    ...[...from, right],
    ...conjugateGradients({
      name: 'linear',
      rightSide: field('nodes', 'b', f32),
      solution: field('nodes', 'dv', f32),
      product: (direction: FieldRef, into: FieldRef) =>
        jacobianProduct(g, { along: { [v.key]: direction }, into, differentiatedPasses: from }),
      transposed: (weights: FieldRef, into: FieldRef) =>
        transposedProduct(g, { weights, into: { [v.key]: into }, differentiatedPasses: from }),
    }),
    correct,
  ]);
  of.addPass('integrate', remember);
  of.addPass(
    'integrate',
    implicit([newton], {
      unknown: v,
      residual: g,
      equations: from,
      residualTolerance: 1e-5,
      name: 'step',
    }),
  );
  of.addPass('integrate', move);
  return of;
}

const CHECK = {
  frames: 3,
  frameRate: 10,
  substeps: 2,
  parameters: ['nodes.x', 'nodes.v', 'links.k', 'links.c', 'world.h'],
  outputs: ['nodes.x', 'nodes.v'],
};

describe('an implicit block whose equations are a chain of kernels', () => {
  it('solves its equations', async () => {
    const of = rod();
    const run = { device: f64Device(), frames: 2, frameRate: 1, substeps: 1 };
    const simulation = await createSimulation(of, run);
    simulation.forward();
    const [x, speed] = [await simulation.read('nodes.x'), await simulation.read('nodes.v')];
    const [before, k, c] = ['nodes.v', 'links.k', 'links.c'].map((key) => of.field(key).values!);
    const links = [0, 1, 2, 3].map((i) => [i, (i + 1) % 4]);
    const bent = [0, 0, 0, 0];
    for (const [i, j] of links) {
      bent[i] += (x[i] - x[j]) ** 2;
      bent[j] += (x[i] - x[j]) * 0.5;
    }
    const left = speed.map((value, e) => value - before[e]);
    links.forEach(([i, j], l) => {
      const damping = c[l] * Math.tanh(speed[i] - speed[j]) * (bent[i] + 1);
      const tension = k[l] * Math.sin(x[i] - x[j]) + damping;
      left[i] += 0.3 * tension;
      left[j] -= 0.3 * tension;
    });
    for (const value of left) expect(Math.abs(value)).toBeLessThan(1e-12);
  });
  it('has equal full derivatives by adjoints, tangents and differences', () => checkGradients(rod(), CHECK));
  it('agrees between cpu and doubles', () =>
    checkDevices(rod(), {
      ...CHECK,
      devices: [cpuDevice()],
      stateTolerance: 1e-5,
      gradientTolerance: 1e-4,
    }));
  it('refuses a kernel out of order, without effect on the residual, and one that changes its input', () => {
    const [first, ...others] = EQUATIONS;
    expect(() => rod([...others, first])).toThrowCode({
      code: 'core/wrong-equation',
      field: 'nodes.g',
      values: ['step', 'place'],
    });
    const shift = kernel(
      'shift',
      { domain: 'nodes', reads: { placed: f32 }, writes: { placed: f32 } },
      ({ placed }) => ({ placed: placed.add(1) }),
    );
    expect(() => rod([first, shift, ...others])).toThrowCode({
      code: 'core/wrong-equation',
      values: ['nodes.placed', 'step', 'shift'],
    });
  });
});
