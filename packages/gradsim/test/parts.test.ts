// `gradsim/core`, `gradsim/rigid`: the packages, under one name.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LIBRARIES } from '../src/studio/libraries.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const manifest: { exports: Record<string, { readonly '@gradsim/source'?: string }> } = JSON.parse(
  read('../package.json'),
);
/** Entries that re-export packages, and their sources. */
const parts = Object.entries(manifest.exports).flatMap(([entry, { '@gradsim/source': source = '' }]) =>
  source.startsWith('./src/parts/') ? [[entry.slice('./'.length), `.${source}`] as const] : [],
);
/** Names of the packages that a part of `gradsim` re-exports. */
const packagesOf = (source: string): string[] =>
  [...read(source).matchAll(/^export \* from '([^']+)';$/gm)].map(([, name]) => name);

describe.each(parts)('gradsim/%s', (_, source) => {
  it('exports exactly the objects that its packages export', async () => {
    const own: Record<string, unknown> = await import(source);
    const names = packagesOf(source);
    expect(names.length).toBeGreaterThan(0);
    const all = Object.assign({}, ...(await Promise.all(names.map((name) => import(name)))));
    // A name that two packages export is left out, unless it is the same object.
    expect(Object.keys(own).sort()).toEqual(Object.keys(all).sort());
    for (const [name, value] of Object.entries(all)) expect(own[name], name).toBe(value);
  });
});

it('gradsim/physics re-exports what the entries of one model do, and what they share', () => {
  const sources = parts.map(([, source]) => source).filter((source) => source.includes('/parts/physics/'));
  const all = sources.find((source) => source.endsWith('/physics.ts'))!;
  const each = sources.filter((source) => source !== all).flatMap(packagesOf);
  expect(packagesOf(all).sort()).toEqual([...each, '@gradsim/dynamics'].sort());
});

it('kinds of others may import every physics package in the studio, by both of its names', () => {
  const names = packagesOf('../src/parts/physics/physics.ts');
  const doors = names.filter((name) => name !== '@gradsim/dynamics').map((name) => name.slice(1));
  expect([...LIBRARIES.keys()]).toEqual(expect.arrayContaining([...names, ...doors]));
});

it('gradsim re-exports every other package of the repository but base, those of npm create, tensorflow and three', () => {
  const folders = readdirSync(new URL('../../', import.meta.url)).filter((name) =>
    existsSync(new URL(`../../${name}/package.json`, import.meta.url)),
  );
  const without = ['base', 'create-gradsim', 'gradsim', 'tensorflow', 'three'];
  const exported = new Set(parts.flatMap(([, source]) => packagesOf(source)).map((name) => name.split('/')[1]));
  expect([...exported].sort()).toEqual(folders.filter((name) => !without.includes(name)).sort());
});
