import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { filmFiles } from '@gradsim/video';
import { ExperimentError, isOfJavaScript } from '../experiment/call.ts';
import { findExperiment } from '../experiment/find.ts';
import type { LoadedExperiment } from '../experiment/load.ts';
import { loadExperiment } from '../experiment/load.ts';
import type { EstimateRequest, FileRecord, SharedRecord } from '../experiment/record.ts';
import { quote, sharedRecord } from '../experiment/record.ts';
import { runExperiment } from '../experiment/run.ts';
import { resultFile } from '../experiment/start-from.ts';
import { filmOf, sayTrack } from '../experiment/track.ts';
import { markedPng } from '../report/marks.ts';
import { reportHtml } from '../report/report.ts';
import { comparisons, resultJson } from '../report/result.ts';
import { OF_ESTIMATES, removeEarlier } from '../run/earlier.ts';
import { chooseFolder, JOURNAL, RUN, RunFolder, takeFolder } from '../run/folder.ts';
import { FileJournal, JournalMismatch, recordsIn } from '../run/journal.ts';
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
  readonly quiet?: boolean;
}

/** The exit code of a run to its end whose last stage is not to be trusted. */
const DISTRUSTED = 3;

/** The same of a run whose last stage did not reach its goal. */
const NOT_REACHED = 4;

/** Options that a run which is gone on with has already. */
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
 * `gradsim estimate`: runs an experiment, prints its estimates, and writes `result.json`, `report.html` and frames, anew as each
 * stage is done. Until the run is at its end, its folder also has what it takes to go on with it: `--resume FOLDER`.
 * Gives the exit code: after a signal, 128 and its number; 3 where the last stage's result is not to be trusted, 4 where it did not reach its goal.
 * @throws before anything runs for an unknown experiment, device or video and for a folder that is taken or cannot be
 * written to.
 */
export async function estimateCommand(
  name: string | undefined,
  options: EstimateCommandOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.json) terminal.reserveOutput?.();
  if (options.resume !== undefined) return resume(resolve(options.resume), name, options, terminal);
  if (name === undefined)
    throw new Error('Which experiment? Give a module or the name of an example, or --resume FOLDER.');
  const { seed, iterations, starts, from, intervals, verify, set: settings, force = false } = options;
  const video = filmOf(options.video, options.track);
  const request: EstimateRequest = {
    ...{ experiment: name, video, seed, iterations, starts, from, intervals, verify, settings },
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
  const take = (): RunFolder => {
    const files = takeFolder(options.out, loaded.experiment.name, force);
    try {
      if (force) removeEarlier(files.path, OF_ESTIMATES);
      return files;
    } catch (error) {
      files.close();
      throw error;
    }
  };
  return run(loaded, { request, take, before: null }, options, terminal);
}

/** Resumes the run in a folder. */
async function resume(
  folder: string,
  name: string | undefined,
  options: EstimateCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const given = OF_THE_RUN.filter((option) => options[option] !== undefined);
  const extra = [...(name === undefined ? [] : [`"${name}"`]), ...given.map((option) => `--${option}`)];
  if (extra.length > 0 || Object.keys(options.set).length > 0)
    throw new Error(
      `--resume goes on with a run as it was asked for, so leave out ${[...extra, ...(Object.keys(options.set).length > 0 ? ['--set'] : [])].join(', ')}.`,
    );
  // Nothing is made in a folder that has no run.
  readRequest(folder);
  const files = new RunFolder(folder);
  try {
    // Another run may have come to its end there meanwhile.
    const before = readRequest(folder);
    enterFolderOf(before, folder);
    const { request, device, threads } = before;
    const loaded = await loadExperiment(findExperiment(request.experiment));
    return await run(
      loaded,
      { request, take: () => files, before },
      { ...options, device, threads },
      terminal,
    );
  } finally {
    files.close();
  }
}

