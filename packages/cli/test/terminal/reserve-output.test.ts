import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const JITI = fileURLToPath(new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url));
const FIXTURE = fileURLToPath(new URL('../fixtures/prints.ts', import.meta.url));

it('only results are on standard output once it is kept for them, whatever else prints', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [JITI, FIXTURE], { encoding: 'utf8' });
  expect(stdout).toBe('first result\nsecond result, piped\n');
  const ways = ['log', 'table', 'write', 'spawn', 'spawn to 1', 'spawn to stream', 'fork', 'spawnSync'];
  for (const way of [...ways, 'execFileSync', 'execSync', 'thread']) expect(stderr).toContain(way);
  expect(status).toBe(0);
});
