import { Worker } from 'node:worker_threads';
import { MEMORY_FILE } from '../study/processes/messages.ts';

/** Measures the memory use of a process since a restart of the measurement. */
export interface MemoryWatch {
  /** Restarts the measurement. */
  readonly restart: () => void;
  /** Largest resident memory since the last `restart`, sampled ten times a second, MB. */
  readonly largest: () => number;
}

/**
 * Watches this process from a thread of its own, since a trial may block. Kills the process if its parent is gone, or
 * if its memory exceeds the limit, after a report to {@link MEMORY_FILE}.
 */
export function watchProcess(megabytes: number, parent: number): MemoryWatch {
  const largest = new Float64Array(new SharedArrayBuffer(8));
  const worker = new Worker(WATCH_SOURCE, {
    eval: true,
    workerData: { largest, megabytes, parent, memoryFile: MEMORY_FILE },
    // Not those of the process, which may load modules first.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  worker.unref();
  const now = (): number => process.memoryUsage.rss() / 1e6;
  return {
    restart: () => {
      largest[0] = now();
    },
    largest: () => Math.max(largest[0], now()),
  };
}

/** Source of the watching thread, as a string, since threads cannot load TypeScript. */
const WATCH_SOURCE = `
const { workerData: { largest, megabytes, parent, memoryFile } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  const now = process.memoryUsage.rss() / 1e6;
  largest[0] = Math.max(largest[0], now);
  if (now < megabytes) return;
  try { writeSync(memoryFile, Math.round(now) + '\\n'); } catch {}
  process.kill(process.pid, 'SIGKILL');
}, 100);
`;
