import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const JITI = fileURLToPath(new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url));
const FIXTURE = fileURLToPath(new URL('../fixtures/prints.ts', import.meta.url));

it('once standard output is reserved, only results appear on it, whatever the process and its children print', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [JITI, FIXTURE], { encoding: 'utf8' });
  expect(stdout).toBe('first result\nsecond result, piped\n');
  const ways = ['log', 'table', 'write', 'spawn', 'spawn to 1', 'spawn to stream', 'fork', 'spawnSync'];
  for (const way of [...ways, 'execFileSync', 'execSync', 'writeSync', 'writeFileSync', 'promised', 'thread'])
    expect(stderr).toContain(way);
  expect(status).toBe(0);
});

it('once standard output is reserved, only results appear on it if it is a file, too', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'gradsim-output-')), 'results');
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const out = openSync(file, 'w');
  const { status } = spawnSync(process.execPath, [JITI, FIXTURE], { stdio: ['ignore', out, 'ignore'] });
  closeSync(out);
  expect({ status, results: readFileSync(file, 'utf8') }).toEqual({
    status: 0,
    results: 'first result\nsecond result, piped\n',
  });
});
