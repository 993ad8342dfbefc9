import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** Connection to a browser that was started with `--remote-debugging-pipe`, over its file descriptors 3 and 4. */
export class BrowserPipe {
  readonly #to: Writable;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #count = 0;

  constructor({ stdio: [, , , to, from] }: ChildProcess) {
    this.#to = to as Writable;
    let text = '';
    (from as Readable).setEncoding('utf8').on('data', (data: string) => {
      const messages = (text + data).split('\0');
      text = messages.pop()!;
      for (const message of messages) this.#take(JSON.parse(message));
    });
  }

  #take(answer: Answer): void {
    if (answer.id === undefined) return;
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }

  /**
   * Sends a command of the DevTools protocol, and returns its result.
   * @param sessionId session of a page that the browser is attached to; without it the command is for the browser
   * itself.
   * @throws with the browser's message if the command fails.
   */
  async send(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
    const id = ++this.#count;
    const { result, error } = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}

interface Answer {
  /** Number of the command that is answered; undefined in events, which answer none. */
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}
