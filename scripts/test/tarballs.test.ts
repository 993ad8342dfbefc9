// Packages packed for people, until they are published.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { experimentFiles, KINDS } from '../../packages/kinds/src/index.ts';
import { neededBy } from '../pack/needs.js';
import { packageNames, packTarballs } from '../pack/tarballs.js';
import { publishedPackages } from '../packages.js';
import { root } from '../root.js';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-tarballs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('npm run pack', () => {
  it('takes every name that it lists, with and without @gradsim/', () => {
    let listed = '';
    try {
      packageNames(['left-pad']);
    } catch (error) {
      listed = (error as Error).message;
    }
    expect(listed).toMatch(/^There is no package "left-pad"; there are .*\bcreate-gradsim\b.*\bgradsim\b/);
    const all = publishedPackages().map(({ name }) => name);
    const names = listed.slice(listed.indexOf('there are ') + 'there are '.length, -1).split(', ');
    expect(packageNames(names)).toEqual(all);
    expect(packageNames(all)).toEqual(all);
  });

  it('keeps what was packed earlier, and what a package needs comes along', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'gradsim-optim-01234567.tgz'), 'an earlier one');
    const first = packTarballs(packageNames(['dynamics']), folder);
    expect(first.map((file) => file.replace(/-[0-9a-f]{8}\.tgz$/, ''))).toEqual(
      ['dynamics', 'core', 'base', 'kernel'].map((name) => join(folder, `gradsim-${name}`)),
    );
    packTarballs(packageNames(['create-gradsim']), folder);
    const files = readdirSync(folder);
    for (const file of first) expect(files.map((name) => join(folder, name))).toContain(file);
    expect(readFileSync(join(folder, 'gradsim-optim-01234567.tgz'), 'utf8')).toBe('an earlier one');
  });
});

describe('npm run try', () => {
  it('finds what a folder of gradsim new needs: the command, and what its modules import', () => {
    for (const kind of KINDS) {
      const folder = temporaryFolder();
      const files = experimentFiles(kind, { from: 'gradsim/kinds', name: kind.name }, {});
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      cpSync(join(root, 'packages/kinds/src', kind.name), join(folder, 'kind'), { recursive: true });
      const needed = neededBy(folder);
      expect(needed).toContain('gradsim');
      const text = readFileSync(join(folder, 'kind/stages.ts'), 'utf8');
      for (const [, name] of text.matchAll(/from '(@gradsim\/[a-z-]+)'/g)) expect(needed).toContain(name);
    }
  });

  it('goes by the package.json of a plugin, and refuses a folder that needs nothing of gradsim', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/a.ts'), "import { x } from '@gradsim/smoke';");
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({
        peerDependencies: { '@gradsim/core': '0.x' },
        devDependencies: { gradsim: '^0.0.0', vitest: '4' },
      }),
    );
    expect(neededBy(folder).sort()).toEqual(['@gradsim/core', 'gradsim']);
    expect(() => neededBy(temporaryFolder())).toThrow(/needs no package of gradsim/);
  });
});
