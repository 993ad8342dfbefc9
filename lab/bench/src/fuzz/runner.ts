import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Result } from './finding.ts';

type Message = { kinds: readonly { name: string; limit: number }[] } | { about: string } | { result: Result };

/** Heap limit of the process that runs cases, MB: a file that declares more must be refused, not read. */
const MEMORY = 1024;

/** Runs cases in a child process, which is reused until it ends. */
export class Runner {
  #child: ChildProcess | undefined;
  #said = '';
  #limits = new Map<string, number>();
  #messages: (Message | { ended: string })[] = [];
  #wake: (() => void) | undefined;

  async #start(): Promise<ChildProcess> {
    const file = fileURLToPath(new URL('./child.js', import.meta.url));
    const child = fork(file, {
      execArgv: [`--max-old-space-size=${MEMORY}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#said = '';
    this.#messages = [];
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-2000);
    });
    child.on('message', (message: Message) => this.#receive(message));
    child.on('close', (code, signal) => {
      if (this.#child === child) this.#child = undefined;
      this.#receive({
        ended: `ended with ${signal ?? code}: ${this.#said.trim().split('\n').slice(0, 4).join(' | ')}`,
      });
    });
    const first = await this.#next(60);
    if (first === undefined || !('kinds' in first))
      throw new Error(`The process for cases does not start. ${this.#said}`);
    this.#limits = new Map(first.kinds.map(({ name, limit }) => [name, limit]));
    this.#child = child;
    return child;
  }

  /** Returns the next message of the child process; undefined if there is none within a time, s. */
  #next(seconds: number): Promise<Message | { ended: string } | undefined> {
    const waiting = this.#messages.shift();
    if (waiting) return Promise.resolve(waiting);
    return new Promise((resolve) => {
      const take = (message?: Message | { ended: string }): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve(message);
      };
      const timer = setTimeout(take, 1000 * seconds);
      this.#wake = () => take(this.#messages.shift());
    });
  }

  #receive(message: Message | { ended: string }): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  /** Runs case n of the series with a seed. @throws if the kind is unknown. */
  async run(kind: string, seed: number, n: number): Promise<Result> {
    const child = this.#child ?? (await this.#start());
    const limit = this.#limits.get(kind);
    if (limit === undefined)
      throw new Error(`There is no kind ${kind}; there are ${[...this.#limits.keys()].join(', ')}.`);
    child.send({ kind, seed, n });
    let about = 'drawing it';
    for (;;) {
      const message = await this.#next(limit);
      const nothing = { about, came: 'broke', isUndetectable: false } as const;
      if (message === undefined) {
        this.end();
        return { ...nothing, verdict: 'hang', detail: `nothing came for ${limit} s` };
      }
      if ('ended' in message) return { ...nothing, verdict: 'crash', detail: message.ended };
      if ('result' in message) return message.result;
      if ('about' in message) about = message.about;
    }
  }

  end(): void {
    const child = this.#child;
    this.#child = undefined;
    child?.removeAllListeners('close');
    child?.kill('SIGKILL');
  }
}
