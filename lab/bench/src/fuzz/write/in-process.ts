import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runProgram } from 'gradsim';
import type { Ended } from './node-process.ts';

/** File contents by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Runs gradsim within this process, in a working folder: many times faster than in a new process. */
export async function gradsimIn(folder: string, args: readonly string[]): Promise<Ended> {
  const [ended] = await gradsimsIn(folder, [args]);
  return ended;
}

/** Runs several gradsim commands at once within this process. */
export async function gradsimsIn(folder: string, runs: readonly (readonly string[])[]): Promise<Ended[]> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await Promise.all(runs.map(gradsim));
  } finally {
    process.chdir(before);
  }
}

/** Runs gradsim within this process, where it is. */
export async function gradsim(args: readonly string[]): Promise<Ended> {
  let [out, err] = ['', ''];
  const code = await runProgram(args, {
    print: (line) => {
      out += `${line}\n`;
    },
    say: (line) => {
      err += `${line}\n`;
    },
    isInteractive: false,
  });
  return { code, signal: null, out, err };
}

/** Creates a temporary folder with files, calls `work` with it, and deletes it. */
export async function inFolder<T>(files: Files, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-fuzz-'));
  try {
    writeFiles(folder, files);
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    // After a pipe, Node would load later modules by way of links, as second copies (nodejs/node#51142).
    statSync(tmpdir());
  }
}

function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** Control characters that a terminal interprets. */
const CONTROL = /[^\n\t\P{Cc}]|[\u2028\u2029\p{Bidi_Control}]/u;

/** Describes a control character in the output, which must not reach a terminal; undefined if there is none. */
export function controlIn({ out, err }: Ended): string | undefined {
  const found = CONTROL.exec(`${out}${err}`);
  return found ? `control character ${found[0].charCodeAt(0)} is printed` : undefined;
}
