// Systems whose matrix is that of an implicit step: m x_i + k (2 x_i - x_before - x_behind) = b_i around a ring of nodes.
import type { Device, FieldRef } from '@gradsim/core';
import {
  bind,
  conjugateResiduals,
  createSimulation,
  f32,
  f64Device,
  field,
  fieldOn,
  index,
  kernel,
  Model,
} from '@gradsim/core';
import { cpuDevice } from '@gradsim/kernel';
import { describe, expect, it } from 'vitest';

type Numbers = typeof b;

/** Mass of a node: what the diagonal of the matrix is without springs. */
const MASS = 0.5;
/** Number of unknowns of the linear system. */
const NODES = 40;
const nodes = (name: string) => field('nodes', name, f32);
const [b, solution, found] = ['b', 'solution', 'found'].map(nodes);

/**
 * Returns passes of an approximate inverse: for each node by itself, plus the motion of all nodes together, which no
 * spring resists.
 */
function precondition(k: number) {
  return (from: FieldRef, into: FieldRef) => {
    const sum = field('world', `sumOf_${from.name}`, f32);
    const add = kernel(`add_${from.name}`, { domain: 'nodes', reads: { from: from as Numbers }, adds: { sum } }, (s) =>
      s.sum.add(s.from),
    );
    const apply = kernel(
      `apply_${into.name}`,
      { domain: 'nodes', reads: { from: from as Numbers, sum }, writes: { into: into as Numbers } },
      (s) => ({ into: s.from.div(MASS + 2 * k).add(s.sum.div(MASS * NODES)) }),
    );
    return [bind(add), bind(apply)];
  };
}

function ring(k: number, sides: readonly number[], tolerance: number): Model {
  const model = new Model();
  model.addDomain('nodes', NODES);
  const neighbours = Array.from({ length: NODES }, (_, i) => [(i + NODES - 1) % NODES, (i + 1) % NODES]);
  model.addIndex('nodes', 'beside', 'nodes', 2, neighbours.flat());
  model.addField(b, { values: [...sides] });
  model.addField(found, { fill: 0 });
  const product = (from: FieldRef, into: FieldRef) =>
    bind(
      kernel(
        `product_${into.name}`,
        {
          domain: 'nodes',
          reads: { own: from as Numbers, beside: index('nodes', 2), all: fieldOn(from as Numbers) },
          writes: { into: into as Numbers },
        },
        ({ own, beside: [i, j], all }) => ({
          into: own.mul(MASS).add(
            own
              .sub(all.at(i))
              .add(own.sub(all.at(j)))
              .mul(k),
          ),
        }),
      ),
    );
  for (const pass of conjugateResiduals({
    rightSide: b,
    solution,
    name: 'ring',
    maxRounds: 3 * NODES,
    product,
    precondition: precondition(k),
    tolerance,
  }))
    model.addPass('control', pass);
  const keep = kernel('keep', { domain: 'nodes', reads: { solution }, writes: { found } }, ({ solution }) => ({
    found: solution,
  }));
  model.addPass('integrate', keep);
  return model;
}

async function solved(device: Device, model: Model): Promise<number[]> {
  const simulation = await createSimulation(model, { device, frames: 2, frameRate: 1, substeps: 1 });
  simulation.forward();
  return [...(await simulation.read('nodes.found'))];
}

