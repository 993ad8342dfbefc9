import { resolve } from 'node:path';
import { GradsimError } from '@gradsim/core';
import { filmFiles } from '@gradsim/video';
import { findExperiment } from '../../experiment/find.ts';
import type { LoadedExperiment } from '../../experiment/load.ts';
import { loadExperiment } from '../../experiment/load.ts';
import { planKept, readPlan } from '../../experiment/plan-file.ts';
import type { EstimateRequest } from '../../experiment/record/record.ts';
import { runExperiment } from '../../experiment/run.ts';
import { resultFile } from '../../experiment/start-from.ts';
import { filmOf, sayTrack } from '../../experiment/track.ts';
import { markedPng } from '../../report/marks.ts';
import { reportHtml } from '../../report/report.ts';
import { comparisons, resultJson } from '../../report/result.ts';
import { OF_ESTIMATES, removeEarlier } from '../../run/earlier.ts';
import { chooseFolder, RunFolder, takeFolder } from '../../run/folder.ts';
import { enterFolderOf, readRequest } from '../../run/request.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { formulasOf } from '../../track/options.ts';
import { asDeviceName } from '../device/device-name.ts';
import type { EstimateCommandOptions } from './estimate-options.ts';
import { DISTRUSTED, runInFolder, type Task } from './run-in-folder.ts';

/** Exit code of a run that ended normally, but whose last stage did not reach its goal. */
const NOT_REACHED = 4;

/** Options refused with `--resume`, since the resumed run has recorded them. */
const OF_THE_RUN = [
  'video',
  'track',
  'out',
  'force',
  'seed',
  'iterations',
  'starts',
  'from',
  'intervals',
  'verify',
  'threads',
] as const;

/**
 * `gradsim estimate`: runs an experiment, prints its estimates, and writes `result.json`, `report.html` and frames,
 * rewritten after each stage. Until the run ends, its folder also has the files needed to resume it: `--resume FOLDER`.
 * Returns the exit code: after a signal, 128 plus its number; 3 where the last stage's result is not to be trusted, 4
 * where it did not reach its goal.
 * @throws before anything runs, for an unknown experiment, device or video, and for a folder that is in use or cannot
 * be written to.
 */
export async function estimateCommand(
  name: string | undefined,
  options: EstimateCommandOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.json) terminal.reserveOutput?.();
  if (options.resume !== undefined) return resume(resolve(options.resume), name, options, terminal);
  if (name === undefined)
    throw new GradsimError(
      'gradsim/no-experiment',
      'Which experiment? Give a module or the name of an example, or --resume FOLDER.',
    );
  if (options.shared)
    throw new GradsimError('gradsim/options-contradict', '--shared is of several experiments, and there is one.', {
      field: '--shared',
      hint: 'Name the others too: gradsim estimate ONE TWO --shared gravity.',
    });
  const { seed, iterations, starts, from, intervals, verify, set: settings, force = false } = options;
  const video = filmOf(options.video, options.track);
  const request: EstimateRequest = {
    experiment: name,
    video,
    seed,
    iterations,
    starts,
    from,
    intervals,
    verify,
    settings,
  };
  asDeviceName(options.device, ['auto', 'cpu', 'webgpu', 'f64']);
  const file = findExperiment(name);
  if (video !== undefined) {
    await filmFiles(video);
    await sayTrack(video, terminal);
  }
  if (from !== undefined) resultFile(from);
  if (options.out !== undefined) chooseFolder(options.out, name, force);
  const loaded = await loadExperiment(file);
  chooseFolder(options.out, loaded.experiment.name, force);
  const needed = [...(from === undefined ? [] : [resultFile(from)]), ...Object.values(settings)];
  const take = (): RunFolder => {
    const files = takeFolder(options.out, loaded.experiment.name, force);
    try {
      if (force) removeEarlier(files.path, OF_ESTIMATES, needed);
      return files;
    } catch (error) {
      files.close();
      throw error;
    }
  };
  return run(loaded, { request, take, before: null }, options, terminal);
}

/** Resumes the interrupted run whose data are in a folder. */
async function resume(
  folder: string,
  name: string | undefined,
  options: EstimateCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const given = OF_THE_RUN.filter((option) => options[option] !== undefined);
  const extra = [...(name === undefined ? [] : [`"${name}"`]), ...given.map((option) => `--${option}`)];
  if (extra.length > 0 || Object.keys(options.set).length > 0)
    throw new GradsimError(
      'gradsim/options-contradict',
      `--resume goes on with a run as it was asked for, so leave out ${[...extra, ...(Object.keys(options.set).length > 0 ? ['--set'] : [])].join(', ')}.`,
    );
  // A folder without a run is left unchanged.
  readRequest(folder);
  const files = new RunFolder(folder);
  try {
    // Another run may have ended there meanwhile.
    const before = readRequest(folder);
    enterFolderOf(before, folder);
    const { request, device, threads } = before;
    const task = { request, take: () => files, before };
    const own = { ...options, device, threads };
    if (request.others) return await (await import('./together.ts')).runTogether(task, own, terminal);
    return await run(await loadExperiment(findExperiment(request.experiment)), task, own, terminal);
  } finally {
    files.close();
  }
}

async function run(
  loaded: LoadedExperiment,
  task: Task,
  options: EstimateCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { json = false, quiet = false } = options;
  const { experiment } = loaded;
  const { request } = task;
  const plan = options.plan === undefined ? undefined : readPlan(options.plan);
  const formulas = formulasOf(options);
  return runInFolder([loaded], task, options, terminal, async () => async ({ open, device, signal, shared }) => {
    const { folder, journal } = open;
    const stages = await runExperiment(loaded, {
      device,
      request,
      shared,
      journal,
      signal,
      terminal,
      json,
      quiet,
      formulas,
      onStage: async (done) => {
        const compared = await comparisons(done);
        for (const { file, comparison } of compared.values()) folder.write(file, markedPng(comparison.sheet));
        folder.write('result.json', resultJson(experiment, done, compared));
        folder.write('report.html', await reportHtml(experiment, done));
      },
    });
    if (stages.length === 0) terminal.say('Interrupted before the first iteration: there is no result yet.');
    else if (!quiet) terminal.say(`Report: ${open.name}/report.html`);
    const last = stages.at(-1)?.record;
    if (plan && last) for (const line of planKept(plan, last)) (json ? terminal.say : terminal.print)(line);
    if (!last) return 0;
    if (!last.verdict.trusted) return DISTRUSTED;
    return last.goal?.reached === false ? NOT_REACHED : 0;
  });
}
