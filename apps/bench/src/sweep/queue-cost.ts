import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { processorOfEnded, runQueuedSweep, startWorker } from './command.ts';
import { RedisServer } from './redis.ts';

/** Cost of a trial on a queue beyond its own work. */
export interface QueueCost {
  readonly trials: number;
  /** Processor time of all processes together: coordinator, worker, its trial processes and Redis. */
  readonly processorMillisecondsATrial: number;
  readonly trialsASecond: number;
  /** Average number of processes that wanted a processor meanwhile. */
  readonly load: number;
}

/** Milliseconds of processor that a trial takes, as the trials measure it themselves. */
const WORK = 10;
/** Trials of the longer sweep, and of one that has the same starts and ends. */
const MANY = 1100;
const FEW = 100;

/** Measures sweeps with one worker of two processes. */
export async function costOnQueue(): Promise<QueueCost> {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-queue-'));
  const sweep = async (count: number): Promise<{ processor: number; seconds: number }> => {
    const before = processorOfEnded();
    const redis = await RedisServer.start(join(folder, `redis-${count}`));
    const worker = startWorker(redis.url, { out: join(folder, 'worker'), concurrency: 2, lease: 30, clock: 0 });
    const seconds = await runQueuedSweep(join(folder, `out-${count}`), redis.url, { count, milliseconds: WORK });
    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    await ended;
    await redis.stop();
    return { processor: processorOfEnded() - before, seconds };
  };
  try {
    const [few, many] = [await sweep(FEW), await sweep(MANY)];
    const trials = MANY - FEW;
    return {
      trials,
      processorMillisecondsATrial: (1000 * (many.processor - few.processor)) / trials - WORK,
      trialsASecond: trials / (many.seconds - few.seconds),
      load: loadavg()[0],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
