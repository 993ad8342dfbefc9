import { buildModel, createScene, definePlugin, f32, f64Device, kernel, selectDevice } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { search } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { evidenceAt } from '../../src/covariance/evidence.ts';
import { descendBySquares } from '../../src/descent/least-squares.ts';
import { prepare, whileRunning } from '../../src/prepare.ts';

/** Narrowness of the valley y = x^2; that of H. Rosenbrock (Computer Journal 3, 1960) is 0.1. */
const NARROW = 0.02;
// A residual of 1, which nothing lowers, makes rounding count as it does in films.
const valley = kernel(
  'valley',
  {
    domain: 'world',
    reads: { x: f32, y: f32 },
    writes: { along: f32, across: f32, rest: f32 },
  },
  ({ x, y }) => ({ along: x.neg().add(1), across: y.sub(x.mul(x)).div(NARROW), rest: x.mul(0).add(1) }),
);
const scene = createScene([
  definePlugin({
    name: 'valley',
    contract: 1,
    build: ({ model }) => {
      for (const [name, fill] of [
        ['x', -1.2],
        ['y', 1],
      ] as const)
        model.addField('world', name, f32, { fill });
      for (const name of ['along', 'across', 'rest']) model.addField('world', name, f32);
      model.addPass('observe', valley);
    },
  }),
]);

const problem: Problem = {
  model: buildModel(scene),
  frames: 1,
  frameRate: 1,
  substeps: 1,
  parameters: ['x', 'y'].map((name) => ({ name, field: `world.${name}`, initial: name === 'x' ? -1.2 : 1 })),
  observations: ['along', 'across', 'rest'].map((name) => ({ field: `world.${name}`, target: [0] })),
  options: { search: { hops: 0, horizons: [1] } },
};

it.each(['f64', 'cpu'] as const)(
  'a curved valley is followed to its end in less than 100 steps on the device %s',
  async (kind) => {
    const device = kind === 'f64' ? f64Device() : await selectDevice('cpu');
    const found = await search(problem, { device });
    // Not `iterations`, 100 by default.
    expect(found.stopped).toBe('tolerance');
    expect(found.parameters.x).toBeCloseTo(1, 5);
    expect(found.parameters.y).toBeCloseTo(1, 5);
  },
);

it('evidence where a descent ends is from its run there, though a worse point was tried after', async () => {
  const options = { search: { iterations: 2, horizons: [1] } };
  const prepared = await prepare({ ...problem, options }, { device: f64Device() });
  await whileRunning(prepared, async () => {
    const plan = prepared.horizons.whole();
    const { ends } = await descendBySquares({ ...plan, points: [plan.unknowns.initial()] });
    const [{ x }] = ends;
    const at = { run: plan.allFrames.run, frames: problem.frames, x };
    // Along the valley the second step is too long.
    expect(plan.simulations.hasRun(at)).toBe(false);
    const own = await evidenceAt(plan, x, false);
    expect(plan.simulations.hasRun(at)).toBe(false);
    plan.simulations.dispose();
    expect(own).toEqual(await evidenceAt(plan, x, false));
    expect(plan.simulations.hasRun(at)).toBe(true);
  });
});
