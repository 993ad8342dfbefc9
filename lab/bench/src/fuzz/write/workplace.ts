import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { COMMAND } from '../../support/command.ts';
import type { Ended } from './node-process.ts';
import { nodeEnded } from './node-process.ts';

/** Runs gradsim in a temporary folder that contains these files. */
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
    const end = await nodeEnded([COMMAND, ...args], { cwd: folder });
    return { ...end, left: readdirSync(folder).sort() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
