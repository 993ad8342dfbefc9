import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { defect, GradsimError } from '@gradsim/core';
import { trialProgram } from '#trial-program';
import type { Attempt, Reason } from '../results/outcome.ts';
import type { Trial } from '../trial.ts';
import {
  MEMORY_FILE,
  type RunMessage,
  type TrialConditions,
  type TrialMessage,
  type TrialProcessOptions,
} from './messages.ts';
import { PASSWORD, USER } from './secrets.ts';

/** Number of characters kept of the end of a process's output, from which it is reported why the process ended. */
const KEPT_OUTPUT = 4000;
/** Fraction of the memory limit above which a process is replaced after its trial. */
const REPLACEMENT_SHARE = 0.5;

/** Environment of a trial's process: the command's, without what opens a queue. */
export const environmentOfTrials = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(
      // npm keeps the command line of a script in a variable, which may have an address with its password.
      ([name, value = '']) => name !== USER && name !== PASSWORD && !/\brediss?:\/\/[^\s/]*@/i.test(value),
    ),
  );

/** Error thrown if a process ends before it has loaded the study: a new process may succeed. */
export class EndedEarly extends Error {}

/** Child process that runs trials one after another. It must be replaced once a trial or a limit has ended it. */
export class TrialProcess {
  readonly #limit: number;
  readonly #child: ChildProcess;
  readonly #exited: Promise<string>;
  #output = '';
  /** Text from the process about the memory at which it ended itself, MB; empty if it has not. */
  #tooMuch = '';
  #megabytes = 0;
  #isOver = false;
  /** Handles the next message from the process. */
  #onMessage: (message: TrialMessage) => void = () => {};
  /**
   * Promise that resolves to the hash of the study's code once the process has loaded it. Rejects if it cannot be
   * loaded, or the process ends first.
   */
  readonly loaded: Promise<string>;

  constructor({ source, out, data, megabytes }: Omit<TrialProcessOptions, 'parent'>) {
    this.#limit = megabytes;
    const given: TrialProcessOptions = { source, out, data, megabytes, parent: process.pid };
    // A process group of its own: the terminal's Ctrl+C does not reach it, and its children end with it.
    this.#child = spawn(process.execPath, [...trialProgram(), JSON.stringify(given)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      env: environmentOfTrials(process.env),
    });
    this.#exited = new Promise((settle) => {
      this.#child.once('error', (error) => settle(`cannot be started: ${error.message}`));
      // All its output has arrived by then.
      this.#child.once('close', (code, signal) =>
        settle(signal ? `ended by ${signal}` : `ended with exit code ${code}`),
      );
    });
    void this.#exited.then(() => {
      this.#isOver = true;
    });
    this.#child.on('message', (message) => this.#onMessage(message as TrialMessage));
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-KEPT_OUTPUT);
      });
    const memory = this.#child.stdio[MEMORY_FILE] as Readable | undefined;
    memory?.setEncoding('utf8').on('data', (text: string) => {
      this.#tooMuch += text;
    });
    this.loaded = this.#load();
    // It may be awaited later.
    this.loaded.catch(() => {});
  }

  async #load(): Promise<string> {
    const message = await Promise.race([this.#nextMessage(), this.#exited]);
    if (typeof message === 'string')
      throw new EndedEarly(
        `A process for trials ${message} before it had loaded the study. ${this.#lastOutput()}`.trim(),
      );
    if (message.kind === 'loaded') return message.code;
    this.end();
    throw new GradsimError(
      'gradsim/trials-process-ended',
      message.kind === 'not loaded' ? message.message : 'The process of the trials answers what is not asked.',
    );
  }

  /** True if the process has ended, or its memory has grown too much, so that the next trial needs a new process. */
  get isOver(): boolean {
    return this.#isOver || this.#megabytes > REPLACEMENT_SHARE * this.#limit;
  }

  /** Runs a trial until it ends, or the process does. */
  async run({ id, settings }: Trial, attempt: number, { device, seconds }: TrialConditions): Promise<Attempt> {
    const began = performance.now();
    this.#output = '';
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.end();
    }, 1000 * seconds);
    const answer = this.#nextMessage();
    const message: RunMessage = { id, settings, attempt, device };
    // A process that has just ended takes no message; its end is handled elsewhere.
    this.#child.send(message, () => {});
    const ended = await Promise.race([answer, this.#exited]);
    clearTimeout(timer);
    const took = (performance.now() - began) / 1000;
    if (typeof ended === 'string') return this.#endedBy(ended, isLate ? seconds : undefined, took);
    if (ended.kind !== 'done' && ended.kind !== 'threw')
      throw defect(`A process of trials says "${ended.kind}" in one`);
    const { cpuSeconds, megabytes } = ended;
    this.#megabytes = megabytes;
    const cost = { seconds: took, cpuSeconds, megabytes };
    if (ended.kind === 'threw')
      return { status: 'failed', reason: ended.isMachine ? 'machine' : 'error', message: ended.message, cost };
    return { status: 'done', result: ended.result, summary: ended.summary, cost };
  }

  /** Kills the process, and its child processes. */
  end(): void {
    const { pid } = this.#child;
    if (this.#isOver || pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }

  /** Resolves once the process has ended. */
  get ended(): Promise<unknown> {
    return this.#exited;
  }

  #nextMessage(): Promise<TrialMessage> {
    return new Promise((settle) => {
      this.#onMessage = settle;
    });
  }

  #endedBy(how: string, limit: number | undefined, seconds: number): Attempt {
    const failed = (reason: Reason, message: string): Attempt => ({
      status: 'failed',
      reason,
      message,
      cost: { seconds },
    });
    if (limit !== undefined) return failed('time limit', `The trial took more than ${limit} s.`);
    if (this.#tooMuch !== '' || /heap out of memory/.test(this.#output))
      return failed('memory limit', `The trial took more than ${Math.round(this.#limit)} MB.`);
    // Nothing here sent it: the system kills a process when memory is short.
    if (how.endsWith('SIGKILL'))
      return failed('machine', 'The process of the trial was killed, as by a system that is short of memory.');
    return failed('crash', `The process of the trial ${how}. ${this.#lastOutput()}`.trim());
  }

  #lastOutput(): string {
    const lines = this.#output.trim().split('\n').slice(-6).join('\n');
    return lines === '' ? '' : `It wrote last: ${lines}`;
  }
}
