import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { GradsimError } from '@gradsim/base';

import { plainText } from './plain-text.ts';
import { endGroup, endWithThisProcess, OWN_GROUP } from './processes.ts';

/**
 * Registers a running process group, so that it is ended if this process is killed; returns a function to call when the
 * group has ended.
 */
export type GroupGuard = (group: number) => () => void;

/** Exit status of ffmpeg. */
export interface ExitStatus {
  /** Exit code; null if a signal ended the program. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Maximum number of characters kept of a line, and of lines kept, since a program may write without end. */
const [LONGEST_LINE, MAX_LINES] = [1000, 500];

/** A running ffmpeg program. */
export class FfmpegProgram {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #release: (() => void) | undefined;
  #error: Error | undefined;
  readonly ended: Promise<ExitStatus>;

  /**
   * @param onLine called with each line of standard error; returns whether to keep the line.
   * @param signal ends the program when it is aborted.
   */
  constructor(
    options: readonly string[],
    {
      guard,
      signal,
      onLine = () => true,
    }: {
      readonly guard: GroupGuard;
      readonly signal?: AbortSignal;
      readonly onLine?: (line: string) => boolean;
    },
  ) {
    const child = spawn('ffmpeg', options, { ...OWN_GROUP, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.#release = child.pid === undefined ? undefined : guard(child.pid);
    endWithThisProcess(child);
    const end = (): void => this.end();
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end);
    this.ended = new Promise((resolve) => {
      const over = (code: number | null, by: NodeJS.Signals | null): void => {
        signal?.removeEventListener('abort', end);
        resolve({ code, signal: by });
      };
      child.on('close', over);
      child.on('error', (error) => {
        this.#error = error;
        over(null, null);
      });
    });
    let rest = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split(/[\r\n]+/);
      rest = lines.pop()!.slice(0, LONGEST_LINE);
      for (const line of lines)
        if (onLine(line.slice(0, LONGEST_LINE)) && this.#lines.length < MAX_LINES)
          this.#lines.push(line.slice(0, LONGEST_LINE));
    });
    // The reader notices its end.
    child.stdout?.on('error', () => {});
    child.stderr?.on('error', () => {});
  }

  /** Standard output of the program; empty if it could not be started. */
  get output(): AsyncIterable<Uint8Array> {
    return (this.#child.stdout as Readable | null) ?? noOutput();
  }

  /** Waits for the program to end, discarding its output. */
  drained(): Promise<ExitStatus> {
    this.#child.stdout?.resume();
    return this.ended;
  }

  /** Kept lines of standard error: the first 1000 characters of each, at most 500 lines. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Reason why the program could not be started, if so. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** Ends the program and all processes that it has started. */
  end(): void {
    endGroup(this.#child);
    this.#release?.();
  }
}

async function* noOutput(): AsyncGenerator<Uint8Array> {}

/** Returns a sentence that describes an abnormal exit; undefined for a normal one. */
export function exitFault({ code, signal }: ExitStatus): string | undefined {
  if (signal) return `it was ended by ${signal}.`;
  return code === 0 ? undefined : `it ended with the code ${code}.`;
}

let isKnownGood = false;

/**
 * Returns whether the program ffmpeg is installed.
 *
 * @param patience seconds within which it must print its version.
 * @throws GradsimError when there is a program of that name that does not start, does not end, or ends abnormally.
 */
export async function hasFfmpeg(patience: number, guard: GroupGuard): Promise<boolean> {
  if (isKnownGood) return true;
  const probe = new FfmpegProgram(['-version'], { guard });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), 1000 * patience);
  });
  const ending = await Promise.race([probe.drained(), late]);
  clearTimeout(timer);
  probe.end();
  if ((probe.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return false;
  if (probe.error) throw unusableFfmpeg(`it cannot be started: ${plainText(probe.error.message)}.`);
  if (!ending) throw unusableFfmpeg(`it has not answered \`ffmpeg -version\` within ${patience} s.`);
  const bad = exitFault(ending);
  if (bad) throw unusableFfmpeg(`asked by \`ffmpeg -version\`, ${bad}`);
  isKnownGood = true;
  return true;
}

const unusableFfmpeg = (reason: string): GradsimError =>
  new GradsimError(
    'video/ffmpeg-unusable',
    `The program ffmpeg of this machine cannot be used: ${reason} The film is not to blame.`,
    { hint: 'See which ffmpeg is the first in PATH, and install another, 5.1 or newer.' },
  );
