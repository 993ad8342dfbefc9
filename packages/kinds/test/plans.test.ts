// Which experiment next: what the film of a throw foretells of others, and what these give.
import { cpuDevice } from '@gradsim/core';
import { type ExperimentPlan, estimate, planExperiment } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { flight, KINDS, measuredOf } from '../src/index.ts';
import { FIELD_OF_VIEW, filmed, pathInAir, RADIUS } from './support/drawn-ball.ts';

const device = cpuDevice();

/** Stage of the film of a throw, and what is found in it. */
async function thrown(seconds: number, rate: number, radiusTolerance: number) {
  const times = Array.from({ length: Math.round(seconds * rate) + 1 }, (_, k) => k / rate);
  const video = await filmed(times, pathInAir(0.05, { height: 0.2, velocity: [0.9, 2.9] }, seconds));
  const measured = {
    video: 'a.mp4',
    radius: `${RADIUS}`,
    fieldOfView: `${FIELD_OF_VIEW}`,
    chroma: 'centre',
    lengthTolerance: `${radiusTolerance}`,
    angleTolerance: '0',
  };
  const context = { device, video, log: () => {}, fileOf: (path: string) => path };
  const [stage] = await flight.stages(measuredOf(flight, measured) as never, context);
  return { stage, found: await estimate(stage.problem, { device }) };
}

it('foretells within a factor of 1.5 the bars of films that are drawn for other experiments', async () => {
  const { stage, found } = await thrown(0.4, 30, 0.005);
  const all = Object.entries({ ...found.parameters, ...found.given });
  const { planned, failed }: ExperimentPlan = await planExperiment(
    stage.problem,
    {
      wanted: ['gravity'],
      candidates: stage.plan!.candidates!,
      isSeen: stage.plan!.isSeen,
      values: Object.fromEntries(all.map(([name, own]) => [name, own.estimate])),
      found: { gravity: found.parameters.gravity.standardError },
    },
    { device },
  );
  expect(failed).toEqual([]);
  const foretold = (words: RegExp): number => planned.find((own) => words.test(own.words))!.standardErrors.gravity;
  const others = [
    [foretold(/half as much again/), await thrown(0.6, 30, 0.005)],
    [foretold(/measure radius/), await thrown(0.4, 30, 0.00125)],
    [foretold(/twice the frames/), await thrown(0.4, 60, 0.005)],
  ] as const;
  const ratios = others.map(([bar, other]) => other.found.parameters.gravity.standardError! / bar);
  console.info(`now ${found.parameters.gravity.standardError}, ratios ${ratios.join(', ')}`);
  expect(ratios.filter((ratio) => ratio < 1.5 && ratio > 1 / 1.5).length).toBeGreaterThanOrEqual(2);
});

it('every film of a kind has experiments to choose from, and names the wanted answer', async () => {
  const { stage } = await thrown(0.4, 30, 0.005);
  expect(stage.plan!.wanted).toEqual(['gravity', 'drag']);
  expect(stage.plan!.candidates!.map(({ words }) => words)).toContain('throw it up faster, by 0.5 m/s');
  for (const { candidates = [] } of KINDS) for (const { words } of candidates) expect(words).toMatch(/^[a-z].*[^.]$/);
});
