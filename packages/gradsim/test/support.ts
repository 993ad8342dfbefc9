import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from 'gradsim';
import { onTestFinished } from 'vitest';

/** Path of a small experiment with a plugin of its own: gravity and drag of a mote. */
export const FALLING_MOTE = fileURLToPath(new URL('fixtures/falling-mote.ts', import.meta.url));
/** Path of an experiment that estimates 36 masses of motes falling through air. */
export const MANY_MASSES = fileURLToPath(new URL('fixtures/many-masses.ts', import.meta.url));
export const PUSHED = fileURLToPath(new URL('fixtures/pushed.ts', import.meta.url));

/** Result of a run of the command line. */
export interface Run {
  readonly code: number;
  readonly stdout: string[];
  readonly stderr: string[];
}

/** Runs the command line in this process; `onSay` is called with each line of standard error as it is printed. */
export async function gradsim(args: readonly string[], onSay: (line: string) => void = () => {}): Promise<Run> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await runProgram(args, {
    print: (line) => stdout.push(line),
    say: (line) => {
      stderr.push(line);
      onSay(line);
    },
    isInteractive: false,
  });
  return { code, stdout, stderr };
}

/** An empty folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
