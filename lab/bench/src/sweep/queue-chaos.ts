import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { randomNumbers } from '@gradsim/base';
import { bytesIn, compareResults, isRunning, kill, type Results, SOME_LEFT } from './chaos.ts';
import { runSweep, startQueuedSweep, startWorker } from './command.ts';
import { RedisServer } from './redis.ts';

/** Comparison of a sweep over a queue, whose processes were killed, with an undisturbed sweep. */
export interface QueueChaos extends Results {
  readonly killedWorkers: number;
  readonly killedCoordinators: number;
  /** Number of restarts of Redis, both with and without its append-only file. */
  readonly restarts: number;
  /** Number of times that the disk of the results was full. */
  readonly fullDisks: number;
  readonly seconds: number;
}

/**
 * Options of a sweep over a queue whose processes are killed at random times. The seed repeats them only as far as the
 * machine repeats its timing.
 */
export interface QueueChaosOptions {
  readonly trials: number;
  /** Time that each trial sleeps, ms. */
  readonly idle: number;
  /** Number of coordinators killed. */
  readonly coordinators: number;
  /** True to restart Redis twice: once with its append-only file, once empty. */
  readonly restarts: boolean;
  /** Number of times that the disk of the results fills before it has room for all. Default 0. */
  readonly fullDisks?: number;
  readonly seed: number;
}

/** Offsets of the workers' clocks from this machine's clock, s: three workers, an hour apart. */
const CLOCKS = [0, 3600, -3600];
/** Mean time between two kills of a worker, ms. */
const BETWEEN = 2000;

/**
 * Runs a sweep over a queue with three workers of one trial each, kills and restarts processes one after another, and
 * compares the results with those of a sweep in process.
 */
export async function queueInChaos(options: QueueChaosOptions): Promise<QueueChaos> {
  const { trials, idle, coordinators, restarts, fullDisks = 0, seed } = options;
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-queue-'));
  const random = randomNumbers(seed);
  const whole = join(folder, 'whole');
  const out = join(folder, 'killed');
  const settings = { count: trials, idle };
  await runSweep(whole, 8, settings);
  const redis = await RedisServer.start(join(folder, 'redis'));
  const workers: ChildProcess[] = [];
  const killed = { worker: 0, coordinator: 0, redis: 0, disk: 0 };
  let isOver = false;
  const began = performance.now();
  const isReady: boolean[] = [];
  const start = (k: number): void => {
    isReady[k] = false;
    const worker = startWorker(redis.url, { out: join(folder, 'worker'), concurrency: 1, lease: 2, clock: CLOCKS[k] });
    // Its first line says that it takes trials.
    worker.stderr!.once('data', () => {
      if (workers[k] === worker) isReady[k] = true;
    });
    workers[k] = worker;
  };
  const killWorkers = async (): Promise<void> => {
    for (;;) {
      await after(2 * BETWEEN * random());
      const k = Math.floor(CLOCKS.length * random());
      // However slow the machine is, it has begun when it is killed.
      while (!isReady[k] && !isOver) await after(50);
      if (isOver) return;
      if (isRunning(workers[k]) && kill(workers[k].pid!)) killed.worker++;
      start(k);
    }
  };
  try {
    for (const k of CLOCKS.keys()) start(k);
    const killing = killWorkers();
    for (;;) {
      // Room for a few lines more, and none for all.
      const isSmall = killed.disk < fullDisks;
      const room = isSmall ? Math.ceil(bytesIn(out) / 1024) + 1 + Math.floor(3 * random()) : undefined;
      const child = startQueuedSweep(out, redis.url, settings, room);
      const ended = once(child, 'exit');
      if (!isSmall && killed.coordinator < coordinators) {
        // However slow the machine is, some trials end before each kill.
        const before = bytesIn(out);
        while (isRunning(child) && bytesIn(out) === before) await Promise.race([ended, after(50)]);
        await Promise.race([ended, after(2000 * random())]);
        // Once with its file, once empty; the coordinator goes on in between.
        if (restarts && isRunning(child) && (killed.coordinator === 1 || killed.coordinator === 3)) {
          await redis.restart(killed.coordinator === 3);
          killed.redis++;
          const lost = bytesIn(out);
          while (isRunning(child) && bytesIn(out) === lost) await Promise.race([ended, after(50)]);
        }
        if (isRunning(child) && kill(child.pid!)) killed.coordinator++;
      }
      const [code] = (await ended) as [number | null];
      if (code === 0) break;
      if (code === 1 && isSmall) {
        killed.disk++;
        continue;
      }
      if (code !== null && code !== SOME_LEFT) throw new Error(`gradsim sweep ended with ${code}.`);
    }
    isOver = true;
    const seconds = (performance.now() - began) / 1000;
    await killing;
    return {
      ...compareResults(whole, out),
      killedWorkers: killed.worker,
      killedCoordinators: killed.coordinator,
      restarts: killed.redis,
      fullDisks: killed.disk,
      seconds,
    };
  } finally {
    isOver = true;
    for (const worker of workers) if (isRunning(worker)) kill(worker.pid!);
    await Promise.all(workers.map((worker) => (isRunning(worker) ? once(worker, 'exit') : undefined)));
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
