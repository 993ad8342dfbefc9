import { cpuDevice } from '@gradsim/core';
import { afterAll, expect, it } from 'vitest';
import { drawTrials, FAULT_NAMES, KIND_NAMES } from '../src/misspecified/drawn.ts';
import type { FaultName, ModelFault } from '../src/misspecified/faults.ts';
import { FAULTS } from '../src/misspecified/faults.ts';
import { Camera, CHANNELS, EXACT_CLOCK } from '../src/misspecified/film.ts';
import type { Kind } from '../src/misspecified/kind.ts';
import { NO_DEPARTURE } from '../src/misspecified/kind.ts';
import { KINDS } from '../src/misspecified/kinds/index.ts';
import { linesOf } from '../src/misspecified/lines.ts';
import { shareOf } from '../src/misspecified/summary.ts';
import { runTrial } from '../src/misspecified/trial.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.dispose());

const largestOf = (unknowns: readonly { readonly b: number }[]): number =>
  Math.max(...unknowns.map(({ b }) => Math.abs(b)));

it('draws the same trials for a seed: a quarter with correct models, all pairs of scene and model error equally often', () => {
  const draw = (seed: number) => drawTrials({ count: 400, seed }, KIND_NAMES, FAULT_NAMES);
  const trials = draw(5);
  expect(draw(5)).toEqual(trials);
  expect(draw(6)).not.toEqual(trials);
  expect(trials.filter(({ fault }) => fault === 'none')).toHaveLength(100);
  const pairs = new Map<string, number>();
  for (const { kind, fault } of trials.filter((trial) => trial.fault !== 'none'))
    pairs.set(`${kind} ${fault}`, (pairs.get(`${kind} ${fault}`) ?? 0) + 1);
  const counts = [...pairs.values()];
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  for (const [low, high] of [
    [0, 0.5],
    [0.5, 2],
    [2, 5],
    [5, 50],
  ])
    expect(trials.filter(({ bias }) => bias > 0 && bias >= low && bias < high)).toHaveLength(75);
  const measured = trials.filter(({ fault }) => fault === 'size' || fault === 'field of view');
  const beyond = measured.filter(({ tolerances }) => tolerances !== null);
  expect(Math.abs(2 * beyond.length - measured.length)).toBeLessThanOrEqual(1);
  expect(trials.filter(({ isNoiseGiven }) => isNoiseGiven)).toHaveLength(200);
});

it('ten times a small model error changes a film 8 to 11 times as much, for a ball and an arm', async () => {
  for (const name of ['ball', 'arm'] as const) {
    const kind: Kind = KINDS[name];
    const { frames } = kind.timeline;
    const truth = Object.fromEntries(kind.unknowns.map((unknown) => [unknown.name, unknown.trueRange[0]]));
    const camera = new Camera(kind, truth, device);
    const right = await camera.film(NO_DEPARTURE, EXACT_CLOCK);
    const changeBy = async (fault: ModelFault, strength: number): Promise<number> => {
      const film = await fault.film(camera, frames, strength, 1);
      return Math.sqrt(film.reduce((sum, v, k) => (k % CHANNELS === 3 ? sum : sum + (v - right[k]) ** 2), 0));
    };
    for (const [faultName, fault] of Object.entries(FAULTS) as [FaultName, ModelFault][]) {
      // Frames are dropped as a whole.
      if (!fault.kinds.includes(name) || fault.comesTo) continue;
      const times = (await changeBy(fault, 0.01 * fault.most)) / (await changeBy(fault, 0.001 * fault.most));
      expect(times, `${name} ${faultName}`).toBeGreaterThan(8);
      expect(times, `${name} ${faultName}`).toBeLessThan(11);
    }
  }
});

it('a correct model has no bias, and estimates are within 5 standard errors of the truth', async () => {
  for (const drawn of drawTrials({ count: 3, seed: 1 }, ['toss', 'slide', 'beam'], ['none'])) {
    const { unknowns, strength } = await runTrial(drawn, { device, isGiven: false });
    expect(strength).toBe(0);
    expect(largestOf(unknowns)).toBeLessThan(1e-6);
    for (const { estimate, truth, whiteNoiseError: plainError } of unknowns)
      expect(Math.abs(estimate - truth) / plainError).toBeLessThan(5);
  }
});

it('a model error is scaled until its bias is within 25 % of the drawn one, and estimates are off by it within 5 standard errors', async () => {
  const lines: unknown[] = [];
  for (const drawn of drawTrials({ count: 4, seed: 2 }, ['toss'], ['frame rate', 'lens', 'drag'])) {
    const outcome = await runTrial(drawn, { device, isGiven: false });
    const { unknowns } = outcome;
    expect(largestOf(unknowns) / drawn.bias).toBeGreaterThan(0.8);
    expect(largestOf(unknowns) / drawn.bias).toBeLessThan(1.25);
    for (const { estimate, truth, whiteNoiseError: plainError, b } of unknowns)
      expect(Math.abs((estimate - truth) / plainError - b)).toBeLessThan(5);
    lines.push(linesOf(outcome).map(({ seconds: _, allSeconds: __, ...line }) => line));
  }
  const [again] = drawTrials({ count: 4, seed: 2 }, ['toss'], ['frame rate', 'lens', 'drag']);
  const repeated = linesOf(await runTrial(again, { device, isGiven: false })).map(
    ({ seconds: _, allSeconds: __, ...line }) => line,
  );
  expect(repeated).toEqual(lines[0]);
});

it('the error of a measured size is drawn within its tolerance or beyond it, as the trial says', async () => {
  const trials = drawTrials({ count: 2, seed: 1 }, ['slide'], ['size']);
  const outcomes = [];
  for (const drawn of trials) outcomes.push(await runTrial(drawn, { device, isGiven: true }));
  const beyond = outcomes.filter(({ drawn }) => drawn.tolerances !== null);
  expect(beyond.map(({ isCovered }) => isCovered)).toEqual([false]);
  expect(beyond.map(({ strength }) => Math.abs(strength) > 0.03)).toEqual([true]);
  const within = outcomes.filter(({ drawn }) => drawn.tolerances === null);
  expect(within.map(({ isCovered }) => isCovered)).toEqual([true]);
});

it('the lower confidence bound of a share counts estimates, not unknowns, if the unknowns of an estimate succeed or fail together', () => {
  const alike = Array.from({ length: 20 }, (_, k) => Array(5).fill(k >= 2) as boolean[]);
  const apart = Array.from({ length: 20 }, (_, k) => Array.from({ length: 5 }, (__, i) => k % 2 > 0 || i > 0));
  expect(shareOf(alike)).toMatchObject({ share: 0.9, unknowns: 100, answers: 20 });
  expect(shareOf(apart)).toMatchObject({ share: 0.9 });
  // Wilson's lower end for 18 of 20, and for 90 of 100.
  expect(shareOf(alike)!.least).toBeCloseTo(0.73, 1);
  expect(shareOf(apart)!.least).toBeCloseTo(0.84, 1);
  expect(shareOf([])).toBeNull();
});
