import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import { quote } from '../experiment/record.ts';
import { countResults, type StudyCounts } from '../study/counts.ts';
import { listTrials } from '../study/list-trials.ts';
import { loadStudy } from '../study/load-study.ts';
import type { Limits } from '../study/messages.ts';
import type { LoadedStudy } from '../study/source.ts';
import { sweep } from '../study/sweep.ts';
import type { Trial } from '../study/trial.ts';
import { watchInterrupt } from '../terminal/interrupt.ts';
import { formatNumber } from '../terminal/numbers.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { asDeviceName } from './device-name.ts';

/** Options of `gradsim sweep`, and of `gradsim study` of films. */
export interface SweepCommandOptions {
  readonly out: string;
  readonly workers: number;
  readonly attempts: number;
  readonly timeLimit: number;
  /** Memory limit of a trial, MB; by default each worker's share of four fifths of the machine's memory. */
  readonly memoryLimit?: number;
  readonly device: string;
  readonly set: Readonly<Record<string, string>>;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Exit code of a study that has a line for each trial, some of which failed. */
const SOME_FAILED = 5;

/**
 * `gradsim sweep`: runs the trials of a study that have no results yet. Returns the exit code: 5 if trials failed;
 * after a signal, 128 and its number.
 * @throws before anything runs for a study that cannot be loaded or whose trials are not in order.
 */
export async function sweepCommand(file: string, options: SweepCommandOptions, terminal: Terminal): Promise<number> {
  if (options.json) terminal.reserveOutput?.();
  const loaded = await loadStudy({ study: resolve(file) });
  const trials = await listTrials(loaded, options.set);
  const code = await runSweep(loaded, trials, { study: resolve(file) }, file, options, terminal);
  if (!options.quiet) terminal.say(`For its page: gradsim study ${quote(options.out)}`);
  return code;
}

/** Runs trials, and prints the counts of all results in the folder. */
export async function runSweep(
  loaded: LoadedStudy,
  trials: readonly Trial[],
  source: Parameters<typeof loadStudy>[0],
  name: string,
  options: SweepCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { workers, attempts, json = false, quiet = false } = options;
  const device = asDeviceName(options.device, ['auto', 'cpu', 'webgpu', 'f64']);
  const limits: Limits = {
    seconds: options.timeLimit,
    megabytes: options.memoryLimit ?? (0.8 * totalmem()) / 1e6 / workers,
  };
  const out = resolve(options.out);
  const interrupt = watchInterrupt(
    () => terminal.say('Stopping after the trials that run; interrupt once more to end at once.'),
    () => terminal.say('Ended. The same command goes on.'),
  );
  const { signal } = interrupt;
  try {
    await sweep(loaded, trials, { name, source, out, device, limits, workers, attempts, quiet, terminal, signal });
  } finally {
    interrupt.dispose();
  }
  const counts = countResults(out);
  if (json) terminal.print(JSON.stringify(counts));
  const say = json ? terminal.say : terminal.print;
  for (const line of tableOf(counts)) say(line);
  const left = trials.length - counts.trials;
  if (left > 0) terminal.say(`${left} trials are left. The same command goes on.`);
  if (signal.aborted) return interrupt.code();
  return counts.failed > 0 ? SOME_FAILED : 0;
}

function tableOf({ trials, failed, reasons, medians }: StudyCounts): string[] {
  const why = Object.entries(reasons).map(([reason, count]) => `${count} by ${reason}`);
  return [
    `${trials - failed} trials done${failed > 0 ? `, ${failed} failed: ${why.join(', ')}` : ''}`,
    ...Object.entries(medians).map(([name, value]) => `median ${name}: ${formatNumber(value, 6)}`),
  ];
}
