import { type ChildProcess, fork } from 'node:child_process';
import { decoderProgram } from '#decoder';
import type { NumberedPicture } from '../../container.ts';
import { DecodingError } from '../../damage.ts';
import { VideoError } from '../../errors.ts';
import { plainText } from '../plain-text.ts';
import { endGroup, endWithThisProcess, OWN_GROUP } from '../processes.ts';
import { type Answer, END_OF_COMPLAINTS, PICTURE_IN_COMPLAINTS, type Request } from './messages.ts';

/** What native decoders write to standard error about damage, and not about what they do. */
const COMPLAINT = /error|invalid|corrupt|conceal|truncat|damaged|missing|out of range/i;

/**
 * A process that decodes films, one at a time. It ends with this process, and keeps nothing waiting. It leads a group of its
 * own: what is sent to the group of this process does not end it, so that it can end what it guards.
 */
export class Decoder {
  readonly #child: ChildProcess;
  #answers: Answer[] = [];
  #complaints = '';
  #isOver = false;
  #signs = 0;
  #wake: (() => void) | undefined;

  constructor() {
    // Warnings of Node would look like complaints of decoders.
    this.#child = fork(decoderProgram(), {
      execArgv: ['--no-warnings'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      ...OWN_GROUP,
    });
    this.#child.on('message', (answer: Answer) => {
      if (answer.kind === 'busy') {
        this.#signs++;
        return;
      }
      this.#answers.push(answer);
      this.#wake?.();
    });
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      if (this.#complaints.length < 1e6) this.#complaints += text;
      this.#wake?.();
    });
    const over = (): void => {
      this.#isOver = true;
      this.#wake?.();
    };
    endWithThisProcess(this.#child);
    this.#child.on('close', over);
    this.#child.on('error', over);
    this.hold(false);
  }

  /** Counts how often it has said that it makes progress. */
  get signs(): number {
    return this.#signs;
  }

  /** Whether the process can still be asked. */
  get isAlive(): boolean {
    return !this.#isOver && this.#child.connected;
  }

  /** Whether it keeps this process from ending: while somebody waits for it. */
  hold(isHeld: boolean): void {
    const streams = [this.#child, this.#child.channel, this.#child.stderr as unknown as { ref(): void; unref(): void }];
    for (const each of streams) isHeld ? each?.ref() : each?.unref();
  }

  end(): void {
    this.#isOver = true;
    endGroup(this.#child);
    this.#wake?.();
  }

  /** Has the process end the group of another one when this process is gone, however it ends; none gives that up. */
  guard(group: number | undefined): void {
    this.ask({ kind: 'guard', group });
  }

  ask(request: Request): void {
    // One that has ended shows when its answer is waited for.
    if (this.#child.connected) this.#child.send(request, () => {});
  }

  /** The next answer. @throws VideoError when it failed, Error when the process ended. */
  async answer(): Promise<Answer> {
    while (this.#answers.length === 0) {
      if (this.#isOver) throw new Error(`its decoder has crashed. ${this.#said()}`.trim());
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const answer = this.#answers.shift()!;
    if (answer.kind !== 'failed') return answer;
    if (answer.isExplained) throw new VideoError(answer.message);
    if (answer.frame !== undefined) throw new DecodingError(answer.message, answer.frame);
    throw new Error(answer.message);
  }

  /**
   * Pictures of the film that is open.
   * @throws DecodingError at its end for what decoders complained about, although they gave pictures.
   */
  async *decode(range: { first: number; last: number }): AsyncGenerator<NumberedPicture> {
    this.#complaints = '';
    this.ask({ kind: 'decode', ...range });
    for (let answer = await this.answer(); answer.kind === 'picture'; answer = await this.answer()) {
      const { index, picture } = answer;
      yield { index, picture: async () => picture };
      this.ask({ kind: 'taken' });
    }
    while (!this.#complaints.includes(END_OF_COMPLAINTS) && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const said = this.#said();
    if (said === '') return;
    // Decoders are ahead of the pictures that they give, so this frame or one after it is meant.
    const before =
      this.#complaints.slice(0, this.#complaints.search(COMPLAINT)).split(PICTURE_IN_COMPLAINTS).length - 1;
    const frame = Math.min(range.first + before, range.last);
    throw new DecodingError(`the decoder says, of it or one of those after it: ${said}`, frame);
  }

  #said(): string {
    const lines = this.#complaints
      .replaceAll(END_OF_COMPLAINTS, '')
      .replaceAll(PICTURE_IN_COMPLAINTS, '')
      .split(/\r?\n/);
    return [...new Set(lines.map((line) => plainText(line)).filter((line) => COMPLAINT.test(line)))]
      .slice(0, 3)
      .join(' ');
  }
}
