import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a program with the old law of contact in place of the law, and returns the lines of JSON that it prints. */
export function withOldLaw<Line>(program: string, args: readonly string[]): Line[] {
  const patch = new URL('./patch.js', import.meta.url).href;
  const command = ['--import', patch, fileURLToPath(program), ...args];
  const { stdout, stderr, status } = spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`The old law failed: ${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
