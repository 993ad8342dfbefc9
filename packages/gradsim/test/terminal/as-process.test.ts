import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const JITI = fileURLToPath(new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url));
const FIXTURE = fileURLToPath(new URL('../fixtures/as-process.ts', import.meta.url));
const WHO = 'The function `stages` of the experiment "lamp"';
const OUTSIDE = 'Outside of what the command waits for, an error was thrown: ';

it.each([
  ['returns', 3, ''],
  ['never', 1, `${WHO} waits for a promise that can never be settled: nothing is left to run. gradsim/never-settled\n`],
  ['exits', 1, `${WHO} ended the process with process.exit, before the command was done. gradsim/process-exit\n`],
  [
    'exits with 7',
    1,
    `${WHO} ended the process with process.exit, before the command was done. gradsim/process-exit\n`,
  ],
  ['throws later', 1, `${OUTSIDE}The lamp went out. gradsim/uncaught\n`],
  ['rejects alone', 1, expect.stringMatching(/^Outside of .*: Something failed with /)],
  ['ended by the command', 130, ''],
])('a process whose work %s has the exit code %i, and reports an error if any', (way, code, said) => {
  const { status, stderr } = spawnSync(process.execPath, [JITI, FIXTURE, way], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: code, stderr: said });
});
