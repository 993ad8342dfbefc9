import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { processorOfEnded, runQueuedSweep, startWorker } from './command.ts';
import { RedisServer } from './redis.ts';

/** Cost of running a trial over a queue, beyond the trial's own work. */
export interface QueueCost {
  readonly trials: number;
  /** Processor time per trial of all processes together, ms: coordinator, worker, its trial processes and Redis. */
  readonly processorMillisecondsATrial: number;
  readonly trialsASecond: number;
  /** Memory that Redis uses for each waiting trial, bytes. */
  readonly bytesATrial: number;
  /** Processor time of Redis per trial, ms. */
  readonly serverMillisecondsATrial: number;
  /** Mean load of the machine during the measurement: number of processes running or ready to run. */
  readonly load: number;
}

/** Processor time that each trial spends, measured by the trial itself, ms. */
const WORK_MS = 10;
/** Number of trials of the longer sweep. */
const MANY = 1100;
/** Number of trials of the shorter sweep, whose cost is subtracted to cancel that of starting and ending processes. */
const FEW = 100;

/** Measures a long and a short sweep with one worker of two processes, and returns the cost per trial. */
export async function costOnQueue(): Promise<QueueCost> {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-queue-'));
  const sweep = async (count: number) => {
    const before = processorOfEnded();
    const redis = await RedisServer.start(join(folder, `redis-${count}`));
    const empty = redis.facts();
    const done = runQueuedSweep(join(folder, `out-${count}`), redis.url, { count, milliseconds: WORK_MS });
    while (redis.facts().keys < count) await after(100);
    const full = redis.facts();
    const began = performance.now();
    const worker = startWorker(redis.url, { out: join(folder, 'worker'), concurrency: 2, lease: 30, clock: 0 });
    await done;
    const seconds = (performance.now() - began) / 1000;
    const end = redis.facts();
    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    await ended;
    await redis.stop();
    const server = serverSeconds(end) - serverSeconds(empty);
    return { processor: processorOfEnded() - before, seconds, server, bytes: full.used_memory - empty.used_memory };
  };
  try {
    const [few, many] = [await sweep(FEW), await sweep(MANY)];
    const trials = MANY - FEW;
    return {
      trials,
      processorMillisecondsATrial: (1000 * (many.processor - few.processor)) / trials - WORK_MS,
      trialsASecond: trials / (many.seconds - few.seconds),
      bytesATrial: (many.bytes - few.bytes) / trials,
      serverMillisecondsATrial: (1000 * (many.server - few.server)) / trials,
      load: loadavg()[0],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const serverSeconds = ({ used_cpu_user, used_cpu_sys }: Readonly<Record<string, number>>): number =>
  used_cpu_user + used_cpu_sys;
