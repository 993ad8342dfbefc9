// The command that computes tables, run as a user runs it: lines of JSON on standard output, and a file beside the figures.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'gradsim-paper-'));
afterAll(() => rmSync(folder, { recursive: true }));

const COMMAND = fileURLToPath(new URL('../dist/main.js', import.meta.url));

it('table-1 --json prints a row with the common fields of all rows, and writes it with its command', async () => {
  const [out, pictures] = [join(folder, 'out'), join(folder, 'pictures')];
  const args = ['table-1', '--count', '1', '--no-baselines', '--json', '--out', out, '--pictures', pictures];
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...args]);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ table: 'table-1', row: 'objects', unknown: 'mass', n: 1, failed: 0 });
  // The mean of the paper over its 200 objects.
  expect(rows[0].measured).toBeLessThan(9e-5);
  expect(rows[0]).toHaveProperty('flaggedOfWrong');
  const written = JSON.parse(readFileSync(join(pictures, 'table-1.json'), 'utf8'));
  expect(written.command).toBe('npm run -s paper -- table-1 --count 1 --no-baselines');
  expect(written.rows[0].mean).toBe(rows[0].measured);
});
