import { isFile } from '@gradsim/base/files';
import type { Device } from '@gradsim/core';
import type { LoadedExperiment } from '../../experiment/load.ts';
import type { EstimateRequest, SharedRecord } from '../../experiment/record/record.ts';
import { sharedRecord } from '../../experiment/record/record.ts';
import { hashOfFile } from '../../files/hash-of-file.ts';
import type { FileRecord } from '../../modules/sources.ts';
import type { RunFolder } from '../../run/folder.ts';
import { OpenRun } from '../../run/open-run.ts';
import { type RunRequest, refuseChanges } from '../../run/request.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { chooseDevice } from '../device/choose-device.ts';
import { asDeviceName } from '../device/device-name.ts';
import type { EstimateCommandOptions } from './estimate-options.ts';

/** Exit code of a run that ended normally, but whose result is not trusted. */
export const DISTRUSTED = 3;

/** Run that is asked for: a request, and the folder that it goes to. */
export interface Task {
  readonly request: EstimateRequest;
  /** Acquires the results folder for this run. */
  readonly take: () => RunFolder;
  /** Request recorded by the run to resume; null for a new run. */
  readonly before: RunRequest | null;
}

/** Device and signal of a run. */
export interface RunContext {
  readonly device: Device;
  readonly signal: AbortSignal;
}

/** A run whose folder is open. */
export interface OpenContext extends RunContext {
  readonly open: OpenRun;
  readonly shared: SharedRecord;
}

/**
 * Runs estimates in a folder of their own, from which they are resumed if they are ended. Returns the exit code: that of the
 * work, or after a signal 128 plus its number.
 *
 * @param prepare what is done before the folder is touched; returns the work, which returns its exit code, or 0.
 * @throws before anything is written, what `prepare` does, and for a folder whose run would not be the same any more.
 */
export async function runInFolder(
  loaded: readonly LoadedExperiment[],
  { request, take, before }: Task,
  options: EstimateCommandOptions,
  terminal: Terminal,
  prepare: (context: RunContext) => Promise<(context: OpenContext) => Promise<number>>,
): Promise<number> {
  const deviceName = asDeviceName(options.device, ['auto', 'cpu', 'webgpu', 'f64']);
  const { device, printProfile } = await chooseDevice(loaded[0].engine.core, deviceName, options, terminal);
  let open: OpenRun | undefined;
  const interrupt = watchInterrupt(
    () => terminal.say('Stopping after this iteration; interrupt once more to end at once.'),
    () => terminal.say(open?.goOn() ? `Ended. Go on with: ${open.goOn()}` : 'Ended.'),
    true,
  );
  const { signal } = interrupt;
  try {
    const work = await prepare({ device, signal });
    const shared = await sharedRecord(request, device);
    const now = await runRequest(loaded, request, shared, options.threads);
    if (before) refuseChanges(before, now);
    open = new OpenRun(take(), now, { isResumed: before !== null, signal, say: terminal.say });
    const code = await work({ device, signal, open, shared });
    if (!signal.aborted) open.end();
    if (signal.aborted && open.goOn()) terminal.say(`Go on with: ${open.goOn()}`);
    return signal.aborted || code === 0 ? interrupt.code() : code;
  } catch (error) {
    if (!open && signal.aborted) return interrupt.code();
    throw open ? open.failed(error) : error;
  } finally {
    open?.close();
    interrupt.dispose();
    printProfile();
    device.dispose();
  }
}

async function runRequest(
  loaded: readonly LoadedExperiment[],
  request: EstimateRequest,
  { device, video }: SharedRecord,
  threads: number | undefined,
): Promise<RunRequest> {
  const [first, ...others] = loaded.map(({ sources }) => sources());
  return {
    format: 1,
    request,
    from: process.cwd(),
    device,
    threads,
    experiment: { file: request.experiment, sha256: first.sha256 },
    modules: [
      ...first.modules,
      ...others.flatMap(({ sha256, modules }, k) => [{ file: request.others![k], sha256 }, ...modules]),
    ],
    versions: Object.assign({}, first.versions, ...others.map(({ versions }) => versions)),
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
