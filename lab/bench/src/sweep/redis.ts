import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

/** A local Redis server with an append-only file. */
export class RedisServer {
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  /** Starts a server that keeps its files in a folder. @throws if redis-server is not installed. */
  static async start(folder: string): Promise<RedisServer> {
    mkdirSync(folder, { recursive: true });
    const server = new RedisServer(folder, await freePort());
    await server.#start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Stops the server and starts it again, with the content of its append-only file or, if `isEmpty`, with none. */
  async restart(isEmpty: boolean): Promise<void> {
    await this.stop();
    if (isEmpty) for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name), { recursive: true });
    await this.#start();
  }

  /** Numeric values of Redis' `INFO`, by name; `keys` is the number of keys. */
  facts(): Readonly<Record<string, number>> {
    const lines = execFileSync('redis-cli', ['-p', String(this.#port), 'info'], { encoding: 'utf8' }).split('\r\n');
    const facts = lines.map((line) => line.split(':')).map(([name, value]) => [name, Number(value)] as const);
    const keys = Number(/^db0:keys=(\d+)/m.exec(lines.join('\n'))?.[1] ?? 0);
    return { ...Object.fromEntries(facts), keys };
  }

  async stop(): Promise<void> {
    const ended = once(this.#process!, 'exit');
    this.#process!.kill('SIGKILL');
    await ended;
  }

  async #start(): Promise<void> {
    const options = { port: this.#port, bind: '127.0.0.1', dir: this.#folder, save: '', appendonly: 'yes' };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.#process = spawn('redis-server', args, { stdio: 'ignore' });
    const failed = new Promise<never>((_, reject) => this.#process!.once('error', reject));
    failed.catch(() => {});
    while (!(await Promise.race([isListening(this.#port), failed]))) await after(20);
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
