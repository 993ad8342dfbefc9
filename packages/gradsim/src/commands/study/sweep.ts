import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import { quote } from '../../experiment/record/record.ts';
import { type DataFolder, readDataFolder } from '../../study/load/data-folder.ts';
import { listTrials } from '../../study/load/list-trials.ts';
import { loadStudy } from '../../study/load/load-study.ts';
import type { LoadedStudy, StudySource } from '../../study/load/source.ts';
import type { StudyRecord } from '../../study/load/study-record.ts';
import { recordOf, versionOf } from '../../study/load/version.ts';
import type { TrialConditions } from '../../study/processes/messages.ts';
import { processPool } from '../../study/processes/pool.ts';
import { countResults, type StudyCounts } from '../../study/results/counts.ts';
import { type SweepOptions, sweep } from '../../study/sweep.ts';
import type { Trial } from '../../study/trial.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';
import { formatNumber } from '../../terminal/numbers.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { asDeviceName } from '../device/device-name.ts';

/** Options of trials: of `gradsim sweep`, `gradsim worker`, and `gradsim study` of films. */
export interface TrialCommandOptions {
  /** Memory limit of a trial, MB; default: four fifths of the machine's memory, divided by the number of processes. */
  readonly memoryLimit?: number;
}

/** Options of `gradsim sweep`, and of `gradsim study` of films. */
export interface SweepCommandOptions extends TrialCommandOptions {
  readonly out: string;
  readonly workers: number;
  readonly attempts: number;
  readonly timeLimit: number;
  readonly device: string;
  readonly set: Readonly<Record<string, string>>;
  /** Folder of data, whose hash is part of the study's version. */
  readonly data?: string;
  /** Address of the server on which trials are queued for workers; without it, trials run on this machine. */
  readonly queue?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Exit code of a study of which some trials failed, or have no result. */
const SOME_FAILED = 5;

/**
 * `gradsim sweep`: runs the trials of a study that have no results yet. Returns the exit code: 5 if trials failed or have no result;
 * after a signal, 128 plus its number.
 * @throws before anything runs, for a study that cannot be loaded or has invalid trials.
 */
export async function sweepCommand(file: string, options: SweepCommandOptions, terminal: Terminal): Promise<number> {
  if (options.json) terminal.reserveOutput?.();
  const loaded = await loadStudy({ study: resolve(file) });
  const data = options.data === undefined ? undefined : await readDataFolder(options.data);
  const trials = await listTrials({ ...loaded, code: versionOf(loaded, data) }, options.set);
  const study = { loaded, data, source: { study: resolve(file) }, name: file };
  const code = await runSweep(study, trials, options, terminal);
  if (!options.quiet) terminal.say(`For its page: gradsim study ${quote(options.out)}`);
  return code;
}

/** A loaded study, with the data folder and name from the command line. */
export interface NamedStudy {
  readonly loaded: LoadedStudy;
  readonly data?: DataFolder;
  readonly source: StudySource;
  readonly name: string;
}

/** Memory limit of a trial, MB. */
export const megabytesOf = ({ memoryLimit }: TrialCommandOptions, sideBySide: number): number =>
  memoryLimit ?? (0.8 * totalmem()) / 1e6 / sideBySide;

/** Runs the trials of a study, and prints the counts of all results in its folder. */
export async function runSweep(
  study: NamedStudy,
  trials: readonly Trial[],
  options: SweepCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { json = false, quiet = false } = options;
  const record = recordOf(study.loaded, study.data, study.name, trials.length);
  const out = resolve(options.out);
  const isRemote = options.queue !== undefined;
  const place =
    options.queue !== undefined ? await queueOn(options.queue, record, options, terminal) : poolOf(study, out, options);
  const interrupt = watchInterrupt(
    () =>
      terminal.say(
        isRemote
          ? 'Stopping. Workers go on with what is queued, and its results wait there.'
          : 'Stopping after the trials that run; interrupt once more to end at once.',
      ),
    () => terminal.say('Ended. The same command goes on.'),
    !isRemote,
  );
  const { signal } = interrupt;
  try {
    await sweep(record, trials, { out, makeQueue: place.makeQueue, quiet, terminal, signal });
  } finally {
    interrupt.dispose();
    place.close();
  }
  const counts = countResults(out);
  if (json) terminal.print(JSON.stringify(counts));
  const say = json ? terminal.say : terminal.print;
  for (const line of tableOf(counts)) say(line);
  const left = trials.length - counts.trials;
  if (left > 0) terminal.say(`${left} trials are left. The same command goes on.`);
  if (signal.aborted) return interrupt.code();
  return counts.failed > 0 || left > 0 ? SOME_FAILED : 0;
}

const conditionsOf = ({ device, timeLimit }: SweepCommandOptions): TrialConditions => ({
  device: asDeviceName(device, ['auto', 'cpu', 'webgpu', 'f64']),
  seconds: timeLimit,
});

/** Place where trials are queued: in memory, or on a server. */
interface QueuePlace extends Pick<SweepOptions, 'makeQueue'> {
  /** Releases the resources of the place, even if no queue was made. */
  readonly close: () => void;
}

/** Queue in memory, with child processes on this machine as workers. */
function poolOf({ loaded, data, source }: NamedStudy, out: string, options: SweepCommandOptions): QueuePlace {
  const { workers, attempts } = options;
  const conditions = conditionsOf(options);
  const megabytes = megabytesOf(options, workers);
  const pool = { source, code: loaded.code, out, data: data?.path, megabytes, workers, attempts, conditions };
  return { makeQueue: async () => processPool(pool), close: () => {} };
}

/** Queue on a server, for workers on any machine. @throws if the server cannot be used. */
async function queueOn(
  address: string,
  record: StudyRecord,
  options: SweepCommandOptions,
  { say }: Terminal,
): Promise<QueuePlace> {
  const conditions = conditionsOf(options);
  const [{ queueAddress }, { connectQueue }, { remoteQueue }, { sweepIdIn }] = await Promise.all([
    import('../../queue/address.ts'),
    import('../../queue/connection.ts'),
    import('../../queue/remote-queue.ts'),
    import('../../queue/sweep-id.ts'),
  ]);
  const connection = await connectQueue(queueAddress(address), say);
  return {
    makeQueue: async (folder) =>
      remoteQueue({ connection, record, sweep: sweepIdIn(folder), conditions, attempts: options.attempts, say }),
    close: connection.close,
  };
}

function tableOf({ trials, failed, reasons, medians }: StudyCounts): string[] {
  const why = Object.entries(reasons).map(([reason, count]) => `${count} by ${reason}`);
  return [
    `${trials - failed} trials done${failed > 0 ? `, ${failed} failed: ${why.join(', ')}` : ''}`,
    ...Object.entries(medians).map(([name, value]) => `median ${name}: ${formatNumber(value, 6)}`),
  ];
}
