import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
  /** Names of what lies in the folder afterwards, of a run in a folder of its own. */
  readonly left?: readonly string[];
}

const GRADSIM = join(dirname(fileURLToPath(import.meta.resolve('@gradsim/cli'))), 'main.js');

/** Runs gradsim in a folder of its own with these files. */
export async function runGradsim(
  args: readonly string[],
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-fuzz-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const end = await ended(args, folder);
    return { ...end, left: readdirSync(folder).sort() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function ended(args: readonly string[], folder: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [GRADSIM, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, out, err }));
  });
}
