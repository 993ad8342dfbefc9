import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../root.js';

const page = readFileSync(join(root, 'docs/reference/security.md'), 'utf8');
/** Rows of the table of boundaries, without head and rule. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2);

it('every boundary of the page on security is held by a test that there is', () => {
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const held = row.split(' | ').at(-1)!;
    // Later files of a row are in the folder of the first.
    const files = [...held.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file]) => file);
    if (files.length === 0) expect(held, row).toMatch(/the same test/);
    for (const file of files) {
      const path = file.includes('/') ? file : join(files[0], '..', file);
      expect(existsSync(join(root, path)), path).toBe(true);
    }
  }
});

it('every kind of fuzzing that the page names is one', () => {
  const kinds = readFileSync(join(root, 'lab/bench/src/fuzz/child.ts'), 'utf8');
  const named = [...page.matchAll(/`fuzz --kind ([\w]+)`((?:, `\w+`)*)/g)].flatMap(([, first, more]) => [
    first,
    ...[...more.matchAll(/`(\w+)`/g)].map(([, kind]) => kind),
  ]);
  expect(named.length).toBeGreaterThan(8);
  for (const kind of named) expect(kinds).toContain(`./kinds/${kind}.ts`);
});
