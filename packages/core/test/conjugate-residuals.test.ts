import type { Device, FieldRef, Pass } from '@gradsim/core';
import {
  bind,
  conjugateResiduals,
  cpuDevice,
  createSimulation,
  f32,
  f64Device,
  field,
  index,
  kernel,
  Model,
  on,
  profileDevice,
} from '@gradsim/core';
import { describe, expect, it } from 'vitest';

const NODES = 48;
const b = field('nodes', 'b', f32);
const x = field('nodes', 'x', f32);
const neighbours = field('nodes', 'neighbours', index('nodes', 2));
/** What holds two neighbours together, beside a mass of 1. */
const STIFFNESS = 1e6;
/** What makes the matrix unsymmetric. */
const WIND = 0.3;
const DIAGONAL = 1 + WIND + 2 * STIFFNESS;

type Numbers = typeof x;

/** A ring of nodes: x + k (2 x - left - right) + wind (x - left), of which rounding leaves little where all x are alike. */
const ringTimes = (from: FieldRef, into: FieldRef): Pass =>
  bind(
    kernel(
      `ring_${into.name}`,
      {
        domain: 'nodes',
        reads: { own: from as Numbers, all: on(from as Numbers), neighbours },
        writes: { into: into as Numbers },
      },
      ({ own, all, neighbours: [left, right] }) => ({
        into: own
          .mul(DIAGONAL)
          .sub(all.at(left).mul(STIFFNESS + WIND))
          .sub(all.at(right).mul(STIFFNESS)),
      }),
    ),
  );

/** What holds each node by itself, and the motion of all of them together. */
function precondition(from: FieldRef, into: FieldRef): Pass[] {
  const sum = field('world', `${from.name}Sum`, f32);
  const add = kernel(
    `sum_${from.name}`,
    { domain: 'nodes', reads: { from: from as Numbers }, adds: { sum } },
    ({ from, sum }) => sum.add(from),
  );
  const apply = kernel(
    `scale_${into.name}`,
    { domain: 'nodes', reads: { from: from as Numbers, sum }, writes: { into: into as Numbers } },
    ({ from, sum }) => ({ into: from.div(DIAGONAL).add(sum.div(NODES)) }),
  );
  return [bind(add), bind(apply)];
}

const TRUTH = Array.from({ length: NODES }, (_, k) => 1 + 1e-3 * Math.sin(k));
const at = (values: readonly number[], k: number): number => values[(k + NODES) % NODES];
const RIGHT_SIDE = TRUTH.map(
  (own, k) =>
    own + STIFFNESS * (2 * own - at(TRUTH, k - 1) - at(TRUTH, k + 1)) + WIND * (own - at(TRUTH, k - 1)),
);

interface Solved {
  readonly x: number[];
  readonly rounds: number;
}

async function solve(
  made: Device,
  rightSide: readonly number[],
  options: { tolerance: number; enough?: number; most?: number },
): Promise<Solved> {
  const device = profileDevice(made);
  const model = new Model();
  model.addDomain('nodes', NODES);
  model.addIndex(
    neighbours,
    TRUTH.flatMap((_, k) => [(k + NODES - 1) % NODES, (k + 1) % NODES]),
  );
  model.addField(b, { values: [...rightSide] });
  model.addField(x, { fill: 0 });
  const name = 'ring';
  for (const pass of conjugateResiduals({
    ...{ name, rightSide: b, solution: x, product: ringTimes, precondition },
    ...options,
  }))
    model.addPass('integrate', pass);
  const simulation = await createSimulation(model, { device, frames: 2, frameRate: 1, substeps: 1 });
  simulation.forward();
  const found = [...(await simulation.read('nodes.x'))];
  const rounds = device.profile().find(({ pass }) => pass === 'step_ring')!.dispatches;
  simulation.dispose();
  device.dispose();
  return { x: found, rounds };
}

describe('conjugate residuals', () => {
  it('solve an unsymmetric system in doubles', async () => {
    const { x, rounds } = await solve(f64Device(), RIGHT_SIDE, { tolerance: 1e-10 });
    x.forEach((value, k) => expect(value).toBeCloseTo(TRUTH[k], 8));
    expect(rounds).toBeLessThan(2 * NODES);
  });

  it('end where rounding lets the residual fall no further, if what is left is little enough', async () => {
    const even = TRUTH.map((_, k) => 1.1 + 0.1 * Math.sin((2 * Math.PI * k) / NODES));
    const asked = { tolerance: 1e-6, most: 1000 };
    await expect(solve(cpuDevice(), even, asked)).rejects.toThrow(/ring/);
    const { x, rounds } = await solve(cpuDevice(), even, { ...asked, enough: 1000 });
    expect(rounds).toBeLessThan(100);
    // The product with 1.1 everywhere is off by 1e6 times its rounding, .07, at each node by its own.
    for (const value of x) expect(Math.abs(value - 1.1)).toBeLessThan(0.07);
  });
});
