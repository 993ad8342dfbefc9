import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draws, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { printable } from '../../src/terminal/printable.ts';
import { codeOf, outcome, READERS, writeFiles } from './readers.ts';
import { RULES, Things } from './things.ts';

const SEED = seedOfRun('readers by rule');
const random = randomNumbers(SEED);
const chance = (p: number): boolean => random() < p;
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];

/** Names that mean something to a shell, a pattern, an address, an object or a terminal. */
const NAMES = [
  ...[
    'a',
    'ä b',
    "it's",
    '%s',
    '%04d',
    '-x',
    '--force',
    '__proto__',
    'constructor',
    'a.b.c',
    'CON',
    ' a',
    'a;b',
    '$(a)',
  ],
  ...[
    'a?b#c',
    'a%2fb',
    '日本',
    '😀',
    'e\u0301',
    'a\u001b[2Jb',
    'a\nb',
    'a\u202eb',
    '{a,b}',
    '[a]',
    '*',
    '~',
    'a'.repeat(200),
  ],
];

/** Ways to put a file that is wanted where a reader finds it, each under a drawn name; a link may lie in a linked folder. */
function dressed(path: string, name: string, place: string): string {
  let at = path;
  for (let k = Math.floor(3 * random()); k > 0; k--) {
    const folder = join(place, `links-${k}`);
    mkdirSync(folder);
    symlinkSync(chance(0.5) ? relative(folder, at) : at, join(folder, name));
    at = join(folder, name);
  }
  if (chance(0.3)) {
    symlinkSync(dirname(at), join(place, 'folder'));
    at = join(place, 'folder', basename(at));
  }
  return chance(0.3) ? relative('.', at) : chance(0.2) ? join(dirname(at), '.', `./${basename(at)}`) : at;
}

const isText = (name: string): boolean => /\.(?:csv|txt|urdf|obj|tet|json)$/.test(name);
/** Changes of a text that leave what it says. */
const SAME: readonly ((text: string) => string | Uint8Array)[] = [
  (text) => text,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => `\ufeff${text}`,
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(text, 'utf16le').swap16(),
  (text) => `${text}\n\n`,
];
/** Changes of a file's bytes after which a reader may say anything, in a sentence. */
const OTHER: readonly ((bytes: Buffer) => Uint8Array)[] = [
  (bytes) => bytes.subarray(0, Math.floor(bytes.length * random())),
  (bytes) => {
    const own = Buffer.from(bytes);
    for (let k = 0; k < 5; k++) own[Math.floor(own.length * random())] = Math.floor(256 * random());
    return own;
  },
  (bytes) => Buffer.concat([bytes, bytes]),
  () => Buffer.from(Array.from({ length: 2000 }, () => Math.floor(256 * random()))),
  () => Buffer.alloc(100_000, pick(['0', '<', '{', '"', '\n', ',', '\0', '\ufeff', '- '])),
  (bytes) => Buffer.concat([bytes, Buffer.alloc(1e6, pick([' ', '\n', '\0', '<!--']))]),
];

describe.skipIf(process.platform === 'win32')('a drawn reader', () => {
  const things = new Things();
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gradsim-drawn-'));
    await writeFiles(folder);
  });
  afterAll(() => {
    things.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const drawn = Array.from({ length: draws(150, 4000) }, (_, round) => {
    const [name, reader] = pick(Object.entries(READERS));
    const rule = pick([
      ...Object.keys(RULES),
      'the file',
      'the file',
      'other content',
      'other content',
      'other content',
    ]);
    // Studies and experiments are programs: what Node says of other content is not gradsim's.
    const isProgram = /\.m?[jt]s$/.test(reader.takes);
    const own = reader.takesFolderOf || chance(0.3) ? '' : pick(NAMES);
    return { round, name, reader, rule, isProgram, own };
  }).filter(
    ({ reader, rule, isProgram }) =>
      !(rule === 'a folder' && reader.takesFolders) &&
      !(rule === 'other content' && isProgram) &&
      !(rule === 'an empty file' && (reader.looksUpOnly || reader.takes === 'points.csv')) &&
      !(reader.takesFolderOf && ['a device', 'a file below a file', 'a name that is too long'].includes(rule)),
  );

  it.each(drawn)('$round: $name with $rule', async ({ reader, rule, name, own }) => {
    const good = join(folder, reader.takes);
    const place = mkdtempSync(join(folder, 'drawn-'));
    const wanted = own === '' ? reader.takes : `${own}${extname(reader.takes)}`;
    const first = join(mkdtempSync(join(place, 'first-')), wanted);
    const isFile = rule === 'the file' && !reader.takesFolderOf;
    let path = first;
    if (rule === 'other content') writeFileSync(path, pick(OTHER)(readFileSync(good)));
    else if (isFile && isText(reader.takes)) writeFileSync(path, pick(SAME)(readFileSync(good, 'utf8')));
    else path = await things.make(rule, good, first);
    if (!reader.takesFolderOf && path === first) path = dressed(path, wanted, place);
    const about = `seed ${SEED}: ${name} of ${JSON.stringify(path)}`;

    const came = await outcome(reader, path, folder);
    if (RULES[rule] === 'as the file') {
      const plain = join(mkdtempSync(join(folder, 'plain-')), reader.takes);
      expect(codeOf(came), about).toBe(
        codeOf(await outcome(reader, await things.make('the file', good, plain), folder)),
      );
      return;
    }
    if (came === undefined) {
      expect(rule, `${about} is read`).toBe('other content');
      return;
    }
    expect(codeOf(came), `${about}: ${came.stack}`).toMatch(/^[a-z]+\/[a-z-]+$/);
    expect(came.message, about).not.toMatch(/\b(?:TypeError|RangeError|SyntaxError|undefined is|is not a function)\b/);
    if (rule === 'other content' || rule === 'a name that is too long') return;
    const shown = basename(path);
    expect(
      [shown, printable(shown)].some((text) => came.message.includes(text)),
      `${about}: ${came.message}`,
    ).toBe(true);
  });
});