interface Task {
  readonly request: EstimateRequest;
  /** Takes the folder of the results. */
  readonly take: () => RunFolder;
  /** The run that is resumed. */
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
  const deviceName = asDeviceName(options.device, ['auto', 'cpu', 'webgpu', 'f64']);
  const { device, printProfile } = await chooseDevice(engine.core, deviceName, options, terminal);
  let files: RunFolder | undefined;
  let journal: FileJournal | undefined;
  const nameOf = ({ path }: RunFolder): string => relative('.', path) || '.';
  /** The command that resumes the run; undefined where there is nothing to resume. */
  const goOn = (): string | undefined =>
    files?.has(RUN) ? `gradsim estimate --resume ${quote(nameOf(files))}` : undefined;
  const interrupt = watchInterrupt(
    () => terminal.say('Stopping after this iteration; interrupt once more to end at once.'),
    () => terminal.say(goOn() ? `Ended. Go on with: ${goOn()}` : 'Ended.'),
  );
  try {
    const shared = await sharedRecord(request, device);
    const now = runRequest(loaded, request, shared, options.threads);
    if (before) refuseChanges(before, now);
    const folder = take();
    files = folder;
    for (const remark of folder.remarks) terminal.say(remark);
    if (!before) folder.write(RUN, `${JSON.stringify(now, null, 2)}\n`);
    journal = new FileJournal(folder.join(JOURNAL), interrupt.signal);
    if (journal.remark !== undefined) terminal.say(journal.remark);
    const stages = await runExperiment(loaded, {
      ...{ device, request, shared, journal, terminal, json, quiet },
      signal: interrupt.signal,
      onStage: async (done) => {
        const compared = await comparisons(done);
        for (const { file, comparison } of compared.values()) folder.write(file, markedPng(comparison.sheet));
        folder.write('result.json', resultJson(experiment, done, compared));
        folder.write('report.html', await reportHtml(experiment, done));
      },
    });
    const { aborted } = interrupt.signal;
    if (!aborted) for (const name of [JOURNAL, RUN]) folder.remove(name);
    if (stages.length === 0) terminal.say('Interrupted before the first iteration: there is no result yet.');
    else if (!quiet) terminal.say(`Report: ${nameOf(folder)}/report.html`);
    if (aborted && goOn()) terminal.say(`Go on with: ${goOn()}`);
    const last = stages.at(-1)?.record;
    if (aborted || !last) return interrupt.code();
    if (!last.verdict.trusted) return DISTRUSTED;
    return last.goal?.reached === false ? NOT_REACHED : interrupt.code();
  } catch (error) {
    const kept = files?.has(RUN) ? recordsIn(files.join(JOURNAL)) : 0;
    if (kept === 0 && !before) for (const name of [JOURNAL, RUN]) files?.remove(name);
    if (journal && isOfItsRecords(error, journal))
      throw new Error(
        `Record ${journal.position} of ${files?.join(JOURNAL)} is whole, but the run fails with its content, which is not what this command writes. Begin anew with --force.`,
        { cause: error },
      );
    if (kept > 0 && !(error instanceof JournalMismatch))
      terminal.say(
        `What it had worked out is kept, ${kept} ${kept === 1 ? 'record' : 'records'}. Once mended, go on with: ${goOn()}`,
      );
    throw error;
  } finally {
    journal?.close();
    files?.close();
    interrupt.dispose();
    printProfile();
    device.dispose();
  }
}

/** Whether a run failed over content of its journal, which is checked no further than by a hash. */
function isOfItsRecords(error: unknown, journal: FileJournal): boolean {
  if (!journal.isReplayed || error instanceof ExperimentError) return false;
  return isOfJavaScript(error) || (error instanceof Error && isOfJavaScript(error.cause));
}

function runRequest(
  { sources }: LoadedExperiment,
  request: EstimateRequest,
  { device, video }: SharedRecord,
  threads: number | undefined,
): RunRequest {
  const { sha256, modules, versions } = sources();
  return {
    ...{ format: 1, request, from: process.cwd(), device, threads },
    experiment: { file: request.experiment, sha256 },
    ...{ modules, versions, ...(video ? { video } : {}) },
    files: namedFiles(request.settings),
  };
}

/** The files that settings name, a picture of a goal say: from the folder in which the command runs. */
const namedFiles = (settings: EstimateRequest['settings']): FileRecord[] =>
  Object.values(settings)
    .filter((value) => existsSync(value) && statSync(value).isFile())
    .map((file) => ({ file, sha256: createHash('sha256').update(readFileSync(file)).digest('hex') }));