describe('conjugate residuals', () => {
  it('converge in f32 when the residual is dominated by what the preconditioner removes', async () => {
    // The common motion of all nodes, and beside it a deformation.
    const apart = Array.from({ length: NODES }, (_, i) => Math.sin(1.7 * i + 0.3));
    const mean = apart.reduce((a, b) => a + b) / NODES;
    for (const k of [1e3, 1e5, 1e7, 1e8]) {
      const sides = apart.map((a) => 3 * MASS + (a - mean) * 0.1 * Math.sqrt(k));
      const tolerance = 1e-4;
      const single = await solved(cpuDevice(), ring(k, sides, tolerance));
      const exact = await solved(f64Device(), ring(k, sides, 1e-11));
      const error = Math.max(...single.map((x, i) => Math.abs(x - exact[i])));
      expect(error, `k = ${k}`).toBeLessThan(3 * tolerance);
    }
  });

  describe('for a matrix that is neither symmetric nor definite', () => {
    // Half of its eigenvalues below 0, with a skew-symmetric part.
    const sides = Array.from({ length: NODES }, (_, i) => Math.cos(2.3 * i));
    const entries = (i: number): readonly (readonly [node: number, value: number])[] => [
      [i, i % 2 ? -1 - 0.02 * i : 1 + 0.05 * i],
      [(i + 1) % NODES, 3],
      [(i + NODES - 1) % NODES, -3],
      [(i + 7) % NODES, 0.5],
    ];
    const withMatrix = (goesOn: boolean, sides: readonly number[], maxRounds = 8 * NODES): Model => {
      const model = new Model();
      model.addDomain('nodes', NODES);
      const columns = [0, 1, 2, 3].map((k) => field('nodes', `entry${k}`, f32));
      columns.forEach((column, k) => {
        model.addField(column, { values: sides.map((_, i) => entries(i)[k][1]) });
      });
      const others = sides.flatMap((_, i) => entries(i).map(([node]) => node));
      model.addIndex('nodes', 'others', 'nodes', 4, others);
      model.addField(b, { values: [...sides] });
      model.addField(found, { fill: 0 });
      const [e0, e1, e2, e3] = columns;
      const product = (from: FieldRef, into: FieldRef) =>
        bind(
          kernel(
            `product_${into.name}`,
            {
              domain: 'nodes',
              reads: { e0, e1, e2, e3, others: index('nodes', 4), all: fieldOn(from as Numbers) },
              writes: { into: into as Numbers },
            },
            ({ e0, e1, e2, e3, others: [i, j, k, l], all }) => ({
              into: e0
                .mul(all.at(i))
                .add(e1.mul(all.at(j)))
                .add(e2.mul(all.at(k)))
                .add(e3.mul(all.at(l))),
            }),
          ),
        );
      const transposed = (from: FieldRef, into: FieldRef) =>
        bind(
          kernel(
            `transposed_${into.name}`,
            {
              domain: 'nodes',
              reads: { e0, e1, e2, e3, others: index('nodes', 4), from: from as Numbers },
              adds: { into: fieldOn(into as Numbers) },
            },
            ({ e0, e1, e2, e3, others: [i, j, k, l], from, into }) => {
              into.add(i, e0.mul(from));
              into.add(j, e1.mul(from));
              into.add(k, e2.mul(from));
              into.add(l, e3.mul(from));
            },
          ),
        );
      for (const pass of conjugateResiduals({
        rightSide: b,
        solution,
        name: 'turning',
        maxRounds,
        product,
        ...(goesOn ? { transposed } : {}),
      }))
        model.addPass('control', pass);
      model.addPass(
        'integrate',
        kernel('keep', { domain: 'nodes', reads: { solution }, writes: { found } }, ({ solution }) => ({
          found: solution,
        })),
      );
      return model;
    };
    const left = (x: readonly number[]): number =>
      Math.max(...sides.map((side, i) => Math.abs(entries(i).reduce((sum, [j, a]) => sum + a * x[j], 0) - side)));

    it('converge if given the transposed product, in doubles and singles', async () => {
      expect(left(await solved(f64Device(), withMatrix(true, sides)))).toBeLessThan(1e-9);
      expect(left(await solved(cpuDevice(), withMatrix(true, sides)))).toBeLessThan(1e-3);
    });
    it('report without the transposed product that they do not converge', async () => {
      await expect(solved(f64Device(), withMatrix(false, sides))).rejects.toThrowCode({
        code: 'core/alarm',
        values: [320],
      });
    });
    it('return zero for a right side of zero', async () => {
      const nothing = sides.map(() => 0);
      expect(await solved(f64Device(), withMatrix(true, nothing, 2))).toEqual(nothing);
    });
  });
});
