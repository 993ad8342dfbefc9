import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** Reason why tests with a Redis server are skipped; undefined if there is one. */
export const noServer: string | undefined =
  spawnSync('redis-server', ['--version']).status === 0
    ? undefined
    : 'redis-server is not installed (Debian: apt-get install redis-server), so nothing with a queue is tested.';

/** Redis server of its own for a test, on this machine only. */
export class TestServer {
  readonly port: number;
  readonly client: Redis;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, client: Redis, process: ChildProcess, folder: string) {
    this.port = port;
    this.client = client;
    this.#process = process;
    this.#folder = folder;
  }

  static async start(password: string): Promise<TestServer> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'gradsim-redis-'));
    const options = { port, bind: '127.0.0.1', dir: folder, save: '', requirepass: password };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const server = spawn('redis-server', args, { stdio: 'ignore' });
    const client = new Redis({ port, host: '127.0.0.1', password, lazyConnect: true, retryStrategy: () => 50 });
    client.on('error', () => {});
    await client.connect().catch(() => {});
    while (client.status !== 'ready') await after(20);
    return new TestServer(port, client, server, folder);
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    this.client.disconnect();
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Finds a port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
