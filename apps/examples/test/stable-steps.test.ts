import { readdirSync, readFileSync } from 'node:fs';
import { cpuDevice, createSimulation } from '@gradsim/core';
import type { Experiment, Run } from '@gradsim/optim';
import { afterAll, describe, expect, it } from 'vitest';
import { dropModel, substepsPerFrame } from '../src/ball-drop/model.ts';

const folder = new URL('../src/', import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .filter((name) => readFileSync(new URL(name, folder), 'utf8').includes('export default defineExperiment'));
/** Experiments that need a film that is not in the repository; the model of photo-toss is that of toss. */
const FROM_FILMS = ['ball-drop.ts', 'photo-toss.ts'];

const device = cpuDevice({ threads: 1 });
afterAll(() => device.dispose());

type Steps = Pick<Run, 'model' | 'frameRate' | 'substeps'>;

async function warningsOf(runs: readonly Steps[]): Promise<string[]> {
  const warnings: string[] = [];
  const onWarning = (warning: string): number => warnings.push(warning);
  for (const { model, frameRate, substeps } of runs)
    (await createSimulation(model, { device, frames: 2, frameRate, substeps, onWarning })).dispose();
  return warnings;
}

describe('warnings of unstable steps', () => {
  it('are tested for all experiments in the source folder, more than 25', () => {
    expect(names.length).toBeGreaterThan(25);
    expect(names).toEqual(expect.arrayContaining(FROM_FILMS));
  });
  const drawing = names.filter((name) => !FROM_FILMS.includes(name));
  it.each(drawing)('are not given by %s', async (name) => {
    const { default: experiment } = (await import(new URL(name, folder).href)) as { default: Experiment };
    const context = { device, settings: {}, log: () => {} };
    const runs = experiment.motion
      ? [await experiment.motion(context)]
      : (await experiment.stages(context)).map(({ problem }) => problem);
    expect(runs.length).toBeGreaterThan(0);
    expect(await warningsOf(runs)).toEqual([]);
  });
  it.each([true, false])('are not given by ball-drop.ts with its own model, with a floor: %s', async (hasFloor) => {
    const run = { model: dropModel(hasFloor), frameRate: 120, substeps: substepsPerFrame(hasFloor) };
    expect(await warningsOf([run])).toEqual([]);
  });
});
