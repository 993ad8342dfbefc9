import { createSimulation, f64Device } from '@gradsim/core';
import type { Estimate, ParameterSpec, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { LINE, lineModel, lineParameters, PIXELS } from '../line.ts';

const device = f64Device();
const model = lineModel();
const clean = await shown();
const normal = normalNumbers(randomNumbers(seedOfRun('noise given', 5)));

async function shown(): Promise<Float64Array> {
  const simulation = await createSimulation(model, { device, ...LINE, record: ['pixels.light'] });
  simulation.forward();
  const seen = await simulation.readFrames('pixels.light');
  simulation.dispose();
  return seen;
}
interface Setting {
  readonly leastShare?: number;
  readonly noise?: number;
  readonly parameters?: readonly ParameterSpec[];
  readonly options?: Problem['options'];
}
const judged = (
  sizeIn: (frame: number) => number,
  { leastShare = 0, noise = 0.005, parameters = lineParameters(0.1), options }: Setting = {},
): Promise<Estimate> =>
  estimate(
    {
      model,
      ...LINE,
      parameters,
      options,
      observations: [
        {
          field: 'pixels.light',
          target: clean.map((value, k) => value + sizeIn(Math.floor(k / PIXELS)) * normal()),
          noise,
          leastShare,
        },
      ],
    },
    { device },
  );
const beyond = ({ verdict }: Estimate): string[] =>
  verdict.findings.flatMap(({ kind, isCritical, note }) => (kind === 'beyond noise' && isCritical ? [note] : []));

it('residuals of 1.78 times the stated noise cause a critical finding, of 1 times none', async () => {
  expect(beyond(await judged(() => 1.78 * 0.005))).toEqual([
    expect.stringMatching(
      /^The residual of pixels\.light is 1\.[78]\d? times the given noise: the model lacks something/,
    ),
  ]);
  expect(beyond(await judged(() => 0.005))).toEqual([]);
});

it('residuals of 1.78 times a stated least noise cause no critical finding, of 2.5 times one', async () => {
  expect(beyond(await judged(() => 1.78 * 0.005, { leastShare: 1 }))).toEqual([]);
  expect(beyond(await judged(() => 2.5 * 0.005, { leastShare: 1 }))).toHaveLength(1);
});

it('a finding of residuals beyond the stated noise names the range of frames with most of the excess', async () => {
  const [note] = beyond(await judged((frame) => (frame < 12 ? 0.02 : 0.005)));
  const [, first, last] = /times the given noise, most of it in frames (\d+) to (\d+):/.exec(note)!.map(Number);
  expect(last).toBeLessThan(12);
  expect(last - first).toBeGreaterThan(6);
});

it('a target that is mostly its stated noise is not said to change where the model never is, or to be unexplained', async () => {
  const { verdict } = await judged(() => 0.5, { noise: 0.5 });
  expect(verdict.findings.filter(({ kind }) => kind === 'elsewhere' || kind === 'unexplained')).toEqual([]);
});

it('a model that is farther from its target than no change at all is said to be, with the ratio of squares', async () => {
  const { verdict } = await judged(() => 0.005, {
    parameters: lineParameters(2),
    options: { search: { iterations: 0 } },
  });
  const [note] = verdict.findings.flatMap(({ kind, note }) => (kind === 'unexplained' ? [note] : []));
  expect(note).toMatch(/farther from pixels\.light than values that do not change at all: .* are 1\.\d+ times/);
});
