import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const MINI_BROWSERS = ['4.1', '6.0', '4.0'].flatMap((version) =>
  ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((folder) => `/usr/lib/${folder}/webkit2gtk-${version}/MiniBrowser`),
);
const browserFile = MINI_BROWSERS.find((file) => existsSync(file));

/** True where WebKitGTK, its driver and a virtual screen are installed (Debian: `webkit2gtk-driver`, `xvfb`). */
export const hasWebKit =
  browserFile !== undefined && existsSync('/usr/bin/WebKitWebDriver') && existsSync('/usr/bin/Xvfb');

/** A page in WebKit, by the protocol WebDriver, on a screen of its own. */
export class WebKit {
  readonly #session: string;
  readonly #processes: readonly ChildProcess[];

  private constructor(session: string, processes: readonly ChildProcess[]) {
    this.#session = session;
    this.#processes = processes;
  }

  static async open(): Promise<WebKit> {
    const screen = spawn('/usr/bin/Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const [display] = await once(createInterface(screen.stdio[3] as NodeJS.ReadableStream), 'line');
    const port = await freePort();
    const driver = spawn('/usr/bin/WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`], {
      stdio: 'ignore',
      env: {
        ...process.env,
        DISPLAY: `:${display}`,
        GDK_BACKEND: 'x11',
        LIBGL_ALWAYS_SOFTWARE: '1',
        // It needs rights that containers and the superuser lack, and the pages are our own.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      },
    });
    const processes = [driver, screen];
    try {
      const base = `http://127.0.0.1:${port}`;
      for (let tries = 0; !(await fetch(`${base}/status`).catch(() => undefined))?.ok; tries++) {
        if (tries > 300 || driver.exitCode !== null) throw new Error('The driver of WebKit has not started.');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const options = { binary: browserFile, args: ['--automation'] };
      const { sessionId } = (await call(`${base}/session`, {
        capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
      })) as { sessionId: string };
      return new WebKit(`${base}/session/${sessionId}`, processes);
    } catch (error) {
      for (const each of processes) each.kill();
      throw error;
    }
  }

  goto = (url: string): Promise<unknown> => call(`${this.#session}/url`, { url });

  /** Value of a script's `return` in the page. */
  run = (script: string): Promise<unknown> => call(`${this.#session}/execute/sync`, { script, args: [] });

  /** Presses the key with an arrow to the right, which WebDriver names by a code of its own. */
  pressRight = (): Promise<unknown> =>
    call(`${this.#session}/actions`, {
      actions: [
        {
          type: 'key',
          id: 'keyboard',
          actions: ['keyDown', 'keyUp'].map((type) => ({ type, value: '\uE014' })),
        },
      ],
    });

  async close(): Promise<void> {
    await fetch(this.#session, { method: 'DELETE' }).catch(() => {});
    for (const each of this.#processes) each.kill();
  }
}

async function call(address: string, body: object): Promise<unknown> {
  const response = await fetch(address, { method: 'POST', body: JSON.stringify(body) });
  const { value } = (await response.json()) as { value: { message?: string } };
  if (!response.ok) throw new Error(`WebKit: ${value?.message ?? response.status}`);
  return value;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
