import { resolve } from 'node:path';
import { isFile } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import { filmFiles } from '@gradsim/video';
import { findExperiment } from '../experiment/find.ts';
import type { LoadedExperiment } from '../experiment/load.ts';
import { loadExperiment } from '../experiment/load.ts';
import { planKept, readPlan } from '../experiment/plan-file.ts';
import type { EstimateRequest, SharedRecord } from '../experiment/record/record.ts';
import { sharedRecord } from '../experiment/record/record.ts';
import { runExperiment } from '../experiment/run.ts';
import { resultFile } from '../experiment/start-from.ts';
import { filmOf, sayTrack } from '../experiment/track.ts';
import { hashOfFile } from '../files/hash-of-file.ts';
import type { FileRecord } from '../modules/sources.ts';
import { markedPng } from '../report/marks.ts';
import { reportHtml } from '../report/report.ts';
import { comparisons, resultJson } from '../report/result.ts';
import { OF_ESTIMATES, removeEarlier } from '../run/earlier.ts';
import { chooseFolder, RunFolder, takeFolder } from '../run/folder.ts';
import { OpenRun } from '../run/open-run.ts';
import type { RunRequest } from '../run/request.ts';
import { enterFolderOf, readRequest, refuseChanges } from '../run/request.ts';
import { watchInterrupt } from '../terminal/interrupt.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { chooseDevice } from './choose-device.ts';
import { asDeviceName } from './device-name.ts';

/** Options of `gradsim estimate`. */
export interface EstimateCommandOptions {
  readonly video?: string;
  readonly track?: number;
  readonly device: string;
  readonly threads?: number;
  readonly profile?: boolean;
  readonly out?: string;
  readonly resume?: string;
  readonly json?: boolean;
  readonly force?: boolean;
  readonly seed?: number;
  readonly iterations?: number;
  readonly starts?: number;
  readonly from?: string;
  readonly intervals?: EstimateRequest['intervals'];
  readonly verify?: true;
  readonly set: Readonly<Record<string, string>>;
  /** Unknowns that several experiments share. */
  readonly shared?: readonly string[];
  /** Plan whose foretold standard errors are compared with those found. */
  readonly plan?: string;
  readonly quiet?: boolean;
}

/** Exit code of a run that ended normally, but whose last stage's result is not trusted. */
const DISTRUSTED = 3;

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
    const loaded = await loadExperiment(findExperiment(request.experiment));
    return await run(loaded, { request, take: () => files, before }, { ...options, device, threads }, terminal);
  } finally {
    files.close();
  }
}

interface Task {
  readonly request: EstimateRequest;
  /** Acquires the results folder for this run. */
  readonly take: () => RunFolder;
  /** Request recorded by the run to resume; null for a new run. */
  readonly before: RunRequest | null;
}

async function run(
  loaded: LoadedExperiment,
  { request, take, before }: Task,
  options: EstimateCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { json = false, quiet = false } = options;
  const { experiment, engine } = loaded;
  const plan = options.plan === undefined ? undefined : readPlan(options.plan);
  const deviceName = asDeviceName(options.device, ['auto', 'cpu', 'webgpu', 'f64']);
  const { device, printProfile } = await chooseDevice(engine.core, deviceName, options, terminal);
  let open: OpenRun | undefined;
  const interrupt = watchInterrupt(
    () => terminal.say('Stopping after this iteration; interrupt once more to end at once.'),
    () => terminal.say(open?.goOn() ? `Ended. Go on with: ${open.goOn()}` : 'Ended.'),
    true,
  );
  const { signal } = interrupt;
  try {
    const shared = await sharedRecord(request, device);
    const now = await runRequest(loaded, request, shared, options.threads);
    if (before) refuseChanges(before, now);
    open = new OpenRun(take(), now, { isResumed: before !== null, signal, say: terminal.say });
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
      onStage: async (done) => {
        const compared = await comparisons(done);
        for (const { file, comparison } of compared.values()) folder.write(file, markedPng(comparison.sheet));
        folder.write('result.json', resultJson(experiment, done, compared));
        folder.write('report.html', await reportHtml(experiment, done));
      },
    });
    if (!signal.aborted) open.end();
    if (stages.length === 0) terminal.say('Interrupted before the first iteration: there is no result yet.');
    else if (!quiet) terminal.say(`Report: ${open.name}/report.html`);
    if (signal.aborted && open.goOn()) terminal.say(`Go on with: ${open.goOn()}`);
    const last = stages.at(-1)?.record;
    if (plan && last) for (const line of planKept(plan, last)) (json ? terminal.say : terminal.print)(line);
    if (signal.aborted || !last) return interrupt.code();
    if (!last.verdict.trusted) return DISTRUSTED;
    return last.goal?.reached === false ? NOT_REACHED : interrupt.code();
  } catch (error) {
    throw open ? open.failed(error) : error;
  } finally {
    open?.close();
    interrupt.dispose();
    printProfile();
    device.dispose();
  }
}

async function runRequest(
  { sources }: LoadedExperiment,
  request: EstimateRequest,
  { device, video }: SharedRecord,
  threads: number | undefined,
): Promise<RunRequest> {
  const { sha256, modules, versions } = sources();
  return {
    format: 1,
    request,
    from: process.cwd(),
    device,
    threads,
    experiment: { file: request.experiment, sha256 },
    modules,
    versions,
    ...(video ? { video } : {}),
    files: await namedFiles(request.settings),
  };
}

/** Files named by settings, such as a goal picture; paths are relative to the folder in which the command runs. */
const namedFiles = (settings: EstimateRequest['settings']): Promise<FileRecord[]> =>
  Promise.all(
    Object.values(settings)
      .filter(isFile)
      .map(async (file) => ({ file, sha256: await hashOfFile(file) })),
  );
