// `gradsim/core`, `gradsim/rigid`: the packages, under one name.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const manifest: { exports: Record<string, { readonly default?: string }>; dependencies: Record<string, string> } =
  JSON.parse(read('../package.json'));
const parts = Object.entries(manifest.exports)
  .filter(([, entry]) => entry.default?.startsWith('./dist/parts/'))
  .map(([entry]) => entry.slice('./'.length));
/** Names of the packages that a part of `gradsim` re-exports. */
const packagesOf = (part: string): string[] =>
  [...read(`../src/parts/${part}.ts`).matchAll(/^export \* from '([^']+)';$/gm)].map(([, name]) => name);

describe.each(parts)('gradsim/%s', (part) => {
  it('exports exactly the objects that its packages export', async () => {
    const own: Record<string, unknown> = await import(`../src/parts/${part}.ts`);
    const names = packagesOf(part);
    expect(names.length).toBeGreaterThan(0);
    const all = Object.assign({}, ...(await Promise.all(names.map((name) => import(name)))));
    // A name that two packages export is left out, unless it is the same object.
    expect(Object.keys(own).sort()).toEqual(Object.keys(all).sort());
    for (const [name, value] of Object.entries(all)) expect(own[name], name).toBe(value);
  });
});

it('gradsim re-exports every other package of the repository but base, create-gradsim-plugin, reference, tensorflow and three', () => {
  const folders = readdirSync(new URL('../../', import.meta.url)).filter((name) =>
    existsSync(new URL(`../../${name}/package.json`, import.meta.url)),
  );
  const without = ['base', 'create-gradsim-plugin', 'gradsim', 'reference', 'tensorflow', 'three'];
  const exported = new Set(parts.flatMap(packagesOf).map((name) => name.split('/')[1]));
  expect([...exported].sort()).toEqual(folders.filter((name) => !without.includes(name)).sort());
});
