import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { ROOT } from '../support/root.ts';
import type { Stage, StageProgram } from './stages.ts';

/** Line of figures that a program printed. */
export type Figures = Readonly<Record<string, unknown>>;

/** Figures that a program of a stage printed, and how it ended. */
export interface Outcome extends StageProgram {
  readonly figures: readonly Figures[];
  /** `stopped`: not finished in the time that its stage has. */
  readonly ended: 'well' | 'failed' | 'stopped';
  readonly seconds: number;
  /** End of its messages, of one that did not end well. */
  readonly messages?: string;
}

/** A stage that was run. */
export interface StageResult {
  readonly name: string;
  readonly title: string;
  /** Revision of the repository. */
  readonly revision: string;
  readonly outcomes: readonly Outcome[];
}

/** Number of characters that are kept of the messages of a program that failed. */
const KEPT_OUTPUT = 2000;

/**
 * Runs the programs of a stage, one after another, in the time that all of them have.
 *
 * @param seconds time of the stage: a program that is not finished then is ended, with all that it started, and its
 * figures until then are kept.
 */
export async function runStage(
  { name, title, programs }: Stage,
  seconds: number,
  revision: string,
): Promise<StageResult> {
  const began = performance.now();
  const outcomes: Outcome[] = [];
  for (const program of programs) {
    const left = seconds - (performance.now() - began) / 1000;
    outcomes.push(
      left > 0 ? await runProgram(program, left) : { ...program, figures: [], ended: 'stopped', seconds: 0 },
    );
  }
  return { name, title, revision, outcomes };
}

async function runProgram(program: StageProgram, seconds: number): Promise<Outcome> {
  const began = performance.now();
  // A process group of its own, which ends as a whole.
  const child = spawn(process.execPath, program.run, { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => endGroup(child);
  process.once('exit', stop);
  const timer = setTimeout(stop, seconds * 1000);
  const said = [text(child.stdout), text(child.stderr)];
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  process.off('exit', stop);
  const [printed, messages] = await Promise.all(said);
  const ended = code === 0 ? 'well' : code === null ? 'stopped' : 'failed';
  return {
    ...program,
    figures: figuresIn(printed),
    ended,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    ...(ended === 'failed' ? { messages: messages.slice(-KEPT_OUTPUT) } : {}),
  };
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function figuresIn(printed: string): Figures[] {
  return printed.split('\n').flatMap((line): Figures[] => {
    if (!line.startsWith('{')) return [];
    try {
      return [JSON.parse(line)];
    } catch {
      // The line in which the program was ended.
      return [];
    }
  });
}
