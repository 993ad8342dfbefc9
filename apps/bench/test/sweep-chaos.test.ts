import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { queueInChaos } from '../src/sweep/queue-chaos.ts';

const hasServer = spawnSync('redis-server', ['--version']).status === 0;
if (!hasServer)
  console.warn(
    'redis-server is not installed (Debian: apt-get install redis-server): no sweep over a queue is tested.',
  );

// By the built command, as users have it: `npm test` builds before.
it.skipIf(!hasServer)(
  'a sweep over a queue has every result once, with the same bits, while its processes are killed',
  async () => {
    const options = { trials: 20, idle: 100, coordinators: 1, restarts: false, seed: 3 };
    const { lost, twice, differing } = await queueInChaos(options);
    expect({ lost, twice, differing }).toEqual({ lost: 0, twice: 0, differing: 0 });
  },
);
