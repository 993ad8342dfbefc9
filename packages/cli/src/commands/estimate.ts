import { relative } from 'node:path';
import { filmFiles } from '@gradsim/video';
import { findExperiment } from '../experiment/find.ts';
import { chooseFolder, writeFolder } from '../experiment/folder.ts';
import { loadExperiment } from '../experiment/load.ts';
import type { EstimateRequest } from '../experiment/record.ts';
import { sharedRecord } from '../experiment/record.ts';
import { runExperiment } from '../experiment/run.ts';
import { reportHtml } from '../report/report.ts';
import { resultJson } from '../report/result.ts';
import { INTERRUPTED, watchInterrupt } from '../terminal/interrupt.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { chooseDevice } from './choose-device.ts';
import { asDeviceName } from './device-name.ts';

/** Options of `gradsim estimate`. */
export interface EstimateCommandOptions {
  readonly video?: string;
  readonly device: string;
  readonly threads?: number;
  readonly profile?: boolean;
  readonly out?: string;
  readonly json?: boolean;
  readonly force?: boolean;
  readonly seed?: number;
  readonly iterations?: number;
  readonly starts?: number;
  readonly set: Readonly<Record<string, string>>;
  readonly quiet?: boolean;
}

/**
 * `gradsim estimate`: runs an experiment, prints its estimates, and writes `result.json` and `report.html`. Gives the
 * exit code, 130 after an interrupt.
 * @throws before anything runs for an unknown experiment, device or video and for a folder that is taken.
 */
export async function estimateCommand(
  name: string,
  options: EstimateCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const {
    video,
    seed,
    iterations,
    starts,
    set: settings,
    force = false,
    json = false,
    quiet = false,
  } = options;
  const request: EstimateRequest = { experiment: name, video, seed, iterations, starts, settings };
  const deviceName = asDeviceName(options.device, ['auto', 'cpu', 'webgpu', 'f64']);
  const file = findExperiment(name);
  if (video !== undefined) await filmFiles(video);
  if (options.out !== undefined) chooseFolder(options.out, name, force);
  const loaded = await loadExperiment(file);
  const { experiment, engine } = loaded;
  const folder = chooseFolder(options.out, experiment.name, force);
  const { device, printProfile } = await chooseDevice(engine.core, deviceName, options, terminal);
  const interrupt = watchInterrupt(() =>
    terminal.say('Stopping after this iteration; interrupt once more to end at once.'),
  );
  try {
    const shared = await sharedRecord(request, device);
    const stages = await runExperiment(loaded, {
      device,
      request,
      shared,
      signal: interrupt.signal,
      terminal,
      json,
      quiet,
    });
    if (stages.length === 0) {
      terminal.say('Interrupted before the first iteration: there is no result to keep.');
      return INTERRUPTED;
    }
    await writeFolder(folder, {
      'result.json': resultJson(experiment, stages),
      'report.html': await reportHtml(experiment, stages),
    });
    if (!quiet) terminal.say(`Report: ${relative('.', folder) || '.'}/report.html`);
    return interrupt.signal.aborted ? INTERRUPTED : 0;
  } finally {
    interrupt.dispose();
    printProfile();
    device.dispose();
  }
}
