import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COMMAND } from '../support/command.ts';

const TRIALS = fileURLToPath(new URL('../../src/sweep/trials.ts', import.meta.url));

/** Starts the built command `gradsim sweep` on the benchmark's trials. */
export function startSweep(out: string, workers: number, settings: Readonly<Record<string, number>>): ChildProcess {
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const options = ['--out', out, '--workers', String(workers), '--attempts', '50', '--quiet', ...set];
  return spawn(process.execPath, [COMMAND, 'sweep', TRIALS, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * Starts `gradsim sweep` on the benchmark's trials, with the trials run by workers of a queue.
 *
 * @param room maximum size of a file, kB, to simulate a full disk.
 */
export function startQueuedSweep(
  out: string,
  url: string,
  settings: Readonly<Record<string, number>>,
  room?: number,
): ChildProcess {
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const options = ['--out', out, '--queue', url, '--attempts', '50', '--quiet', ...set];
  const command = [process.execPath, COMMAND, 'sweep', TRIALS, ...options];
  const limit = room === undefined ? '' : `ulimit -f ${room}; `;
  return spawn('bash', ['-c', `${limit}exec "$@"`, 'bash', ...command], { stdio: 'ignore' });
}

/** Runs a sweep over a queue to its end, and returns its duration, s. @throws if it fails. */
export async function runQueuedSweep(...how: Parameters<typeof startQueuedSweep>): Promise<number> {
  const began = performance.now();
  const [code] = (await once(startQueuedSweep(...how), 'exit')) as [number | null];
  if (code !== 0) throw new Error(`gradsim sweep --queue ended with ${code}.`);
  return (performance.now() - began) / 1000;
}

/** Options of a worker of a queue. */
export interface WorkerOptions {
  readonly out: string;
  readonly concurrency: number;
  /** Time after which trials of a worker that no longer renews its lease are handed to other workers, s. */
  readonly lease: number;
  /** Offset of the worker's clock from this machine's clock, s. */
  readonly clock: number;
}

/** Starts `gradsim worker` for the benchmark's trials; its standard error is piped. */
export function startWorker(url: string, { out, concurrency, lease, clock }: WorkerOptions): ChildProcess {
  const shift = `const now = Date.now; Date.now = () => now() + ${1000 * clock};`;
  const ahead = clock === 0 ? [] : ['--import', `data:text/javascript,${encodeURIComponent(shift)}`];
  const options = ['--queue', url, '--out', out, '--concurrency', String(concurrency), '--lease', String(lease)];
  const worker = spawn(process.execPath, [...ahead, COMMAND, 'worker', TRIALS, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // What nobody reads does not hold it up.
  worker.stderr.resume();
  return worker;
}

/** Duration of a sweep, s, and memory of its coordinator after a quarter of that time and at the end, MB. */
export interface SweepCost {
  readonly seconds: number;
  readonly megabytesEarly: number;
  readonly megabytes: number;
}

/** Runs a sweep to its end and measures it. @throws if it fails. */
export async function runSweep(...how: Parameters<typeof startSweep>): Promise<SweepCost> {
  const began = performance.now();
  const child = startSweep(...how);
  const megabytes: number[] = [];
  const timer = setInterval(() => megabytes.push(residentOf(child.pid!)), 20);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`gradsim sweep ended with ${code}.`);
  return {
    seconds: (performance.now() - began) / 1000,
    megabytesEarly: megabytes[megabytes.length >> 2],
    megabytes: Math.max(...megabytes.slice(-20)),
  };
}

/** Ids of the running child processes of a process, from Linux's /proc. */
export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(fieldsOf(name)?.[1]) === pid)
    .map(Number);

/** Processor time of this process's children that have ended, and of their descendants, s. */
export function processorOfEnded(): number {
  const fields = fieldsOf('self')!;
  // proc(5), fields 16 and 17, in ticks of 10 ms.
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function residentOf(pid: number): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 1e6;
  } catch {
    return 0;
  }
}

/**
 * Fields of `/proc/PID/stat` from the third on; the second, the program's name, may contain any character. Undefined if
 * the process does not exist.
 */
function fieldsOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
