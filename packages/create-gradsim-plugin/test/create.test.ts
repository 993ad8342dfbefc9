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
  it('has the given name and versions, and nowhere the name of the template', () => {
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
    ['My Gusts', { code: 'create-gradsim-plugin/name-invalid', values: ['"My Gusts"', '"my-gusts"'] }],
    ['gusts!', { code: 'create-gradsim-plugin/name-invalid', values: ['"gusts"'] }],
    ['.gusts', { code: 'create-gradsim-plugin/name-invalid', values: ['cannot start with a period', '"gusts"'] }],
    ['fs', { code: 'create-gradsim-plugin/name-invalid', values: ['"fs"', /fs is a core module name\.$/] }],
    ['', { code: 'create-gradsim-plugin/name-invalid', values: [/name length must be greater than zero\.$/] }],
    ['vitest', { code: 'create-gradsim-plugin/name-taken', values: ['vitest'] }],
  ])('the invalid or taken name "%s"', (name, expected) => {
    expect(() => create(name)).toThrowCode(expected);
    expect(readdirSync(place)).toEqual([]);
  });

  it('a folder that is not empty', () => {
    mkdirSync(join(place, 'new'));
    writeFileSync(join(place, 'new', 'thesis.txt'), '');
    expect(() => create('gusts')).toThrowCode({
      code: 'create-gradsim-plugin/folder-not-empty',
      values: [/new /, 'thesis.txt'],
    });
    expect(readdirSync(join(place, 'new'))).toEqual(['thesis.txt']);
  });

  it('a file in place of the folder or of one of its parents', () => {
    writeFileSync(join(place, 'new'), '');
    expect(() => create('gusts')).toThrowCode({ code: 'create-gradsim-plugin/folder-is-file', values: [/new /] });
    expect(() => create('gusts', 'new/below')).toThrowCode({
      code: 'create-gradsim-plugin/folder-is-file',
      values: [/new /],
    });
  });

  it('a dependency of the template whose version is not given', () => {
    const { vitest, ...rest } = versions;
    expect(() => createPlugin({ name: 'gusts', folder: join(place, 'new'), versions: rest })).toThrowCode({
      code: 'create-gradsim-plugin/version-missing',
      values: ['vitest'],
    });
    expect(existsSync(join(place, 'new'))).toBe(false);
  });
});

describe('the command create-gradsim-plugin', () => {
  const run = (...args: string[]) => {
    const lines: string[] = [];
    const code = runProgram(args, { print: (line) => lines.push(line), say: (line) => lines.push(line) });
    return { code, text: lines.join('\n') };
  };

  it('without a name fails, and shows how to give one', () => {
    expect(run()).toEqual({
      code: 1,
      text: expect.stringMatching(/npm create gradsim-plugin my-plugin\. \[create-gradsim-plugin\/no-name\]$/),
    });
  });

  it('refuses --folder twice, and prints no control characters of its arguments', () => {
    expect(run('gusts', '--folder', 'a', '--folder', 'b')).toEqual({
      code: 1,
      text: expect.stringContaining('[create-gradsim-plugin/option-twice]'),
    });
    for (const args of [[`\x1b[2J\u202e`], ['gusts', '--\x9b31m'], ['gusts', '--folder', '/proc/\x07']]) {
      const { code, text } = run(...args);
      expect(code).toBe(1);
      expect(text).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
    }
  });

  it('run from the repository, where it has no published versions, fails with the code not-packed', () => {
    const { code, text } = run('gusts', '--folder', join(place, 'new'));
    expect(code).toBe(1);
    expect(text).toMatch(/"workspace:\^".*\[create-gradsim-plugin\/not-packed\]$/);
    expect(readdirSync(place)).toEqual([]);
  });

  it('prints its help with --help, and refuses an unknown option', () => {
    const { code, text } = run('--help');
    expect(code).toBe(0);
    expect(text).toContain('npm create gradsim-plugin [options] [name]');
    const wrong = run('gusts', '--fodler', 'x');
    expect(wrong.code).toBe(1);
    expect(wrong.text).toContain("unknown option '--fodler'");
  });
});
