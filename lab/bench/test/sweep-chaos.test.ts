import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runQueuedSweep, startQueuedSweep, startWorker } from '../src/sweep/command.ts';
import { queueInChaos } from '../src/sweep/queue-chaos.ts';
import { RedisServer } from '../src/sweep/redis.ts';

const hasServer = spawnSync('redis-server', ['--version']).status === 0;
if (!hasServer)
  console.warn(
    'redis-server is not installed (Debian: apt-get install redis-server), so no sweep over a queue is tested.',
  );

// By the built command, as users have it: `npm test` builds before.
describe.skipIf(!hasServer)('a sweep over a Redis queue', () => {
  it('has every result once, bit for bit those of an undisturbed sweep, although processes are killed, the disk fills and clocks differ by an hour', async () => {
    const options = { trials: 20, idle: 100, coordinators: 1, restarts: false, fullDisks: 1, seed: 3 };
    const { lost, twice, differing, fullDisks } = await queueInChaos(options);
    expect({ lost, twice, differing, fullDisks }).toEqual({ lost: 0, twice: 0, differing: 0, fullDisks: 1 });
  });

  it('exits with code 1 when the disk is full; rerun with enough room, it has every result exactly once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gradsim-full-'));
    const redis = await RedisServer.start(join(folder, 'redis'));
    const worker = startWorker(redis.url, { out: join(folder, 'worker'), concurrency: 2, lease: 30, clock: 0 });
    try {
      const out = join(folder, 'out');
      const [code] = (await once(startQueuedSweep(out, redis.url, { count: 200 }, 16), 'exit')) as [number];
      expect(code).toBe(1);
      const lines = (): string[] => readFileSync(join(out, 'results.jsonl'), 'utf8').trim().split('\n');
      expect(lines().length).toBeLessThan(200);
      await runQueuedSweep(out, redis.url, { count: 200 });
      expect(new Set(lines().map((line) => (JSON.parse(line) as { id: string }).id)).size).toBe(200);
      expect(lines()).toHaveLength(200);
    } finally {
      const ended = once(worker, 'exit');
      worker.kill('SIGTERM');
      await ended;
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
