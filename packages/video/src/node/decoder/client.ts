import { type ChildProcess, fork } from 'node:child_process';
import { GradsimError } from '@gradsim/base';
import { decoderProgram } from '#decoder';
import type { NumberedPicture } from '../../formats/container/container.ts';
import { DecodingError } from '../../formats/container/damage.ts';

import { plainText } from '../plain-text.ts';
import { endGroup, endWithThisProcess, OWN_GROUP } from '../processes.ts';
import { type Answer, END_OF_COMPLAINTS, PICTURE_IN_COMPLAINTS, type Request } from './messages.ts';

/** Pattern of the messages about damage that native decoders write to standard error, besides other output. */
const DAMAGE_MESSAGE = /error|invalid|corrupt|conceal|truncat|damaged|missing|out of range/i;

/**
 * A child process that decodes films, one at a time. It ends when this process ends, and does not keep it alive while
 * idle. It leads its own process group, so that signals to this process's group do not end it and it can still end the
 * process groups that it guards.
 */
export class Decoder {
  readonly #child: ChildProcess;
  #answers: Answer[] = [];
  #complaints = '';
  #isOver = false;
  #signs = 0;
  #wake: (() => void) | undefined;

  constructor() {
    // Node's warnings would look like complaints of decoders.
    this.#child = fork(decoderProgram(), {
      execArgv: ['--no-warnings'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      ...OWN_GROUP,
    });
    this.#child.on('message', (nextAnswer: Answer) => {
      if (nextAnswer.kind === 'busy') {
        this.#signs++;
        return;
      }
      this.#answers.push(nextAnswer);
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
    this.keepAlive(false);
  }

  /** Number of progress reports received so far. */
  get signs(): number {
    return this.#signs;
  }

  /** True while the process accepts requests. */
  get isAlive(): boolean {
    return !this.#isOver && this.#child.connected;
  }

  /** Sets whether the child process keeps this process alive, as it must while a caller waits for it. */
  keepAlive(isHeld: boolean): void {
    const streams = [this.#child, this.#child.channel, this.#child.stderr as unknown as { ref(): void; unref(): void }];
    for (const each of streams) isHeld ? each?.ref() : each?.unref();
  }

  end(): void {
    this.#isOver = true;
    endGroup(this.#child);
    this.#wake?.();
  }

  /**
   * Makes the decoder end another process group when this process ends, however it ends. Returns a function that
   * cancels this.
   */
  endGroupAtExit(group: number): () => void {
    this.send({ kind: 'guard', group });
    return () => this.send({ kind: 'release', group });
  }

  send(request: Request): void {
    // A decoder that has ended is noticed when its answer is awaited.
    if (this.#child.connected) this.#child.send(request, () => {});
  }

  /**
   * Waits for the next answer. @throws GradsimError or Error when the request failed, Error when the process has ended.
   */
  async answer(): Promise<Answer> {
    while (this.#answers.length === 0) {
      if (this.#isOver) throw new Error(`its decoder has crashed. ${this.#complaint()}`.trim());
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const answer = this.#answers.shift()!;
    if (answer.kind !== 'failed') return answer;
    if (answer.refusal) throw GradsimError.from(answer.refusal);
    if (answer.frame !== undefined) throw new DecodingError(answer.message, answer.frame);
    throw new Error(answer.message);
  }

  /**
   * Yields frames `first` to `last` of the film that is open.
   * @throws DecodingError after the last one when decoders reported damage although they returned pictures.
   */
  async *decode(range: { first: number; last: number }): AsyncGenerator<NumberedPicture> {
    this.#complaints = '';
    this.send({ kind: 'decode', ...range });
    for (let answer = await this.answer(); answer.kind === 'picture'; answer = await this.answer()) {
      const { index, picture } = answer;
      yield { index, picture: async () => picture };
      this.send({ kind: 'taken' });
    }
    while (!this.#complaints.includes(END_OF_COMPLAINTS) && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const said = this.#complaint();
    if (said === '') return;
    // Decoders run ahead of the pictures that they return, so this frame or a later one is meant.
    const before =
      this.#complaints.slice(0, this.#complaints.search(DAMAGE_MESSAGE)).split(PICTURE_IN_COMPLAINTS).length - 1;
    const frame = Math.min(range.first + before, range.last);
    throw new DecodingError(`the decoder says, of it or one of those after it: ${said}`, frame);
  }

  #complaint(): string {
    const lines = this.#complaints
      .replaceAll(END_OF_COMPLAINTS, '')
      .replaceAll(PICTURE_IN_COMPLAINTS, '')
      .split(/\r?\n/);
    return [...new Set(lines.map((line) => plainText(line)).filter((line) => DAMAGE_MESSAGE.test(line)))]
      .slice(0, 3)
      .join(' ');
  }
}
