import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create as createProject, type TemplateName } from 'create-gradsim';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../src/program.ts';
import { TEMPLATES } from '../src/templates.ts';

const versions = {
  gradsim: '^0.4.0',
  '@gradsim/core': '^0.3.1',
  '@gradsim/particles': '^0.6.0',
  typescript: '^7.0.2',
  vite: '^8.0.0',
  vitest: '^4.1.12',
};

let place = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'create-plugin-'));
});
afterEach(() => rmSync(place, { recursive: true }));

const create = (name: string, folder = 'new') =>
  createProject({ template: 'plugin', name, folder: join(place, folder), versions });
const read = (path: string) => readFileSync(join(place, 'new', path), 'utf8');

describe('a new plugin', () => {
  it('has the given name and versions, and nowhere the name of the template', () => {
    const files = create('@me/gusts');
    expect(files).toContain('.gitignore');
    expect(JSON.parse(read('package.json'))).toMatchObject({
      name: '@me/gusts',
      peerDependencies: { '@gradsim/core': '0.x', '@gradsim/particles': '0.x' },
      devDependencies: Object.fromEntries(Object.entries(versions).filter(([name]) => name !== 'vite')),
    });
    expect(read('src/plugin.ts')).toContain("name: '@me/gusts'");
    for (const file of files) expect(read(file)).not.toContain('my-plugin');
  });

  it('may be created in an existing empty folder', () => {
    mkdirSync(join(place, 'new'));
    expect(create('gusts').length).toBeGreaterThan(8);
  });
});

describe.each(Object.keys(TEMPLATES) as TemplateName[])('a new project of the template %s', (template) => {
  it('has the given name, nowhere that of the template, and a script for each step', () => {
    const files = createProject({ template, name: '@me/thing', folder: join(place, 'new'), versions });
    expect(files).toContain('.gitignore');
    const { name, scripts, ...rest } = JSON.parse(read('package.json'));
    expect(name).toBe('@me/thing');
    for (const file of files) expect(read(file)).not.toContain(TEMPLATES[template].placeholder);
    for (const step of TEMPLATES[template].steps) expect(scripts).toHaveProperty(step.replace(/^npm (?:run )?/, ''));
    expect(JSON.stringify(rest)).not.toContain('"*"');
    const [, told] = / (?:in|and) (?:[^ ]+, .* in )?([\w./]+\.[jt]sx?)\.$/.exec(TEMPLATES[template].next)!;
    expect(files).toContain(told);
  });
});

describe('create-gradsim refuses before anything is written', () => {
  it.each([
    ['My Gusts', { code: 'create-gradsim/name-invalid', values: ['"My Gusts"', '"my-gusts"'] }],
    ['gusts!', { code: 'create-gradsim/name-invalid', values: ['"gusts"'] }],
    ['.gusts', { code: 'create-gradsim/name-invalid', values: ['cannot start with a period', '"gusts"'] }],
    ['fs', { code: 'create-gradsim/name-invalid', values: ['"fs"', /fs is a core module name\.$/] }],
    ['', { code: 'create-gradsim/name-invalid', values: [/name length must be greater than zero\.$/] }],
    ['vitest', { code: 'create-gradsim/name-taken', values: ['vitest'] }],
  ])('the invalid or taken name "%s"', (name, expected) => {
    expect(() => create(name)).toThrowCode(expected);
    expect(readdirSync(place)).toEqual([]);
  });

  it('a folder that is not empty', () => {
    mkdirSync(join(place, 'new'));
    writeFileSync(join(place, 'new', 'thesis.txt'), '');
    expect(() => create('gusts')).toThrowCode({
      code: 'create-gradsim/folder-not-empty',
      values: [/new /, 'thesis.txt'],
    });
    expect(readdirSync(join(place, 'new'))).toEqual(['thesis.txt']);
  });

  it('a file in place of the folder or of one of its parents', () => {
    writeFileSync(join(place, 'new'), '');
    expect(() => create('gusts')).toThrowCode({ code: 'create-gradsim/folder-is-file', values: [/new /] });
    expect(() => create('gusts', 'new/below')).toThrowCode({
      code: 'create-gradsim/folder-is-file',
      values: [/new /],
    });
  });

  it('a dependency of the template whose version is not given', () => {
    const { vitest, ...rest } = versions;
    expect(() =>
      createProject({ template: 'plugin', name: 'gusts', folder: join(place, 'new'), versions: rest }),
    ).toThrowCode({
      code: 'create-gradsim/version-missing',
      values: ['vitest'],
    });
    expect(existsSync(join(place, 'new'))).toBe(false);
  });
});

describe('the command create-gradsim', () => {
  const run = (...args: string[]) => {
    const lines: string[] = [];
    const code = runProgram(args, { print: (line) => lines.push(line), say: (line) => lines.push(line) });
    return { code, text: lines.join('\n') };
  };

  it('without a template or a name fails, and shows how to give one', () => {
    for (const args of [[], ['my-page'], ['../plugin', 'my-plugin']]) {
      const { code, text } = run(...args);
      expect(code).toBe(1);
      for (const name of Object.keys(TEMPLATES)) expect(text).toContain(`\n  ${name} `);
      expect(text).toContain('npm create gradsim vite my-page.');
    }
    expect(run('next')).toEqual({
      code: 1,
      text: expect.stringMatching(/npm create gradsim next my-site\. \[create-gradsim\/no-name\]$/),
    });
  });

  it('refuses --folder twice, and prints no control characters of its arguments', () => {
    expect(run('plugin', 'gusts', '--folder', 'a', '--folder', 'b')).toEqual({
      code: 1,
      text: expect.stringContaining('[create-gradsim/option-twice]'),
    });
    for (const args of [
      [`\x1b[2J\u202e`],
      ['node', '\u202e'],
      ['node', 'a', '--\x9b31m'],
      ['node', 'a', '--folder', '/proc/\x07'],
    ]) {
      const { code, text } = run(...args);
      expect(code).toBe(1);
      expect(text).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
    }
  });

  it('run from the repository, where it has no published versions, fails with the code not-packed', () => {
    const { code, text } = run('plugin', 'gusts', '--folder', join(place, 'new'));
    expect(code).toBe(1);
    expect(text).toMatch(/"workspace:\^".*\[create-gradsim\/not-packed\]$/);
    expect(readdirSync(place)).toEqual([]);
  });

  it('prints its help with --help, and refuses an unknown option', () => {
    const { code, text } = run('--help');
    expect(code).toBe(0);
    expect(text).toContain('npm create gradsim [options] [template] [name]');
    const wrong = run('plugin', 'gusts', '--fodler', 'x');
    expect(wrong.code).toBe(1);
    expect(wrong.text).toContain("unknown option '--fodler'");
  });
});
