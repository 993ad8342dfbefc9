import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { expect, it, onTestFinished } from 'vitest';
import { type FileRefused, readBytes, readBytesSync, readTextSync, textOf, writeWhole } from '../src/files/index.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('textOf tells UTF-16 from UTF-8 by its mark, and without one by the zeros of plain letters', () => {
  const text = 'time,x\n0,é😀\n';
  for (const mark of ['', '\ufeff']) {
    expect(textOf(Buffer.from(mark + text))).toBe(text);
    expect(textOf(Buffer.from(mark + text, 'utf16le'))).toBe(text);
    expect(textOf(Buffer.from(mark + text, 'utf16le').swap16())).toBe(text);
  }
  for (const short of ['', 'a', 'ab', 'é', '\0\0\0\0']) expect(textOf(Buffer.from(short))).toBe(short);
});

it('readBytes reads a file to its end, or as far as it is asked to, and refuses a larger one', async () => {
  const path = join(temporaryFolder(), 'a');
  writeFileSync(path, 'abcdef');
  expect(Buffer.from(await readBytes(path)).toString()).toBe('abcdef');
  expect(Buffer.from(readBytesSync(path, { firstBytes: 2 })).toString()).toBe('ab');
  expect(Buffer.from(await readBytes(path, { firstBytes: 100 })).toString()).toBe('abcdef');
  const large = expect.objectContaining<Partial<FileRefused>>({ kind: 'too large' });
  await expect(readBytes(path, { maxBytes: 5 })).rejects.toEqual(large);
  expect(() => readTextSync(path, { maxBytes: 5 })).toThrow(/ is refused: it has .* MB, and at most .* MB are read\.$/);
});

it.skipIf(process.platform === 'win32')('writeWhole replaces regular files alone, and leaves no draft', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  for (const content of ['first', 'second']) {
    writeWhole(file, content);
    expect(readFileSync(file, 'utf8')).toBe(content);
  }
  symlinkSync(file, join(folder, 'link'));
  symlinkSync(join(folder, 'none'), join(folder, 'dangling'));
  mkdirSync(join(folder, 'folder'));
  spawnSync('mkfifo', [join(folder, 'pipe')]);
  const before = readdirSync(folder).sort();
  for (const name of ['link', 'dangling', 'folder', 'pipe']) {
    const mode = lstatSync(join(folder, name)).mode;
    expect(() => writeWhole(join(folder, name), 'third')).toThrow(
      / is refused: it is a (?:link|folder|pipe), not a file\.$/,
    );
    expect(lstatSync(join(folder, name)).mode).toBe(mode);
  }
  expect(() => writeWhole('/dev/full', 'third')).toThrow('it is a device, not a file');
  expect(() => writeWhole(join(file, 'below'), 'third')).toThrow();
  expect(readdirSync(folder).sort()).toEqual(before);
  expect(readFileSync(file, 'utf8')).toBe('second');
});

it.skipIf(process.platform === 'win32')(
  'modules behind links are those of their folder after a pipe was refused',
  async () => {
    const folder = temporaryFolder();
    const at = (name: string): string => JSON.stringify(join(folder, name));
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    for (const name of ['a', 'b'])
      writeFileSync(join(folder, 'real', `${name}.mjs`), 'export const { url } = import.meta;');
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    const input = fileURLToPath(new URL('../src/files/index.ts', import.meta.url));
    await build({ input, platform: 'node', output: { file: join(folder, 'files.mjs') } });
    // With Node's own `statSync` of the pipe instead, b.mjs is loaded by way of the link (nodejs/node#51142).
    const program = `import { isFile, readBytes, requireReplaceable } from ${at('files.mjs')};
    await import(${at('link/a.mjs')});
    for (const use of [isFile, readBytes, requireReplaceable]) try { await use(${at('pipe')}); } catch {}
    console.log((await import(${at('link/b.mjs')})).url);`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    expect(stdout.trim(), stderr).toBe(pathToFileURL(join(folder, 'real/b.mjs')).href);
  },
);
