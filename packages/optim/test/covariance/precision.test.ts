// The rounding noise of single-precision derivatives is reported by the estimate itself, whatever its method.

import type { Device, Model } from '@gradsim/core';
import { cpuDevice, createSimulation, f32, f64Device, kernel, Model as OwnModel } from '@gradsim/core';
import type { Estimate, EstimateOptions, Finding, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { afterAll, describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { motesModel, motesProblem, seenBy } from '../motes.ts';

const single = cpuDevice();
const double = f64Device();
afterAll(() => single.dispose());
const normal = normalNumbers(randomNumbers(seedOfRun('precision', 6)));

/**
 * Model of the logistic map, which is chaotic: distances of trajectories, and derivatives, double about every substep.
 */
function chaotic(): Model {
  const model = new OwnModel();
  model.addDomain('seeds', 4);
  model.addField('seeds', 'x', f32, { values: [0.1234, 0.31, 0.577, 0.83] });
  model.addField('seeds', 'seen', f32, { fill: 0 });
  const map = kernel('map', { domain: 'seeds', reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
    x: x.mul(x.neg().add(1)).mul(3.99),
  }));
  const look = kernel('look', { domain: 'seeds', reads: { x: f32 }, writes: { seen: f32 } }, ({ x }) => ({
    seen: x,
  }));
  model.addPass('integrate', map);
  model.addPass('observe', look);
  return model;
}
const X = [0.1234, 0.31, 0.577, 0.83];

/** Estimates the initial values of the map from noisy observations of the last frame, starting at the true values. */
async function mapped(substeps: number, options: EstimateOptions, device: Device): Promise<Estimate> {
  const run = { frames: 3, frameRate: 1, substeps } as const;
  const simulation = await createSimulation(chaotic(), { ...run, device: double, record: ['seeds.seen'] });
  simulation.forward();
  const target = (await simulation.readFrames('seeds.seen')).map((x) => x + 0.02 * normal());
  simulation.dispose();
  const problem: Problem = {
    model: chaotic(),
    ...run,
    parameters: X.map((initial, k) => ({ name: `x${k}`, field: 'seeds.x', elements: [k], initial })),
    observations: [{ field: 'seeds.seen', target, frames: [2] }],
    options,
  };
  return estimate(problem, { device });
}
const of = (kind: Finding['kind'], { verdict }: Estimate): Finding[] =>
  verdict.findings.filter((finding) => finding.kind === kind);

const METHODS: readonly EstimateOptions[] = [
  { search: { method: 'levenberg-marquardt', iterations: 0 } },
  { search: { method: 'l-bfgs', iterations: 0 } },
  { search: { method: 'adam', iterations: 0 } },
  { search: { method: 'l-bfgs', iterations: 0 }, uncertainty: { standardErrors: true } },
];

describe.each(METHODS)('derivatives by %j', (options) => {
  it('that are dominated by rounding yield a critical finding with their unknowns and advice, and the estimate is distrusted', async () => {
    const found = await mapped(20, options, single);
    const [finding] = of('precision', found);
    expect(finding).toMatchObject({ isCritical: true });
    expect(finding.unknowns!.length).toBeGreaterThan(0);
    for (const name of finding.unknowns!) expect(finding.note).toContain(name);
    expect(finding.note).toContain('--device f64');
    expect(found.verdict.trusted).toBe(false);
  });

  it('yield no finding of rounding for 2 substeps a frame in single precision, nor for 20 in double precision', async () => {
    expect(of('precision', await mapped(2, options, single))).toEqual([]);
    expect(of('precision', await mapped(20, options, double))).toEqual([]);
  });

  it('yield no such finding after a search that ends at a minimum, where the gradient vanishes', async () => {
    const target = await seenBy(motesModel(), 0, normal);
    const problem = motesProblem(target, { options: { ...options, search: { ...options.search, iterations: 60 } } });
    expect(of('precision', await estimate(problem, { device: single }))).toEqual([]);
    const noisy = motesProblem(await seenBy(motesModel(), 0.01, normal), { options: problem.options });
    expect(of('precision', await estimate(noisy, { device: single }))).toEqual([]);
  });
});

it('a fit to observations without standard errors is distrusted; an estimate names its method and why that was chosen', async () => {
  const target = await seenBy(motesModel(), 0.01, normal);
  const by = (options: EstimateOptions): Promise<Estimate> =>
    estimate(motesProblem(target, { options }), { device: double });
  const without = await by({ search: { method: 'l-bfgs' } });
  expect(of('no standard errors', without)).toMatchObject([{ isCritical: true }]);
  expect(of('no standard errors', without)[0].note).toMatch(/`uncertainty: { standardErrors: true }`/);
  expect(without.verdict.trusted).toBe(false);
  const having = await by({ search: { method: 'l-bfgs' }, uncertainty: { standardErrors: true } });
  expect(of('no standard errors', having)).toEqual([]);
  expect(having.verdict.trusted).toBe(true);
  expect([without.method, without.methodReason]).toEqual(['l-bfgs', 'which the problem asks for']);
  const { method, methodReason } = await by({});
  expect([method, methodReason]).toEqual([
    'levenberg-marquardt',
    'chosen because the loss is a sum of squared residuals and no unknown is an array',
  ]);
});

it('a problem without observations has no standard errors either, which is no critical finding', async () => {
  const found = await estimate(
    {
      ...motesProblem([]),
      observations: [],
      losses: [{ field: 'motes.seen', weight: 1, name: 'small', frames: 'last' }],
      options: { search: { iterations: 60 } },
    },
    { device: double },
  );
  expect(of('no standard errors', found)).toMatchObject([{ isCritical: false }]);
  expect([found.method, found.methodReason]).toEqual([
    'l-bfgs',
    'chosen because the loss small is not a sum of squared residuals',
  ]);
});
