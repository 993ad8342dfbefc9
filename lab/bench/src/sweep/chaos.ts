import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { randomNumbers } from '@gradsim/base';
import { childrenOf, runSweep, startSweep } from './command.ts';

/** Comparison of the results of two sweeps of the same trials. */
export interface Results {
  readonly trials: number;
  readonly lost: number;
  readonly twice: number;
  /** Number of trials whose result differs from that of the other sweep in any bit. */
  readonly differing: number;
}

/** Comparison of a sweep whose processes were killed with an undisturbed one. */
export interface Chaos extends Results {
  readonly killedWorkers: number;
  readonly killedCoordinators: number;
  readonly seconds: number;
}

/** Options of a sweep whose processes are killed at random. */
export interface ChaosOptions {
  readonly trials: number;
  /** Time that each trial sleeps, ms. */
  readonly idle: number;
  /** Number of times that the coordinator is killed and restarted. */
  readonly coordinators: number;
  /** Number of workers killed before each kill of the coordinator, and again before the end. */
  readonly workers: number;
  readonly seed: number;
}

/** Exit code of a sweep of which some trials failed, or have no result. */
export const SOME_LEFT = 5;

/**
 * Runs a sweep with two workers, kills workers and coordinators at random, resumes it, and compares the results with an
 * undisturbed sweep.
 */
export async function sweepInChaos({ trials, idle, coordinators, workers, seed }: ChaosOptions): Promise<Chaos> {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-sweep-'));
  const random = randomNumbers(seed);
  const settings = { count: trials, idle };
  try {
    await runSweep(join(folder, 'whole'), 2, settings);
    const out = join(folder, 'killed');
    const began = performance.now();
    const killed = { worker: 0, coordinator: 0 };
    for (;;) {
      const child = startSweep(out, 2, settings);
      const ended = once(child, 'exit');
      for (let k = 0; k < workers && isRunning(child); k++) {
        // However slow the machine is, some trials end between two kills.
        const before = bytesIn(out);
        while (isRunning(child) && bytesIn(out) === before) await Promise.race([ended, after(20)]);
        await Promise.race([ended, after(300 * random())]);
        const pids = isRunning(child) ? childrenOf(child.pid!) : [];
        if (pids.length > 0 && kill(pids[Math.floor(random() * pids.length)])) killed.worker++;
      }
      if (killed.coordinator < coordinators && isRunning(child) && kill(child.pid!)) killed.coordinator++;
      const [code] = (await ended) as [number | null];
      if (code === 0) break;
      // Trials whose processes were killed again and again have no result, and the same command tries them again.
      if (code !== null && code !== SOME_LEFT) throw new Error(`gradsim sweep ended with ${code}.`);
    }
    return {
      ...compareResults(join(folder, 'whole'), out),
      killedWorkers: killed.worker,
      killedCoordinators: killed.coordinator,
      seconds: (performance.now() - began) / 1000,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Compares the results in a sweep's folder with those expected.
 *
 * @param whole folder of the undisturbed sweep.
 * @param out folder of the sweep to check.
 */
export function compareResults(whole: string, out: string): Results {
  const [expected, found] = [resultsIn(whole), resultsIn(out)];
  const ids = new Map(found);
  return {
    trials: expected.length,
    lost: expected.filter(([id]) => !ids.has(id)).length,
    twice: found.length - ids.size,
    differing: expected.filter(([id, result]) => ids.has(id) && ids.get(id) !== result).length,
  };
}

export const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** Size of a sweep's results file, bytes; it only grows. 0 without a file. */
export const bytesIn = (folder: string): number =>
  statSync(join(folder, 'results.jsonl'), { throwIfNoEntry: false })?.size ?? 0;

export function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    // It has just ended.
    return false;
  }
}

/** Ids and results of all lines of a results file, without durations, which differ between runs. */
function resultsIn(folder: string): [string, string][] {
  const file = join(folder, 'results.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const { id, settings, ended } = JSON.parse(line) as { id: string; settings: object; ended: { result?: object } };
      return [id, JSON.stringify([settings, ended.result ?? ended])];
    });
}
