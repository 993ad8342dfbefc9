import { createSimulation, f64Device } from '@gradsim/core';
import { estimate, type ParameterSpec, type PlanCandidate, type Problem, planExperiment } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { gravity, motesModel, RUN, seenBy } from '../motes.ts';

const NOISE = 0.01;
/** Gravity and the height and speed at first of the left mote, without drag. */
const start: ParameterSpec[] = [
  { name: 'height', field: 'motes.position', elements: [0], component: 1, initial: 1 },
  { name: 'speed', field: 'motes.velocity', elements: [0], component: 1, initial: 1 },
];
const device = f64Device();

async function fall(rest: Partial<Problem> = {}, noise = NOISE, normal = () => 0): Promise<Problem> {
  const model = motesModel(0);
  const weights = [0, 1, 0, 0, 0, 0];
  return {
    model,
    ...RUN,
    parameters: [{ ...gravity, initial: -9.81 }, ...start],
    observations: [{ field: 'motes.seen', target: await seenBy(model, noise, normal), weights, noise: NOISE }],
    ...rest,
  };
}

/** Standard error of gravity by linear least squares of y = h + v t + g t (t + dt) / 2. */
function exact(frames: number, rate: number, substeps: number): number {
  const rows = Array.from({ length: frames }, (_, k) => [
    1,
    k / rate,
    (k / rate) * (k / rate + 1 / rate / substeps) * 0.5,
  ]);
  const [[a, b, c], [, d, e], [, , f]] = [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => rows.reduce((sum, row) => sum + (row[i] * row[j]) / NOISE ** 2, 0)),
  );
  const determinant = a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c);
  return Math.sqrt((a * d - b * b) / determinant);
}

it('foretells the standard errors of linear least squares, now and for more frames and a longer film', async () => {
  const candidates: PlanCandidate[] = [
    { words: 'rate', change: { frameRate: 2 } },
    { words: 'longer', change: { seconds: 1.5 } },
  ];
  const { now, planned, failed } = await planExperiment(await fall(), { wanted: ['gravity'], candidates }, { device });
  expect(failed).toEqual([]);
  const bar = (words: string): number => planned.find((own) => own.words === words)!.standardErrors.gravity;
  expect(now.standardErrors.gravity / exact(24, 24, 2)).toBeCloseTo(1, 5);
  expect(bar('rate') / exact(47, 48, 1)).toBeCloseTo(1, 5);
  expect(bar('longer') / exact(36, 24, 2)).toBeCloseTo(1, 1);
  expect(planned.map(({ words }) => words)).toEqual(['longer', 'rate']);
  expect(planned[0].ratio).toBeCloseTo(bar('longer') / now.standardErrors.gravity, 9);
});

it('counts tolerances of what was measured, other values, and frames in which nothing is seen', async () => {
  const problem = await fall({ given: [{ name: 'zoom', field: 'world.zoom', value: 1, tolerance: 0.02 }] });
  const candidates: PlanCandidate[] = [
    { words: 'measure', change: { tolerances: { zoom: 0.25 } } },
    { words: 'zoom', change: { values: ({ zoom }) => ({ zoom: 4 * zoom }) } },
    { words: 'away', change: { values: () => ({ height: -50 }) } },
    { words: 'unknown', change: { values: () => ({ colour: 3 }) } },
  ];
  const isSeen = (predicted: Readonly<Record<string, Float64Array>>, frame: number): boolean =>
    predicted['motes.seen'][6 * frame + 1] > -15;
  const { now, planned, failed } = await planExperiment(
    problem,
    { wanted: ['gravity'], candidates, isSeen },
    { device },
  );
  // Gravity is to 2 % what the zoom is.
  expect(now.standardErrors.gravity / Math.hypot(exact(24, 24, 2), 0.02 * 9.81)).toBeCloseTo(1, 2);
  const bar = (words: string): number => planned.find((own) => own.words === words)!.standardErrors.gravity;
  expect(bar('measure') / Math.hypot(exact(24, 24, 2), 0.005 * 9.81)).toBeCloseTo(1, 2);
  expect(bar('zoom') / Math.hypot(exact(24, 24, 2) / 4, (0.02 * 9.81) / 4)).toBeCloseTo(1, 2);
  expect(now.seenFrames).toBe(24);
  expect(failed.map(({ words }) => words)).toEqual(['away', 'unknown']);
  expect(failed[0].reason).toContain('seen in 0 of 24 frames');
});

it('scales what an estimate found, and is kept by the estimate of the planned experiment', async () => {
  const seed = seedOfRun('plan kept');
  const normal = normalNumbers(randomNumbers(seed));
  const noisy = await fall({}, NOISE, normal);
  const first = await estimate(noisy, { device });
  const found = { gravity: first.parameters.gravity.standardError };
  const candidates = [{ words: 'longer', change: { seconds: 2 } }];
  const { planned } = await planExperiment(noisy, { wanted: ['gravity'], candidates, found }, { device });
  const frames = 47;
  const simulation = await createSimulation(motesModel(0), { device, ...RUN, frames, record: ['motes.seen'] });
  simulation.forward();
  const target = (await simulation.readFrames('motes.seen')).map((v) => v + NOISE * normal());
  simulation.dispose();
  const weights = [0, 1, 0, 0, 0, 0];
  const second = await estimate(
    { ...noisy, frames, observations: [{ field: 'motes.seen', target, weights, noise: NOISE }] },
    { device },
  );
  const ratio = planned[0].standardErrors.gravity / second.parameters.gravity.standardError!;
  expect(ratio).toBeGreaterThan(1 / 2.5);
  expect(ratio).toBeLessThan(2.5);
});

it('refuses what is not there, and problems that it cannot plan', async () => {
  const problem = await fall();
  const options = { candidates: [], wanted: ['mass'] };
  await expect(planExperiment(problem, options, { device })).rejects.toThrowCode('optim/parameter-missing');
  const other = { ...problem, losses: [{ name: 'none', recordedFields: {}, loss: () => 0 }] } as unknown as Problem;
  await expect(planExperiment(other, { ...options, wanted: ['gravity'] }, { device })).rejects.toThrowCode(
    'optim/plan-not-with',
  );
});
