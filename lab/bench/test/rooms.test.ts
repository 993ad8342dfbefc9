import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { roomsOf } from '../src/rooms/rooms.ts';

let src: string;
beforeEach(() => {
  src = mkdtempSync(join(tmpdir(), 'gradsim-rooms-'));
});
afterEach(() => rmSync(src, { recursive: true }));

/** Writes files with the given lines of imports, by path. */
function write(files: Readonly<Record<string, readonly string[]>>): void {
  for (const [file, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(src, file)), { recursive: true });
    writeFileSync(join(src, file), `${lines.join('\n')}\nexport const here = 1;\n`);
  }
}

describe('the order of folders by their imports', () => {
  test('folders without import cycles have no upward import', () => {
    write({
      'low/a.ts': [],
      'middle/b.ts': ["import { here as a } from '../low/a.ts';"],
      'top.ts': ["export { here } from './middle/b.ts';", "const late = () => import('./low/a.ts');"],
      'index.ts': ["export { here } from './top.ts';"],
    });
    expect(roomsOf(src)).toEqual({
      files: 3,
      widestFolder: { folder: 'low', files: 1 },
      arrows: 3,
      up: [],
      valueCycles: [],
      typeCycles: [],
    });
  });

  test('if two folders import each other, the direction with fewer imports counts as upward, type imports included', () => {
    write({
      'low/a.ts': ["import type { here } from '../high/c.ts';"],
      'low/b.ts': [],
      'high/c.ts': ["import { here as a } from '../low/b.ts';"],
      'high/d.ts': ["import { type here as a } from '../low/a.ts';"],
    });
    const { up, valueCycles, typeCycles } = roomsOf(src);
    expect(up).toEqual([{ from: 'low', to: 'high', count: 1 }]);
    expect([valueCycles, typeCycles]).toEqual([[], []]);
  });

  test('a cycle of three nested folders has one upward import', () => {
    write({
      'room/one/a.ts': ["import { here as b } from '../two/b.ts';"],
      'room/two/b.ts': ["import { here as c } from '../three/c.ts';"],
      'room/three/c.ts': ["import { here as d } from '../one/d.ts';"],
      'room/one/d.ts': [],
    });
    expect(roomsOf(src).up).toHaveLength(1);
  });

  test('import cycles of files that involve only types are listed apart from those of values', () => {
    write({
      'a.ts': ["import { here as b } from './b.ts';"],
      'b.ts': ["export * from './a.ts';"],
      'c.ts': ["import type { here } from './d.ts';"],
      'd.ts': ["import { here as c } from './c.ts';"],
    });
    const { valueCycles, typeCycles } = roomsOf(src);
    expect(valueCycles).toEqual([['a.ts', 'b.ts']]);
    expect(typeCycles).toEqual([['c.ts', 'd.ts']]);
  });
});

const root = fileURLToPath(new URL('../../..', import.meta.url));
const sources = ['packages', 'apps', 'lab'].flatMap((group) =>
  readdirSync(join(root, group))
    .map((name) => `${group}/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'src'))),
);

test.each(sources)('%s/src has no import cycles, of folders or of files', (folder) => {
  const { up, valueCycles, typeCycles } = roomsOf(join(root, folder, 'src'));
  expect({ up, valueCycles, typeCycles }).toEqual({ up: [], valueCycles: [], typeCycles: [] });
});
