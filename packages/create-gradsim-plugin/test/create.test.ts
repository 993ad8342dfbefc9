import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlugin, runProgram } from 'create-gradsim-plugin';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const versions = {
  gradsim: '^0.4.0',
  '@gradsim/core': '^0.3.1',
  '@gradsim/particles': '^0.6.0',
  typescript: '^7.0.2',
  vitest: '^4.1.12',
};

let place = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'create-plugin-'));
});
afterEach(() => rmSync(place, { recursive: true }));

const create = (name: string, folder = 'new') => createPlugin({ name, folder: join(place, folder), versions });
const read = (path: string) => readFileSync(join(place, 'new', path), 'utf8');

describe('a new plugin', () => {
  it('has its name everywhere, and the versions that were given', () => {
    const files = create('@me/gusts');
    expect(files).toContain('.gitignore');
    expect(JSON.parse(read('package.json'))).toMatchObject({
      name: '@me/gusts',
      peerDependencies: { '@gradsim/core': '0.x', '@gradsim/particles': '0.x' },
      devDependencies: versions,
    });
    expect(read('src/plugin.ts')).toContain("name: '@me/gusts'");
    for (const file of files) expect(read(file)).not.toContain('my-plugin');
  });

  it('may be created in an existing empty folder', () => {
    mkdirSync(join(place, 'new'));
    expect(create('gusts').length).toBeGreaterThan(8);
  });
});

describe('create-gradsim-plugin refuses before anything is written', () => {
  it.each([
    ['My Gusts', /"My Gusts" cannot be the name of an npm package: .* "my-gusts" can be\./],
    ['gusts!', /cannot be the name .* "gusts" can be\./],
    ['.gusts', /name cannot start with a period.* "gusts" can be\./],
    ['fs', /"fs" cannot be the name of an npm package: fs is a core module name\.$/],
    ['', /name length must be greater than zero\.$/],
    ['vitest', /cannot have the name vitest, of a package that it is built with/],
  ])('the name "%s"', (name, message) => {
    expect(() => create(name)).toThrow(message);
    expect(readdirSync(place)).toEqual([]);
  });

  it('a folder that is not empty', () => {
    mkdirSync(join(place, 'new'));
    writeFileSync(join(place, 'new', 'thesis.txt'), '');
    expect(() => create('gusts')).toThrow(/new is there already and holds thesis.txt; choose another/);
    expect(readdirSync(join(place, 'new'))).toEqual(['thesis.txt']);
  });

  it('a file in place of the folder or of one of its parents', () => {
    writeFileSync(join(place, 'new'), '');
    expect(() => create('gusts')).toThrow(/new is a file/);
    expect(() => create('gusts', 'new/below')).toThrow(/new is a file/);
  });

  it('a template with unknown versions', () => {
    const { vitest, ...rest } = versions;
    expect(() => createPlugin({ name: 'gusts', folder: join(place, 'new'), versions: rest })).toThrow(
      /The template needs vitest/,
    );
    expect(existsSync(join(place, 'new'))).toBe(false);
  });
});

describe('the command create-gradsim-plugin', () => {
  const run = (...args: string[]) => {
    const lines: string[] = [];
    const code = runProgram(args, { print: (line) => lines.push(line), say: (line) => lines.push(line) });
    return { code, text: lines.join('\n') };
  };

  it('asks for a name', () => {
    expect(run()).toEqual({
      code: 1,
      text: 'The plugin needs a name: npm create gradsim-plugin my-plugin.',
    });
  });

  it('refuses two folder arguments, and prints no control characters', () => {
    expect(run('gusts', '--folder', 'a', '--folder', 'b')).toEqual({
      code: 1,
      text: '--folder is given twice; give it once.',
    });
    for (const args of [[`\x1b[2J\u202e`], ['gusts', '--\x9b31m'], ['gusts', '--folder', '/proc/\x07']]) {
      const { code, text } = run(...args);
      expect(code).toBe(1);
      expect(text).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
    }
  });

  it('says that it must be packed when run in the repository, where versions are unknown', () => {
    const { code, text } = run('gusts', '--folder', join(place, 'new'));
    expect(code).toBe(1);
    expect(text).toMatch(/has the version "workspace:\^", which npm cannot install/);
    expect(readdirSync(place)).toEqual([]);
  });

  it('prints its help', () => {
    const { code, text } = run('--help');
    expect(code).toBe(0);
    expect(text).toContain('npm create gradsim-plugin [options] [name]');
    const wrong = run('gusts', '--fodler', 'x');
    expect(wrong.code).toBe(1);
    expect(wrong.text).toContain("unknown option '--fodler'");
  });
});
