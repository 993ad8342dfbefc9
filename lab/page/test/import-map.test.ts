import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/reference/pages.md'), 'utf8');

/** Names of other packages that a module and those beside it import, at once or later, of a package that is built. */
function namesFrom(file: string, known = new Set<string>()): string[] {
  if (known.has(file)) return [];
  known.add(file);
  const code = readFileSync(file, 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, code).module;
  const names = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => /^'([^']+)'$/.exec(code.slice(start, end))?.[1]),
  ].filter((name) => name !== undefined);
  return names.flatMap((name) => (name.startsWith('.') ? namesFrom(join(dirname(file), name), known) : [name]));
}

it('the import map of the guide has all that its packages import, and leads to files', () => {
  const { imports } = JSON.parse(/<script type="importmap">(.*?)<\/script>/s.exec(page)![1]);
  const ours = Object.values<string>(imports).filter((path) => path.includes('/@gradsim/'));
  const files = ours.map((path) => join(root, path.replace('/node_modules/@gradsim/', 'packages/')));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const names = new Set(files.flatMap((file) => namesFrom(file)));
  expect([...names].filter((name) => !(name in imports) && name !== '#platform')).toEqual([]);
});
