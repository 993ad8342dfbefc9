import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from 'create-gradsim';
import { createPlugin } from 'create-gradsim-plugin';
import { expect, it, onTestFinished } from 'vitest';

it('npm create gradsim-plugin takes a name alone, and starts what npm create gradsim plugin does', () => {
  const lines: string[] = [];
  const run = (...args: string[]) =>
    runProgram(args, { print: (line) => lines.push(line), say: (line) => lines.push(line) }, 'plugin');
  expect(run('--help')).toBe(0);
  expect(lines.join('\n')).toContain('npm create gradsim-plugin [options] [name]');
  expect(run()).toBe(1);
  expect(lines.at(-1)).toMatch(/Give one: npm create gradsim-plugin my-plugin\. \[create-gradsim\/no-name\]$/);
  // In the repository packages have no versions: what it would write is known, what it needs is not.
  expect(run('gusts')).toBe(1);
  expect(lines.at(-1)).toContain('[create-gradsim/not-packed]');
});

it('createPlugin writes a package with a force', () => {
  const folder = mkdtempSync(join(tmpdir(), 'create-plugin-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const needed = ['@gradsim/core', '@gradsim/particles', 'gradsim', 'typescript', 'vitest'];
  const files = createPlugin({
    name: 'gusts',
    folder,
    versions: Object.fromEntries(needed.map((name) => [name, '^1.2.0'])),
  });
  expect(files).toContain('src/kernels.ts');
  expect(readdirSync(folder)).toContain('package.json');
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).peerDependencies['@gradsim/core']).toBe('1.x');
});
