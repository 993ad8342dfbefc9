import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { column, createScene, defineComponent, definePlugin, f32 } from '@gradsim/core';
import { expect, it } from 'vitest';
import { uncovered } from '../src/coverage.ts';
import { root } from '../src/packages.ts';
import { fieldsPage } from '../src/page.ts';

const { text, lacks } = await fieldsPage();

it('docs/reference/fields.md is what the plugins say; `npm run docs` writes it anew', () => {
  expect(readFileSync(join(root, 'docs/reference/fields.md'), 'utf8')).toBe(text);
});

it('it shows every plugin and every component that a package exports', () => {
  expect(lacks).toEqual([]);
});

it('a plugin or a component that no scene shows is named', () => {
  const Mote = defineComponent('motes', { mass: column(f32) });
  const motes = definePlugin({ name: 'motes', contract: 1, components: [Mote] });
  const packages = [{ name: 'motes', plugins: ['motes', 'dust'], components: new Map(), fields: new Map() }];
  const exported = new Map([[Mote, { name: 'Mote' }]]);
  const scene = createScene([motes]);
  expect(uncovered(packages, [scene], exported)).toEqual([
    'motes exports the plugins motes, dust; scenes register 1 of them.',
    'No scene has an entity of the component Mote.',
  ]);
  scene.add(Mote, { mass: 1 });
  expect(uncovered(packages.slice(1), [scene], exported)).toEqual([]);
});
