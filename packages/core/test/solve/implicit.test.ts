// Blocks whose derivative is that of an equation. The system: y_i = x_i + v_i - h sum over links k sin(y_i - y_j),
// whose solution has derivatives by the implicit function theorem; central differences of whole runs are the reference.
import type { FieldRef, KernelPass } from '@gradsim/core';
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
  transposedProduct,
} from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { cpuDevice } from '@gradsim/kernel';
import { describe, expect, it } from 'vitest';

const RUN = { frames: 3, frameRate: 10, substeps: 2 };

const own = kernel('own', { domain: 'nodes', reads: { x: f32, v: f32, y: f32 }, adds: { g: f32 } }, ({ x, v, y, g }) =>
  g.add(y.sub(x).sub(v)),
);
const link = (twist: number) =>
  kernel(
    'link',
    {
      domain: 'links',
      reads: { ends: index('nodes', 2), y: fieldOn('nodes', f32), k: f32, h: perWorld(f32) },
      adds: { g: fieldOn('nodes', f32) },
    },
    ({ ends: [i, j], y, k, h, g }) => {
      const pull = sin(y.at(i).sub(y.at(j)))
        .mul(k)
        .mul(h);
      g.add(i, pull);
      // With a twist the matrix is not symmetric.
      g.add(j, pull.mul(-1 + twist));
    },
  );
const right = kernel('right', { domain: 'nodes', reads: { g: f32 }, writes: { b: f32 } }, ({ g }) => ({
  b: g.neg(),
}));
const correct = kernel('correct', { domain: 'nodes', reads: { y: f32, dy: f32 }, writes: { y: f32 } }, ({ y, dy }) => ({
  y: y.add(dy),
}));
const guess = kernel('guess', { domain: 'nodes', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
  y: x,
}));
const take = kernel('take', { domain: 'nodes', reads: { y: f32, v: f32 }, writes: { x: f32, v: f32 } }, ({ y, v }) => ({
  x: y,
  v: v.mul(0.9),
}));

const [y, g] = ['y', 'g'].map((name) => field('nodes', name, f32));

/**
 * Builds a model with an implicit solve.
 * @param named true if the products name the equations; false if they cover everything that adds to g.
 */
function model(
  twist: number,
  {
    symmetric = twist === 0,
    rounds = 6,
    named = true,
    tolerance = undefined as number | undefined,
    residualTolerance = 1e-5,
  } = {},
): Model {
  const of = new Model();
  of.addDomain('nodes', 4);
  of.addDomain('links', 4);
  of.addIndex('links', 'ends', 'nodes', 2, [0, 1, 1, 2, 2, 3, 3, 0]);
  of.addField('links', 'k', f32, { values: [1, 2, 0.5, 1.5] });
  of.addField('nodes', 'x', f32, { values: [0.1, 0.7, -0.4, 0.3] });
  of.addField('nodes', 'v', f32, { values: [0.2, -0.1, 0.3, 0.1] });
  of.addField('world', 'h', f32, { fill: 0.2 });
  const equations = [bind(own), bind(link(twist))] as KernelPass[];
  const terms = named ? { from: equations } : {};
  const product = (from: FieldRef, into: FieldRef) => jacobianProduct(g, { along: { [y.key]: from }, into, ...terms });
  const transposed = (weights: FieldRef, into: FieldRef) =>
    transposedProduct(g, { weights, into: { [y.key]: into }, ...terms });
  const newton = repeat(rounds, [
    ...[...equations, right],
    ...conjugateGradients({
      rightSide: field('nodes', 'b', f32),
      solution: field('nodes', 'dy', f32),
      name: 'linear',
      product,
      ...(twist === 0 ? {} : { transposed }),
    }),
    correct,
  ]);
  const options = {
    unknown: y,
    residual: g,
    equations,
    symmetric,
    tolerance,
    residualTolerance,
    name: 'step',
  };
  of.addPass('integrate', implicit([guess, newton], options));
  of.addPass('integrate', take);
  return of;
}

const CHECK = {
  ...RUN,
  parameters: ['nodes.x', 'nodes.v', 'links.k', 'world.h'],
  outputs: ['nodes.x'],
};

