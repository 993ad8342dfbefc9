import { createSimulation, f64Device } from '@gradsim/core';
import type { Observation } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { posteriorAt } from '../../src/covariance/local-posterior.ts';
import { fillShownEvery } from '../../src/objective/prepared-observation.ts';
import { residualsOf } from '../../src/objective/residuals.ts';
import { prepare, whileRunning } from '../../src/prepare.ts';
import { drag, gravity, motesModel, RUN, seenBy, vx } from '../motes.ts';

const model = motesModel();
const normal = normalNumbers(randomNumbers(seedOfRun('reuse', 5)));
const device = f64Device();

it('a posterior that takes over sums and correlation of one at the same point equals one that computes them', async () => {
  const target = (await seenBy(model)).map((x) => x + 0.05 * normal());
  const withPrior = { ...gravity, prior: { mean: -9, standardDeviation: 1 } };
  const observations = [{ field: 'motes.seen', target }];
  const prepared = await prepare({ model, ...RUN, parameters: [withPrior, drag, vx], observations }, { device });
  await whileRunning(prepared, async () => {
    const plan = prepared.horizons.whole();
    const x = plan.unknowns.initial();
    const before = await posteriorAt(plan, x, false);
    const own = await posteriorAt(plan, x, true, { before });
    expect(own.evidence.scores).toBe(before.evidence.scores);
    expect(own.uncertainty.residuals).toBe(before.uncertainty.residuals);
    expect(before.uncertainty.residuals.measured).not.toBeNull();
    expect(own.evidence.patternSums).not.toBeNull();
    expect(own).toEqual(await posteriorAt(plan, x, true));
  });
});

it.each<[string, Partial<Observation>]>([
  ['all frames', {}],
  ['weights', { weights: [1, 0.5, 2] }],
])('values of the output at some positions are those among all: %s', async (_, given) => {
  const target = (await seenBy(model)).map((x) => x + normal());
  const [p] = residualsOf(model, [{ field: 'motes.seen', target, ...given }], RUN.frames).prepared;
  const simulation = await createSimulation(model, { ...RUN, device, worlds: 2, record: [p.field] });
  simulation.forward();
  const place = { record: await simulation.readRecord(p.field), world: 1, f: p.frames.length - 1 };
  const at = Uint32Array.of(0, 2);
  for (const stride of [1, 2]) {
    const [all, some] = [new Float32Array(p.values), new Float32Array(at.length)];
    fillShownEvery(all, p, place, stride);
    fillShownEvery(some, p, place, stride, at);
    expect(Array.from(some)).toEqual(Array.from(at, (k) => all[k]));
  }
  simulation.dispose();
});