describe('an implicit block', () => {
  it.each([
    ['symmetric', 0, true],
    ['not symmetric', 0.6, true],
    ['symmetric, with products of all that adds to the residual', 0, false],
    ['not symmetric, with products of all that adds to the residual', 0.6, false],
  ])('solves, and has the derivative of its equation: %s', async (_, twist, named) => {
    const of = model(twist, { named });
    const simulation = await createSimulation(of, {
      device: f64Device(),
      frames: 2,
      frameRate: 1,
      substeps: 1,
    });
    simulation.forward();
    const y = await simulation.read('nodes.x');
    const [x, v, k] = ['nodes.x', 'nodes.v', 'links.k'].map((key) => of.field(key).values!);
    const left = y.map((value, e) => value - x[e] - v[e]);
    [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 0],
    ].forEach(([i, j], l) => {
      const pull = 0.2 * k[l] * Math.sin(y[i] - y[j]);
      left[i] += pull;
      left[j] += pull * (-1 + twist);
    });
    for (const value of left) expect(Math.abs(value)).toBeLessThan(1e-12);
    await checkGradients(of, CHECK);
  });
  it('agrees between cpu and doubles', () =>
    checkDevices(model(0), {
      ...CHECK,
      devices: [cpuDevice()],
      stateTolerance: 1e-5,
      gradientTolerance: 1e-4,
    }));
  it('reports that the solve for a singular derivative does not converge', async () => {
    // y^2 = x has no derivative at y = 0.
    const of = new Model();
    of.addDomain('nodes', 1);
    of.addField('nodes', 'x', f32, { fill: 0 });
    const square = kernel('square', { domain: 'nodes', reads: { x: f32, y: f32 }, adds: { g: f32 } }, ({ x, y, g }) =>
      g.add(y.mul(y).sub(x)),
    );
    const solve = kernel('solve', { domain: 'nodes', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
      y: x,
    }));
    const end = kernel('end', { domain: 'nodes', reads: { y: f32 }, writes: { x: f32 } }, ({ y }) => ({
      x: y,
    }));
    of.addPass(
      'integrate',
      implicit([solve], {
        unknown: y,
        residual: g,
        equations: [square],
        residualTolerance: 1e-6,
        name: 'root',
        maxRounds: 5,
      }),
    );
    of.addPass('integrate', end);
    const simulation = await createSimulation(of, {
      device: f64Device(),
      ...RUN,
      frames: 2,
      substeps: 1,
      parameters: ['nodes.x'],
      outputs: ['nodes.x'],
    });
    simulation.forward();
    simulation.backward({ 'nodes.x': [1] });
    await expect(simulation.gradient('nodes.x')).rejects.toThrowCode({
      code: 'core/alarm',
      values: [5, 'rootBack', 'nodes.g', 'nodes.y', 0],
    });
  });
  it('is named by checkGradients if its equation does not hold, or if the solve of its derivative is too rough', async () => {
    await expect(checkGradients(model(0, { rounds: 1 }), CHECK)).rejects.toThrowCode({
      code: 'core/alarm',
      values: ['0.160', 'nodes.g', 0.00001, 'residualTolerance'],
    });
    await expect(checkGradients(model(0, { rounds: 1, residualTolerance: 1 }), CHECK)).rejects.toThrowCode({
      code: 'kernel/comparison-failed',
      values: ['what step solves for is not found closely enough'],
    });
    await expect(checkGradients(model(0, { tolerance: 0.3 }), CHECK)).rejects.toThrowCode({
      code: 'kernel/comparison-failed',
      values: ['The derivative of step is as exact as its linear solve: lower its tolerance'],
    });
  });
  it('raises an alarm if a matrix declared symmetric is not', async () => {
    const of = model(3, { symmetric: true });
    await expect(checkGradients(of, CHECK)).rejects.toThrowCode('core/alarm');
  });
  it('refuses equations that do not add to the residual or read the unknown, and a tolerance of 0', () => {
    const options = { unknown: y, residual: g, residualTolerance: 1e-6, name: 'step' };
    const zero = { ...options, equations: [own], residualTolerance: 0 };
    expect(() => implicit([guess], zero)).toThrowCode({
      code: 'core/option-out-of-range',
      field: 'nodes.g',
      values: [0, 'residualTolerance', 'step'],
    });
    expect(() => implicit([guess], { ...options, equations: [guess] })).toThrowCode({
      code: 'core/wrong-equation',
      field: 'nodes.g',
      values: ['step', 'guess'],
    });
    const other = kernel('other', { domain: 'nodes', reads: { x: f32 }, adds: { g: f32 } }, ({ x, g }) => g.add(x));
    expect(() => implicit([guess], { ...options, equations: [other] })).toThrowCode({
      code: 'core/wrong-equation',
      field: 'nodes.y',
      values: ['step'],
    });
  });
});
